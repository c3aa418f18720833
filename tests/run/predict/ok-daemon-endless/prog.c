/* A daemon that never waits for anything: what it does does not end, the program does. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_long turns;

static void *turn(void *unused)
{
	for (;;)
		atomic_fetch_add(&turns, 1);
	return unused;
}

int main(void)
{
	pthread_t daemon[3];
	for (int i = 0; i < 3; i++) {
		pthread_create(&daemon[i], NULL, turn, NULL);
		pthread_detach(daemon[i]);
	}
	return atomic_load(&turns) < 0;
}
