#include "../two.h"

static int wrong, right;
static pthread_spinlock_t s;

static void *a(void *x)
{
	pthread_spin_lock(&s);
	right++;
	pthread_spin_unlock(&s);
	wrong++;
	return x;
}

static void *b(void *x)
{
	pthread_spin_lock(&s);
	right++;
	wrong++;
	pthread_spin_unlock(&s);
	return x;
}

int main(void)
{
	pthread_spin_init(&s, 0);
	two(a, b);
	return right + wrong - 4;
}
