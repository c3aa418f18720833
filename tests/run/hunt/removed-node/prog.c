/* A list with a lock in each node; who walks it lets one go before it has the next.  Depth 2: the next one is taken out and freed
 * meanwhile.  Switches: main to walker, to remover, back: 3. */
#include <pthread.h>
#include <stdlib.h>

struct node { pthread_mutex_t lock; struct node *next; };

static struct node *head;

static struct node *make(struct node *next)
{
	struct node *n = malloc(sizeof *n);
	pthread_mutex_init(&n->lock, NULL);
	n->next = next;
	return n;
}

static void *walker(void *x)
{
	pthread_mutex_lock(&head->lock);
	struct node *next = head->next;
	pthread_mutex_unlock(&head->lock);
	if (next) {
		pthread_mutex_lock(&next->lock);
		pthread_mutex_unlock(&next->lock);
	}
	return x;
}

static void *remover(void *x)
{
	pthread_mutex_lock(&head->lock);
	struct node *gone = head->next;
	pthread_mutex_lock(&gone->lock);
	head->next = gone->next;
	pthread_mutex_unlock(&gone->lock);
	pthread_mutex_unlock(&head->lock);
	free(gone);
	return x;
}

int main(void)
{
	pthread_t t[2];
	head = make(make(NULL));
	pthread_create(&t[0], NULL, walker, NULL);
	pthread_create(&t[1], NULL, remover, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	return 0;
}
