/* A library that stands in front of pthread_create, and has a thread of its own: it asks for the function behind its own, as
 * allocators with background threads do. */
#include <pthread.h>
#include <stdio.h>

int library_made(void);
int library_wakes(void);

static void *work(void *arg)
{
	return (char *)arg + 1;
}

int main(void)
{
	pthread_t thread;
	void *result;
	if (pthread_create(&thread, NULL, work, (char *)1) || pthread_join(thread, &result))
		return 1;
	printf("joined %ld, the library's thread did its part %d times, the library was asked for threads: %s\n", (long)result, library_wakes(), library_made() ? "yes" : "no");
	return 0;
}
