/* What library functions do that are called through pointers races as if they were called by their names. */
#include "../two.h"

struct tools { void *(*copy)(void *, const void *, size_t); size_t (*length)(const char *); void *(*fill)(void *, int, size_t); };
struct tools tools = { memcpy, strlen, memset };

char wrong[64], right[64], other[64], from[64];
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *locked(void *(*copy)(void *, const void *, size_t))
{
	pthread_mutex_lock(&lock);
	void *at = copy(right, from, 40);
	pthread_mutex_unlock(&lock);
	return at;
}

static void *last(void *(*fill)(void *, int, size_t))
{
	return fill(other, 1, 8);
}

static void *a(void *x)
{
	locked(tools.copy);
	tools.copy(wrong, from, 40);
	last(tools.fill);
	return x;
}

static void *b(void *x)
{
	locked(memmove);
	other[7]++;
	return (void *)tools.length(wrong + 39);
}

int main(void)
{
	memset(from, 7, 40);
	two(a, b);
	return 0;
}
