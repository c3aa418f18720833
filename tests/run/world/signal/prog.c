/* Signals from outside: one ends a read, one is counted while a thread works, SIGPIPE and SIGCHLD come from the system. */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile sig_atomic_t users, pipes, children;
static volatile int stop;

static void handler(int number)
{
	if (number == SIGUSR1)
		users++;
	else if (number == SIGPIPE)
		pipes++;
	else
		children++;
}

/* The first thread goes on whenever it can: that this one has its turn says that the first waits in its read. */
static void *works(void *x)
{
	unsigned long n = 0;
	FILE *f = fopen("pid", "w");
	fprintf(f, "%d\n", getpid());
	fclose(f);
	rename("pid", "ready");
	while (!stop) {
		n++;
		usleep(100);
	}
	return n ? x : NULL;
}

int main(void)
{
	struct sigaction action = { .sa_handler = handler };
	pthread_t t;
	char line[64];
	int gone[2];
	sigaction(SIGUSR1, &action, NULL);
	sigaction(SIGPIPE, &action, NULL);
	sigaction(SIGCHLD, &action, NULL);
	pthread_create(&t, NULL, works, NULL);
	ssize_t n = read(0, line, sizeof line);
	printf("read %zd %s, users %d\n", n, n < 0 && errno == EINTR ? "interrupted" : "", (int)users);
	if (pipe(gone))
		return 1;
	close(gone[0]);
	n = write(gone[1], "x", 1);
	printf("write %zd %s, pipes %d\n", n, n < 0 && errno == EPIPE ? "refused" : "", (int)pipes);
	if (!fork())
		_exit(0);
	while (!children)
		usleep(1000);
	printf("children %d, waited %d\n", (int)children, wait(NULL) > 0);
	stop = 1;
	pthread_join(t, NULL);
	return 0;
}
