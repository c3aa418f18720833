#include "../two.h"
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

static int all, one, right, wrong, more;

/* What is added happens before the read that takes it: all at once, or one of it. */
static void *a(void *x)
{
	right = wrong = 1;
	eventfd_write(all, 3);
	wrong = 2;
	more = 1;
	eventfd_write(one, 1);
	return x;
}

static void *b(void *x)
{
	eventfd_t got;
	if (eventfd_read(all, &got))
		abort();
	right++;
	wrong++;
	if (eventfd_read(one, &got))
		abort();
	more++;
	return x;
}

int main(void)
{
	all = eventfd(0, 0);
	one = eventfd(0, EFD_SEMAPHORE);
	two(a, b);
	return 0;
}
