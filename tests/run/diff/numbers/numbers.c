/* Two numbers side by side that spell an address: of a mapping in the one run, of nothing in the other. */
#include <stdio.h>
#include <string.h>

struct two { int low, high; };

char *page(void);                                       /* of code nobody watches, here or there */

static struct two numbers[4], copied[4], again[4];

__attribute__((noinline)) static void copy_one(struct two *to, const struct two *from)
{
	*to = *from;                                    /* by eight bytes */
}

int main(void)
{
	volatile int high = 0x2000, low = 0x40;
	*page() = 1;
	for (int i = 0; i < 4; i++) {
		numbers[i].low = low + i;
		numbers[i].high = high;
	}
	memcpy(copied, numbers, sizeof copied);
	memcpy(again, copied, sizeof again);
	copy_one(&again[0], &copied[1]);
	copy_one(&again[2], &again[0]);
	printf("%d %d\n", again[2].low, again[2].high);
	return 0;
}
