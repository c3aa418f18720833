/* A thread that finds the list empty adds its node without the lock. */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

struct node { struct node *next; int v; };
static struct node *head;
static void push(struct node *n)
{
#ifdef OK
	pthread_mutex_lock(&m);
	n->next = head;
	head = n;
	pthread_mutex_unlock(&m);
#else
	pthread_mutex_lock(&m);
	int empty = head == NULL;
	pthread_mutex_unlock(&m);
	if (empty) {
		head = n;               /*@A*/
		return;
	}
	pthread_mutex_lock(&m);
	n->next = head;
	head = n;                       /*@B*/
	pthread_mutex_unlock(&m);
#endif
}
static void *late(void *n)
{
	usleep(3000);
	push(n);
	return NULL;
}
int main(void)
{
	static struct node a, b;
	pthread_t t;
	pthread_create(&t, NULL, late, &b);
	push(&a);
	pthread_join(t, NULL);
	int count = 0;
	for (struct node *n = head; n; n = n->next)
		count++;
	assert(count == 2);
	return 0;
}
