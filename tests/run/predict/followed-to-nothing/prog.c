/* A pointer that was taken under the lock is followed behind it, when another thing has been counted: the place is where it is followed, not where
 * the thread was seen last. */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

struct item { int value; };

static struct item items[2] = { { 1 }, { 2 } }, *current = &items[0];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int taken;
static int sum;

static void *reads(void *u)
{
	pthread_mutex_lock(&lock);
	struct item *item = current;
	pthread_mutex_unlock(&lock);
	atomic_fetch_add(&taken, 1);
	sum = item->value;      /*@A*/
	return u;
}

static void *takes_away(void *u)
{
	pthread_mutex_lock(&lock);
	current = NULL;         /*@B*/
	pthread_mutex_unlock(&lock);
	return u;
}

int main(int argc, char **argv)
{
	pthread_t threads[2];
	current = &items[argc > 1 && argv[1]];
	pthread_create(&threads[0], NULL, reads, NULL);
	pthread_create(&threads[1], NULL, takes_away, NULL);
	pthread_join(threads[0], NULL);
	pthread_join(threads[1], NULL);
	return sum != 1;
}
