/* Calls what is no function: nowhere (0), where nothing is mapped (1), no address at all (2). */
#include <stdint.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
	static const uint64_t at[] = { 0, 0x10080, 0x1234567890abcdef };
	volatile uint64_t picked = at[argc > 1 ? atoi(argv[1]) % 3 : 0];
	((void (*)(void))picked)();
	return 0;
}
