/* A block larger than the machine's memory is refused, a small one still given. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/sysinfo.h>

static void *volatile got;                     /* a compiler leaves out blocks nobody can see */

static void ask(const char *how, void *p)
{
	got = p;
	printf("%s: %s\n", how, got ? "given" : "no memory");
	free(p);
}

int main(void)
{
	struct sysinfo machine;
	if (sysinfo(&machine))
		return 1;
	size_t more = (machine.totalram + machine.totalswap) * machine.mem_unit + 4096;
	char *kept = malloc(100);
	ask("malloc", malloc(more));
	ask("calloc", calloc(more / 16, 16));
	ask("realloc", realloc(kept, more));
	ask("small", malloc(1 << 20));
	kept[99] = 1;                           /* a realloc that fails leaves the block */
	free(kept);
}
