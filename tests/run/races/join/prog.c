#include "../two.h"

static int wrong, right;

static void *a(void *x) { right++; return x; }
static void *b(void *x) { right++; wrong++; return x; }

int main(void)
{
	pthread_t t;
	pthread_create(&t, NULL, a, NULL);
	pthread_join(t, NULL);
	right++;
	pthread_create(&t, NULL, b, NULL);
	wrong++;
	pthread_join(t, NULL);
	return right + wrong - 5;
}
