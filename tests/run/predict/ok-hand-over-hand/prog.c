/* Each node is locked before the one before it is let go: nobody is overtaken, and what is taken out is freed by who took it out. */
#include <pthread.h>
#include <stdlib.h>

struct node { pthread_mutex_t lock; struct node *next; int value; };
static struct node *head;

static struct node *make(int value, struct node *next)
{
	struct node *n = malloc(sizeof *n);
	pthread_mutex_init(&n->lock, NULL);
	n->value = value;
	n->next = next;
	return n;
}

static void *sum(void *unused)
{
	long total = 0;
	(void)unused;
	pthread_mutex_lock(&head->lock);
	for (struct node *at = head, *next; at; at = next) {
		total += at->value;
		next = at->next;
		if (next)
			pthread_mutex_lock(&next->lock);
		pthread_mutex_unlock(&at->lock);
	}
	return total < 0 ? &head : NULL;
}

static void *cut(void *unused)
{
	(void)unused;
	pthread_mutex_lock(&head->lock);
	struct node *gone = head->next;
	pthread_mutex_lock(&gone->lock);
	head->next = gone->next;
	pthread_mutex_unlock(&head->lock);
	pthread_mutex_unlock(&gone->lock);
	free(gone);
	return NULL;
}

int main(void)
{
	pthread_t one, two;
	head = make(1, make(2, make(3, NULL)));
	pthread_create(&one, NULL, sum, NULL);
	pthread_create(&two, NULL, cut, NULL);
	pthread_join(one, NULL);
	pthread_join(two, NULL);
	return 0;
}
