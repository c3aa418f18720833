/* The end of a child is heard of without waiting for it: asked for again and again, by sigwait, by a handler, in a sleep. */
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static volatile sig_atomic_t ended;

static void on_child(int number)
{
	(void)number;
	while (waitpid(-1, NULL, WNOHANG) > 0)
		ended++;
}

static void *idle(void *unused)
{
	sleep(1);
	return unused;
}

static pid_t ends_soon(void)
{
	pid_t child = fork();
	if (child == 0) {
		usleep(5000);
		_exit(3);
	}
	return child;
}

static void asked_again_and_again(void)
{
	int status, found, times = 0;
	pid_t child = ends_soon();
	while ((found = waitpid(child, &status, WNOHANG)) == 0 && times++ < 5000)       /* natively some 5 times */
		usleep(1000);
	assert(found == child && WEXITSTATUS(status) == 3);
}

static void waited_for_by_signal(const sigset_t *set)
{
	struct timespec most = { 100, 0 };
	int number;
	pid_t child = ends_soon();
	assert(!sigwait(set, &number) && number == SIGCHLD && waitpid(child, NULL, WNOHANG) == child);
	child = ends_soon();
	assert(sigtimedwait(set, NULL, &most) == SIGCHLD && wait(NULL) == child);
}

static void handled(const sigset_t *set)
{
	sigset_t before;
	signal(SIGCHLD, on_child);
	sigemptyset(&before);
	ends_soon();
	while (ended < 1)
		sigsuspend(&before);
	pthread_sigmask(SIG_UNBLOCK, set, NULL);
	ends_soon();
	for (int i = 0; i < 5000 && ended < 2; i++)
		usleep(1000);
	assert(ended == 2);
}

int main(void)
{
	sigset_t set;
	pthread_t thread;
	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	asked_again_and_again();
	pthread_sigmask(SIG_BLOCK, &set, NULL);
	pthread_create(&thread, NULL, idle, NULL);
	waited_for_by_signal(&set);
	handled(&set);
	pthread_join(thread, NULL);
	return 0;
}
