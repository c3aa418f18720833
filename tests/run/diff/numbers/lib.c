#include <sys/mman.h>

char *page(void)
{
	return mmap((void *)WHERE, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
}
