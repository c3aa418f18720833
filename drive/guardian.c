/* drive/guardian.c -- see guardian.h.
 *   (1) the guardian learns of the front's end from a pipe that only the front can write to, of the worker's end as its parent;
 *   (2) a process does not see that it was stopped: the guardian looks every now and then whether front or worker is, and stops the other. */
#include "drive/guardian.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/pg.h"
#include "drive/offspring.h"

#define LOOK_MS    20
#define TURNS      12                   /* of offspring_end(), when the front was killed */
#define MOST_FILES 1024                 /* looked at, where the kernel cannot close all at once */
#define BEGIN_NAPS 1000                 /* for the worker to begin */

/* All three see it. */
struct between { pid_t worker; uint32_t continued; int status; bool ended; };

static struct between *between;
static pid_t front;
static bool stopped_by_itself;          /* the worker: by the terminal, or by a signal of that kind */

static const int handed_on[] = { SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2, SIGALRM, SIGTSTP, SIGCONT };

pid_t guardian_front(void)
{
	return front ? front : getpid();
}

void guardian_stop(void)
{
	if (front)
		kill(front, SIGSTOP);
	kill(getpid(), SIGSTOP);
}

/* ---------------------------------------------------------------- the guardian */

/* Nobody is to wait for the end of a pipe, or for a file system to be unmounted, because of us. */
static void hold_nothing(int alive)
{
	int last = alive < 3 ? fcntl(alive, F_DUPFD_CLOEXEC, 3) : alive;
	int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
	for (int fd = 0; fd < 3; fd++)
		if (nothing < 0 || dup2(nothing, fd) < 0)
			close(fd);
	if (last != 3 && dup2(last, 3) < 0)
		_exit(1);
	if (syscall(SYS_close_range, 4, ~0u, 0) < 0)
		for (int fd = 4; fd < MOST_FILES; fd++)
			close(fd);
	if (chdir("/") < 0)
		_exit(1);
}

static bool is_stopped(pid_t pid)
{
	char state = offspring_state(pid);
	return state == 'T' || state == 't';
}

/* What stops the one stops the other.  The front hands SIGCONT on after it has counted it: one that comes while we stop the worker is seen. */
static void stop_together(pid_t worker)
{
	uint32_t seen = __atomic_load_n(&between->continued, __ATOMIC_ACQUIRE);
	bool here = is_stopped(front), there = is_stopped(worker);
	if (here && !there) {
		kill(worker, SIGSTOP);
		if (__atomic_load_n(&between->continued, __ATOMIC_ACQUIRE) != seen)
			kill(worker, SIGCONT);
	} else if (there && !here && stopped_by_itself) {
		kill(front, SIGSTOP);
	}
	stopped_by_itself = false;
}

static bool has_ended(pid_t worker)
{
	int status;
	pid_t pid;
	while ((pid = waitpid(-1, &status, WNOHANG | WUNTRACED)) > 0) {
		if (pid == worker && WIFSTOPPED(status))
			stopped_by_itself = WSTOPSIG(status) != SIGSTOP;
		else if (pid == worker) {
			between->status = status;
			between->ended = true;
		}
	}
	return between->ended;
}

static void on_child(int number)
{
	(void)number;                   /* its only work is to end a nap */
}

/* Until front or worker has ended.  true: the front is gone. */
static bool watch(pid_t worker)
{
	struct pollfd alive = { .fd = 3, .events = POLLIN };
	struct timespec time = { .tv_nsec = LOOK_MS * 1000000 };
	struct sigaction a = { .sa_handler = on_child };
	sigset_t all;
	sigaction(SIGCHLD, &a, NULL);
	sigfillset(&all);
	sigdelset(&all, SIGCHLD);
	while (!has_ended(worker)) {
		if (ppoll(&alive, 1, &time, &all) > 0)
			return true;
		stop_together(worker);
	}
	return false;
}

static _Noreturn void guard(pid_t worker, int alive)
{
	struct offspring all = { 0 };
	prctl(PR_SET_NAME, "raddle-guardian");
	hold_nothing(alive);
	int turns = watch(worker) ? TURNS : 1;
	while (turns-- && (offspring_end(&all, NULL, NULL), waitpid(-1, NULL, WNOHANG) != -1 || errno != ECHILD))
		;
	_exit(0);
}

/* ---------------------------------------------------------------- the front */

