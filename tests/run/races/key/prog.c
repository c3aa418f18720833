#include "../two.h"

static int wrong, right;
static pthread_key_t key;

static void gone(void *value)
{
	right += *(int *)value;
	wrong++;
}

static void *a(void *x)
{
	pthread_setspecific(key, &right);
	right = 1;
	return x;
}

static void *b(void *x)
{
	wrong++;
	return x;
}

int main(void)
{
	pthread_key_create(&key, gone);
	two(a, b);
	return right + wrong - 4;
}
