/* A thread waits for a semaphore another process has posted, and races behind it.  With a word it takes a lock there that the other thread takes too, and nothing is wrong. */
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static sem_t *posted;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int x, locks;

static void add(void)
{
	if (locks)
		pthread_mutex_lock(&lock);
	x++;
	if (locks)
		pthread_mutex_unlock(&lock);
}

static void *waits(void *unused)
{
	sem_wait(posted);
	add();
	return unused;
}

static void *adds(void *unused)
{
	add();
	return unused;
}

int main(int argc, char **argv)
{
	pthread_t one, two;
	(void)argv;
	locks = argc > 1;
	posted = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	sem_init(posted, 1, 0);
	pid_t child = fork();
	if (child == 0) {
		sem_post(posted);
		_exit(0);
	}
	waitpid(child, NULL, 0);
	pthread_create(&one, NULL, waits, NULL);
	pthread_create(&two, NULL, adds, NULL);
	pthread_join(one, NULL);
	pthread_join(two, NULL);
	printf("%d\n", x);
	return 0;
}
