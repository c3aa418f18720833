/* Waits for a child at a condition variable; the child would tell it once it has ended.  With an argument there is no child, though the memory
 * is shared. */
#include <pthread.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

struct both { pthread_mutex_t lock; pthread_cond_t told; int ready; };

int main(int count, char **args)
{
	(void)args;
	struct both *both = mmap(NULL, sizeof *both, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	pthread_mutexattr_t of_lock;
	pthread_condattr_t of_told;
	pthread_mutexattr_init(&of_lock);
	pthread_mutexattr_setpshared(&of_lock, PTHREAD_PROCESS_SHARED);
	pthread_mutex_init(&both->lock, &of_lock);
	pthread_condattr_init(&of_told);
	pthread_condattr_setpshared(&of_told, PTHREAD_PROCESS_SHARED);
	pthread_cond_init(&both->told, &of_told);
	int until_end[2];
	if (pipe(until_end))
		return 1;
	if (count == 1 && fork() == 0) {
		char nothing;
		close(until_end[1]);
		while (read(until_end[0], &nothing, 1) > 0)
			;
		pthread_mutex_lock(&both->lock);
		both->ready = 1;
		pthread_cond_signal(&both->told);
		pthread_mutex_unlock(&both->lock);
		_exit(0);
	}
	pthread_mutex_lock(&both->lock);
	while (!both->ready)
		pthread_cond_wait(&both->told, &both->lock);
	pthread_mutex_unlock(&both->lock);
	puts("told");
	return 0;
}
