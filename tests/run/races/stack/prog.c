#include "../two.h"

static void *b(void *at) { ++*(int *)at; return NULL; }

int main(void)
{
	pthread_t t;
	int mine = 0;
	pthread_create(&t, NULL, b, &mine);
	++mine;
	pthread_join(t, NULL);
	return mine - 2;
}
