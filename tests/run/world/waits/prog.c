/* Children that end by themselves, by a signal, that make children, are stopped, are other programs: every way to wait for them says what it
 * says natively, while another thread of the parent goes on. */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int counter, status;
static pid_t child;

static void *count(void *unused)
{
	for (int i = 0; i < 5; i++) {
		pthread_mutex_lock(&lock);
		counter++;
		pthread_mutex_unlock(&lock);
	}
	return unused;
}

static pid_t ends_with(int code)
{
	pid_t made = fork();
	if (made == 0)
		_exit(code);
	return made;
}

static int exited(int code)
{
	return WIFEXITED(status) && WEXITSTATUS(status) == code;
}

static int died_of(int number)
{
	return WIFSIGNALED(status) && WTERMSIG(status) == number;
}

static void by_themselves(void)
{
	struct rusage usage;
	siginfo_t info;
	child = ends_with(0);
	assert(wait(NULL) == child);
	child = ends_with(3);
	assert(wait(&status) == child && exited(3));
	child = ends_with(4);
	assert(waitpid(child, NULL, 0) == child);
	assert(waitpid(-1, NULL, 0) == -1 && errno == ECHILD);
	child = ends_with(5);
	assert(waitpid(0, &status, 0) == child && exited(5));
	child = ends_with(5);
	assert(wait3(&status, 0, &usage) == child && exited(5));
	child = ends_with(6);
	assert(wait4(child, &status, 0, &usage) == child && exited(6));
	child = ends_with(7);
	assert(waitid(P_PID, (id_t)child, &info, WEXITED) == 0 && info.si_pid == child && info.si_status == 7);
	child = ends_with(7);
	assert(waitid(P_ALL, 0, &info, WEXITED | WNOWAIT) == 0 && waitpid(child, &status, 0) == child && exited(7));
}

static void by_signals(void)
{
	if ((child = fork()) == 0)
		for (;;)
			kill(getpid(), SIGKILL);
	assert(waitpid(child, &status, 0) == child && died_of(SIGKILL));
	if ((child = fork()) == 0)
		abort();
	assert(waitpid(-1, &status, 0) == child && died_of(SIGABRT));
	if ((child = fork()) == 0) {
		raise(SIGSTOP);
		_exit(1);
	}
	assert(waitpid(child, &status, WUNTRACED) == child && WIFSTOPPED(status));
	kill(child, SIGCONT);
	assert(waitpid(child, &status, 0) == child && exited(1));
}

static void children_of_children(void)
{
	int inner;
	if ((child = fork()) == 0) {
		pid_t own = ends_with(9);
		_exit(waitpid(own, &inner, 0) == own ? WEXITSTATUS(inner) + 1 : 100);
	}
	assert(waitpid(child, &status, 0) == child && exited(10));
}

static void other_programs(void)
{
	char *argv[] = { "sh", "-c", "exit 11", NULL }, line[64] = "";
	assert(posix_spawn(&child, "/bin/sh", NULL, NULL, argv, environ) == 0);
	assert(waitpid(child, &status, 0) == child && exited(11));
	assert(posix_spawnp(&child, "sh", NULL, NULL, argv, environ) == 0);
	assert(wait(&status) == child && exited(11));
	status = system("exit 12");
	assert(exited(12));
	FILE *from = popen("echo said; exit 13", "r");
	assert(from && fgets(line, sizeof line, from) && !strcmp(line, "said\n"));
	status = pclose(from);
	assert(exited(13));
	if ((child = vfork()) == 0)
		_exit(14);
	assert(waitpid(child, &status, 0) == child && exited(14));
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, count, NULL);
	by_themselves();
	by_signals();
	children_of_children();
	other_programs();
	pthread_join(thread, NULL);
	assert(counter == 5);
	return 0;
}
