/* Who does not get the lock, or finds no token, at the first try waits for it, and counts that. */
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static sem_t tokens;
static atomic_int waited;
static int sum;

static void *tries(void *u)
{
	if (sem_trywait(&tokens) != 0) {
		waited++;
		sem_wait(&tokens);
	}
	if (pthread_mutex_trylock(&lock) != 0) {
		waited++;
		pthread_mutex_lock(&lock);
	}
	sum++;
	pthread_mutex_unlock(&lock);
	return u;
}

static void *locks(void *u)
{
	sem_post(&tokens);
	pthread_mutex_lock(&lock);
	sum++;
	pthread_mutex_unlock(&lock);
	return u;
}

int main(void)
{
	pthread_t threads[2];
	sem_init(&tokens, 0, 0);
	pthread_create(&threads[0], NULL, locks, NULL);
	pthread_create(&threads[1], NULL, tries, NULL);
	pthread_join(threads[0], NULL);
	pthread_join(threads[1], NULL);
	return sum != 2;
}
