/* The race is there only if another process says so in memory the two share, which it does until a schedule of the race
 * is there: it is seen in runs, and in no replay. */
#include <pthread.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile char *told;
static int x;

static void *asks(void *unused)
{
	if (*told == 'y')
		x++;
	return unused;
}

int main(void)
{
	pthread_t one, two;
	told = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	pid_t child = fork();
	if (child == 0) {
		struct stat facts;              /* an empty one only keeps its name */
		*told = stat("race-1.sched", &facts) || !facts.st_size ? 'y' : 'n';
		_exit(0);
	}
	waitpid(child, NULL, 0);
	pthread_create(&one, NULL, asks, NULL);
	pthread_create(&two, NULL, asks, NULL);
	pthread_join(one, NULL);
	pthread_join(two, NULL);
	return 0;
}
