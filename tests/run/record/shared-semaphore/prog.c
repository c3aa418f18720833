/* A semaphore shared with a child, which posts it: there is no post in this process. */
#include "../check.h"
#include <semaphore.h>
#include <sys/mman.h>
#include <sys/wait.h>

int main(void)
{
	sem_t *s = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	IS(sem_init(s, 1, 0), 0);
	pid_t child = fork();
	CHECK(child >= 0);
	if (child == 0) {
		sem_post(s);
		_exit(0);
	}
	IS(sem_wait(s), 0);
	IS(waitpid(child, NULL, 0), child);
	return done();
}
