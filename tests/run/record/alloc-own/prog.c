/* A program that brings its own malloc keeps it. */
#include "../check.h"
#include <string.h>

static char heap[1 << 20] __attribute__((aligned(16)));
static size_t used;
static volatile int calls;

void *malloc(size_t bytes)
{
	size_t at = __atomic_fetch_add(&used, (bytes + 15) / 16 * 16, __ATOMIC_RELAXED);
	calls++;
	return at + bytes <= sizeof heap ? heap + at : NULL;
}

void free(void *p)
{
	CHECK(!p || ((char *)p >= heap && (char *)p < heap + sizeof heap));
}

void *calloc(size_t count, size_t size)
{
	return malloc(count * size);
}

void *realloc(void *old, size_t bytes)
{
	char *p = malloc(bytes);
	if (p && old)
		memmove(p, old, bytes);
	return p;
}

int main(void)
{
	int before = calls;
	char *volatile p = strdup("mine");
	CHECK(p >= heap && p < heap + sizeof heap);
	CHECK(calls > before);
	free(p);
	return done();
}
