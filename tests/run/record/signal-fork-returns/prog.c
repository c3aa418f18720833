/* A handler forks and returns, in both processes, into code that was in the middle of something: neither disturbs the other. */
#include "../check.h"
#include <signal.h>
#include <sys/time.h>
#include <sys/wait.h>

#define CHILDREN 4
#define ROUNDS   5000

static volatile long cells[64], rounds;
static volatile int is_child, forks;
static pid_t children[CHILDREN];

static void divides(int number)
{
	(void)number;
	if (is_child || forks >= CHILDREN)
		return;
	pid_t child = fork();
	if (child)
		children[forks++] = child;
	else
		is_child = 1;
}

static void one_round(void)
{
	for (int i = 0; i < 64; i++)
		cells[i] = rounds * 64 + i;
	rounds++;
}

int main(void)
{
	struct itimerval often = { { 0, 3000 }, { 0, 3000 } };
	int status;
	signal(SIGALRM, divides);
	IS(setitimer(ITIMER_REAL, &often, NULL), 0);
	while (!is_child && forks < CHILDREN)
		one_round();
	for (int i = 0; i < ROUNDS; i++)
		one_round();
	if (is_child)
		_exit(7);
	for (int i = 0; i < CHILDREN; i++) {
		pid_t got;
		while ((got = waitpid(children[i], &status, 0)) < 0 && errno == EINTR)
			;
		CHECK(got == children[i] && WIFEXITED(status) && WEXITSTATUS(status) == 7);
	}
	return done();
}
