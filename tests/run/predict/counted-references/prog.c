/* Apache: the last one out frees, and who is last is asked in two steps. */
#include <pthread.h>
#include <stdlib.h>

struct object { int references; pthread_mutex_t lock; };
static struct object *shared;

static void release(void)
{
	pthread_mutex_lock(&shared->lock);
	shared->references--;
	pthread_mutex_unlock(&shared->lock);
	if (shared->references == 0)            /*@A*/
		free(shared);                   /*@B*/
}

static void *first(void *unused) { (void)unused; release(); return NULL; }

int main(void)
{
	pthread_t one, two;
	struct object *keep = malloc(sizeof *keep);
	shared = keep;
	pthread_mutex_init(&keep->lock, NULL);
	keep->references = 2;
	pthread_create(&one, NULL, first, NULL);
	pthread_create(&two, NULL, first, NULL);
	pthread_join(one, NULL);
	pthread_join(two, NULL);
	return 0;
}
