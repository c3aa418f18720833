/* pthread_exit loads a library, and its initialisers are events of that library: a turn may end there. */
#include <pthread.h>

static int ended;

static void *ends(void *nothing)
{
	ended++;
	pthread_exit(nothing);
}

int main(void)
{
	pthread_t a, b;
	pthread_create(&a, NULL, ends, NULL);
	pthread_create(&b, NULL, ends, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
