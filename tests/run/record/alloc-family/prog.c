/* Every way to get a block, with its size and alignment. */
#include "../check.h"
#include <malloc.h>
#include <stdint.h>
#include <string.h>

int main(void)
{
	char *volatile p = malloc(111), *volatile q = calloc(3, 111);
	void *aligned;
	CHECK(p && q);
	for (int i = 0; i < 333; i++)
		IS(q[i], 0);
	memset(p, 7, 111);
	p = realloc(p, 222222);
	for (int i = 0; i < 111; i++)
		IS(p[i], 7);
	p = reallocarray(p, 2, 444444);
	for (int i = 0; i < 111; i++)
		IS(p[i], 7);
	errno = 0;
	CHECK(!reallocarray(p, SIZE_MAX / 2, 4));
	IS(errno, ENOMEM);
	free(p);
	free(q);
	free(NULL);
	IS(posix_memalign(&aligned, 4096, 555), 0);
	IS((uintptr_t)aligned % 4096, 0);
	free(aligned);
	IS(posix_memalign(&aligned, 3, 1), EINVAL);
	p = aligned_alloc(256, 512);
	IS((uintptr_t)p % 256, 0);
	free(p);
	p = memalign(128, 666);
	IS((uintptr_t)p % 128, 0);
	free(p);
	p = valloc(777);
	IS((uintptr_t)p % 4096, 0);
	free(p);
	p = pvalloc(888);
	CHECK(malloc_usable_size(p) >= 4096);
	free(p);
	return done();
}
