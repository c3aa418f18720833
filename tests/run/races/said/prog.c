#include "../two.h"
#include <raddle.h>

static int ignored, handed, wrong, guarded;
static int object, lock;

static void *a(void *x)
{
	raddle_ignore_begin();
	ignored++;
	raddle_ignore_end();
	handed = 1;
	raddle_happens_before(&object);
	raddle_lock_acquired(&lock, 0);
	guarded++;
	raddle_lock_releasing(&lock, 0);
	wrong++;
	return x;
}

static void *b(void *x)
{
	raddle_ignore_begin();
	ignored++;
	raddle_ignore_end();
	raddle_happens_after(&object);
	raddle_lock_acquired(&lock, 0);
	guarded += handed;
	raddle_lock_releasing(&lock, 0);
	wrong++;
	return x;
}

int main(void)
{
	two(a, b);
	return ignored + guarded + wrong - 6;
}
