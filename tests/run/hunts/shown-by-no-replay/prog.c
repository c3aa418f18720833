/* The run fails only if another process says so in memory the two share, which it does until a schedule of the failure
 * is there: it fails in runs, and in no replay. */
#include <pthread.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile char *told;
static int seen;

static void *asks(void *unused)
{
	seen = *told == 'y';
	return unused;
}

int main(void)
{
	pthread_t thread;
	told = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	pid_t child = fork();
	if (child == 0) {
		struct stat facts;              /* an empty one only keeps its name */
		*told = stat("fail-1.sched", &facts) || !facts.st_size ? 'y' : 'n';
		_exit(0);
	}
	waitpid(child, NULL, 0);
	pthread_create(&thread, NULL, asks, NULL);
	pthread_join(thread, NULL);
	return seen ? 7 : 0;
}
