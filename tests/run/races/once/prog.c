#include "../two.h"

static int wrong, right;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void make(void) { right = 1; }

static void *a(void *x)
{
	pthread_once(&once, make);
	wrong++;
	return x;
}

static void *b(void *x)
{
	pthread_once(&once, make);
	wrong += right;
	return x;
}

int main(void)
{
	two(a, b);
	return right + wrong - 3;
}
