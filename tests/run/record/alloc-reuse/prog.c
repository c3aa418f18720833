/* Threads give blocks up and get them again: the order of ALLOC, FREE and REALLOC must let no two own one address. */
#include "../check.h"

static void *works(void *unused)
{
	char *mine[16] = { NULL };
	for (int i = 0; i < 2000; i++) {
		int slot = i % 16;
		if (i % 3 == 0) {
			free(mine[slot]);
			mine[slot] = NULL;
		} else {
			mine[slot] = realloc(mine[slot], 24 + (size_t)(i * 37 % 400));
			CHECK(mine[slot]);
		}
	}
	for (int i = 0; i < 16; i++)
		free(mine[i]);
	return unused;
}

int main(void)
{
	pthread_t t[4];
	for (int i = 0; i < 4; i++)
		IS(pthread_create(&t[i], NULL, works, NULL), 0);
	for (int i = 0; i < 4; i++)
		IS(pthread_join(t[i], NULL), 0);
	return done();
}