/* As it ended; a second image of memory is of no use. */
static _Noreturn void end_alike(int status)
{
	if (WIFEXITED(status))
		_exit(WEXITSTATUS(status));
	int number = WTERMSIG(status);
	sigset_t one;
	setrlimit(RLIMIT_CORE, &(struct rlimit){ 0 });
	sigaction(number, &(struct sigaction){ .sa_handler = SIG_DFL }, NULL);
	sigemptyset(&one);
	sigaddset(&one, number);
	raise(number);
	sigprocmask(SIG_UNBLOCK, &one, NULL);
	_exit(128 + number);
}

static bool worker_began(void)
{
	for (int i = 0; i < BEGIN_NAPS && !__atomic_load_n(&between->worker, __ATOMIC_ACQUIRE); i++)
		nanosleep(&(struct timespec){ .tv_nsec = 1000000 }, NULL);
	return between->worker;
}

/* What the terminal sends, it sends to the whole group.  Where the worker is stopped, the guardian stops us. */
static void hand_on(const siginfo_t *info)
{
	int number = info->si_signo;
	if (number == SIGCONT)
		__atomic_fetch_add(&between->continued, 1, __ATOMIC_SEQ_CST);
	if (worker_began() && !between->ended && (info->si_code != SI_KERNEL || number == SIGCONT))
		kill(between->worker, number);
}

/* Returns when the guardian could not begin. */
static void stand_in_front(pid_t guardian, const struct offspring *before, const sigset_t *ours)
{
	int status, number;
	siginfo_t info;
	do {
		number = sigwaitinfo(ours, &info);
		if (number > 0 && number != SIGCHLD)
			hand_on(&info);
	} while (number != SIGCHLD || waitpid(guardian, &status, WNOHANG) != guardian);
	if (WIFEXITED(status) && !between->worker)
		return;
	if (!WIFEXITED(status))
		offspring_end(before, NULL, NULL);
	end_alike(between->ended ? between->status : SIGKILL);
}

/* ---------------------------------------------------------------- the beginning */

static void signals_of_front(sigset_t *ours)
{
	sigemptyset(ours);
	sigaddset(ours, SIGCHLD);
	for (size_t i = 0; i < sizeof handed_on / sizeof *handed_on; i++)
		sigaddset(ours, handed_on[i]);
}

/* They wait, also those that were ignored from the start, as a shell has it for what runs in its background: the worker may listen to them. */
static void take_signals(const sigset_t *ours)
{
	struct sigaction usual = { .sa_handler = SIG_DFL };
	sigset_t held = *ours;
	sigaddset(&held, SIGPIPE);
	for (size_t i = 0; i < sizeof handed_on / sizeof *handed_on; i++)
		sigaction(handed_on[i], &usual, NULL);
	sigprocmask(SIG_SETMASK, &held, NULL);
}

static void hide_passwords(char **words)
{
	for (; *words; words++)
		if (strstr(*words, "://") && worker_began())
			pg_hide(*words);
}

static void go_on_as_worker(pid_t guardian, pid_t group, const sigset_t *before)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != guardian || setpgid(0, group) < 0)
		_exit(1);
	__atomic_store_n(&between->worker, getpid(), __ATOMIC_RELEASE);
	sigprocmask(SIG_SETMASK, before, NULL);
}

/* Returns in the worker. */
static void become_guardian(const int alive[2], pid_t group, const sigset_t *before, char **words)
{
	pid_t guardian = getpid();
	close(alive[1]);
	setpgid(0, 0);
	prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
	pid_t worker = fork();
	if (worker < 0)
		_exit(1);
	if (worker) {
		hide_passwords(words);
		guard(worker, alive[0]);
	}
	close(alive[0]);
	go_on_as_worker(guardian, group, before);
}

void guardian_begin(char **words)
{
	struct offspring children;
	struct sigaction usual = { .sa_handler = SIG_DFL };
	sigset_t all, before, ours;
	int alive[2];
	pid_t group = getpgrp();
	between = mmap(NULL, sizeof *between, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (between == MAP_FAILED || pipe2(alive, O_CLOEXEC) < 0)
		return;
	front = getpid();
	offspring_begin(&children);
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, &before);
	sigaction(SIGCHLD, &usual, NULL);
	signals_of_front(&ours);
	pid_t guardian = fork();
	if (guardian == 0) {
		offspring_release(&children);
		become_guardian(alive, group, &before, words);
		return;
	}
	close(alive[0]);
	if (guardian > 0) {
		hide_passwords(words);
		take_signals(&ours);
		stand_in_front(guardian, &children, &ours);
	}
	close(alive[1]);
	front = 0;
	offspring_release(&children);
	sigprocmask(SIG_SETMASK, &before, NULL);
}
