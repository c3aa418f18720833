#include "../two.h"
#include <semaphore.h>

static int wrong, right;
static sem_t s;

static void *a(void *x)
{
	right = 1;
	sem_post(&s);
	wrong++;
	return x;
}

static void *b(void *x)
{
	sem_wait(&s);
	wrong += right;
	return x;
}

int main(void)
{
	sem_init(&s, 0, 0);
	two(a, b);
	return right + wrong - 3;
}
