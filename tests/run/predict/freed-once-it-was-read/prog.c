/* A node is freed once its link was read to be set, as in a queue without locks: by the rules of C the free races with the write of the link, but it cannot come before it. */
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct node { struct node *volatile next; } last, *head;

static void *adds(void *arg)
{
	head->next = &last;
	return arg;
}

int main(void)
{
	pthread_t thread;
	head = calloc(1, sizeof *head);
	pthread_create(&thread, NULL, adds, NULL);
	while (!head->next)
		;
	for (int i = 0; i < 20; i++) {
		pthread_mutex_lock(&lock);
		pthread_mutex_unlock(&lock);
	}
	free(head);
	pthread_join(thread, NULL);
	return 0;
}
