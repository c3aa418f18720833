/* One thread tries again and again what only the other can bring about; whoever runs first, both come to an end. */
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <string.h>

static atomic_flag taken;
static atomic_int owner;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static sem_t posted;
static int tries;
static const char *how;

static void exchange(void)
{
	while (atomic_flag_test_and_set(&taken))
		;
	atomic_flag_clear(&taken);
}

static void compare(void)
{
	for (int free = 0; !atomic_compare_exchange_weak(&owner, &free, 1); free = 0)
		;
	atomic_store(&owner, 0);
}

static void try_lock(void)
{
	while (pthread_mutex_trylock(&lock))
		;
	pthread_mutex_unlock(&lock);
}

static void work(void)
{
	if (!strcmp(how, "exchange"))
		exchange();
	else if (!strcmp(how, "compare"))
		compare();
	else
		try_lock();
}

static void *other(void *x)
{
	if (!strcmp(how, "count"))
		sem_post(&posted);
	else
		work();
	return x;
}

int main(int argc, char **argv)
{
	pthread_t thread;
	how = argv[argc - 1];
	sem_init(&posted, 0, 0);
	pthread_create(&thread, NULL, other, NULL);
	if (strcmp(how, "count"))
		work();
	else
		while (sem_trywait(&posted))
			tries++;
	pthread_join(thread, NULL);
	return 0;
}
