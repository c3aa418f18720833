/* A computed goto: what it goes by is one of three labels, and nothing else. */
#include <stdio.h>

static __attribute__((noinline)) int walk(const unsigned char *code)
{
	static void *const ways[] = { &&add, &&twice, &&end };
	int sum = 1;
	goto *ways[*code++];
add:
	sum += 3;
	goto *ways[*code++];
twice:
	sum *= 2;
	goto *ways[*code++];
end:
	return sum;
}

int main(void)
{
	printf("%d\n", walk((const unsigned char[]){ 0, 1, 1, 0, 2 }));
	return 0;
}
