#include "../two.h"

static volatile int flag;

static void *a(void *x) { flag = 1; return x; }
static void *b(void *x) { while (!flag) ; return x; }

int main(void)
{
	two(a, b);
	return flag - 1;
}
