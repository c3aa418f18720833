#include "../two.h"

static int wrong, right;

static void *a(void *x) { wrong = 1; return x; }
static void *b(void *x) { return (void *)(long)(wrong + right); }

int main(void)
{
	right = 1;
	two(a, b);
	return right + wrong - 2;
}
