/* drive/program.c -- see program.h. */
#include "drive/program.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <xxhash.h>

#include "base/file.h"
#include "base/str.h"
#include "base/vec.h"
#include "drive/object.h"
#include "drive/shield.h"
#include "wire/sites.h"

static volatile sig_atomic_t interrupted, forwarded;
static volatile pid_t receiver;
static bool terminal_given, terminal_shared;

/* ---------------------------------------------------------------- before anything happens */

int program_find(const char *name, char *path, size_t room, struct err *why)
{
	const char *search = getenv("PATH");
	struct stat facts;
	if (strchr(name, '/')) {
		snprintf(path, room, "%s", name);
		if (stat(path, &facts) == 0 && S_ISREG(facts.st_mode) && access(path, X_OK) == 0)
			return 0;
		err_set(why, "cannot run '%s': %s", name, stat(path, &facts) < 0 ? str_error(errno) :
			S_ISDIR(facts.st_mode) ? "it is a directory" : "it is not executable");
		why->code = 2;
		return -1;
	}
	for (const char *at = search ? search : "/usr/bin:/bin"; *at;) {
		size_t length = strcspn(at, ":");
		snprintf(path, room, "%.*s/%s", (int)(length ? length : 1), length ? at : ".", name);
		if (stat(path, &facts) == 0 && S_ISREG(facts.st_mode) && access(path, X_OK) == 0)
			return 0;
		at += length + (at[length] == ':');
	}
	err_set(why, "cannot find program '%s'", name);
	err_hint(why, "give its path, for example ./%.200s", name);
	why->code = 2;
	return -1;
}

int program_hash(const char *path, char into[PROGRAM_HASH], struct err *why)
{
	static char block[1 << 16];
	int fd = file_open_read(path, why);
	XXH3_state_t *state = XXH3_createState();
	ssize_t got = fd < 0 ? -1 : 0;
	check(state);
	XXH3_128bits_reset(state);
	while (fd >= 0 && (got = read(fd, block, sizeof block)) > 0)
		XXH3_128bits_update(state, block, (size_t)got);
	int failed = errno;
	XXH128_hash_t h = XXH3_128bits_digest(state);
	XXH3_freeState(state);
	if (fd >= 0)
		close(fd);
	if (got < 0) {
		err_set(why, "cannot read '%s': %s", path, str_error(failed));
		why->code = 2;
		return -1;
	}
	snprintf(into, PROGRAM_HASH, "%016llx%016llx", (unsigned long long)h.high64, (unsigned long long)h.low64);
	return 0;
}

static int runtime_gone(const char *path, const char *runtime, struct err *why)
{
	err_set(why, "'%s' was built with raddle, but its runtime '%s' is not there", path, runtime);
	err_hint(why, "build it again, or put the folder of libraddle-rt.so into LD_LIBRARY_PATH");
	why->code = 3;
	return -1;
}

int program_check(const char *path, struct err *why)
{
	char runtime[4096];
	int kind = object_build(path, why);
	if (kind < 0) {
		why->code = 2;
		return -1;
	}
	if (kind == OBJECT_PLAIN || kind == OBJECT_OTHER_RADDLE) {
		err_set(why, kind == OBJECT_PLAIN ? "'%s' was not built with raddle" : "'%s' was built by another version of raddle", path);
		err_hint(why, "build it again with CC=raddle-cc (CXX=raddle-c++)");
		why->code = 3;
		return -1;
	}
	return object_runtime_gone(path, runtime, sizeof runtime) ? runtime_gone(path, runtime, why) : 0;
}

int program_check_starter(const char *path, bool *plain, struct err *why)
{
	*plain = object_build(path, why) == OBJECT_PLAIN;
	return *plain ? 0 : program_check(path, why);
}

int program_none_started(const char *name, const char *path, struct err *why)
{
	struct err ignored;
	err_set(why, object_build(path, &ignored) == OBJECT_PLAIN ? "'%.200s' was not built with raddle, and started no program that was" :
		"'%.200s' started no program built with raddle", name);
	err_hint(why, "build the program, or the one it starts, with CC=raddle-cc (CXX=raddle-c++); one built so that does not run alone lacks its runtime");
	why->code = 3;
	return -1;
}

int program_check_full(const char *path, struct err *why)
{
	void *bytes;
	size_t count;
	uint64_t address;
	bool full = false;
	struct sites_unit head;
	if (access(path, R_OK) < 0) {
		err_set(why, "cannot open '%s': %s", path, strerror(errno));
		why->code = 3;
		return -1;
	}
	if (object_sites(path, &bytes, &count, &address, why) == 0) {
		for (size_t at = 0; at + sizeof head <= count && !full; at += 8) {
			memcpy(&head, (const char *)bytes + at, sizeof head);
			full = head.magic == SITES_MAGIC && head.level == SITES_FULL;
		}
		mem_free(bytes);
	}
	if (full)
		return 0;
	int kind = object_build(path, why);
	err_set(why, "'%s' was not built at level full", path);
	err_hint(why, kind == OBJECT_PLAIN || kind == OBJECT_NOT_ELF ? "name the program itself, built with 'raddle cc --raddle=full', not what starts it" :
		"build it again with 'raddle cc --raddle=full'");
	why->code = 3;
	return -1;
}

int program_check_output(const char *output, struct err *why)
{
	int got = file_writable(output, why);
	if (got < 0)
		why->code = 2;
	return got;
}

/* ---------------------------------------------------------------- signals */

static const int numbers[] = { SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGCHLD };
#define NUMBERS (sizeof numbers / sizeof *numbers)
#define FOR_US  4u                               /* of them; SIGCHLD is only to end a nap */

static void on_interrupt(int signal)
{
	(void)signal;
	interrupted++;
}

static void on_end(int signal)
{
	forwarded = signal;
	if (receiver > 0)
		kill(receiver, signal);
}

static void on_child(int signal)
{
	(void)signal;                            /* its only work is to end a nap */
}

void program_signals_take(struct program_signals *s)
{
	struct sigaction a = { .sa_handler = on_interrupt };
	s->interrupted = interrupted;
	s->forwarded = forwarded;
	s->receiver = receiver;
	interrupted = forwarded = 0;
	receiver = 0;
	for (size_t i = 0; i < NUMBERS; i++) {
		a.sa_handler = i < 2 ? on_interrupt : i < 4 ? on_end : on_child;
		sigaction(numbers[i], &a, &s->old[i]);
	}
}

void program_signals_block(sigset_t *before)
{
	sigset_t ours;
	sigemptyset(&ours);
	for (size_t i = 0; i < FOR_US; i++)
		sigaddset(&ours, numbers[i]);
	sigprocmask(SIG_BLOCK, &ours, before);
}

/* What came while it was being started is for it, too. */
void program_signals_for(pid_t child)
{
	receiver = child;
	if (child > 0 && forwarded)
		kill(child, forwarded);
}

static bool is_handled(const struct sigaction *a)
{
	return a->sa_handler != SIG_DFL && a->sa_handler != SIG_IGN;
}

/* What came goes on to whoever listened before: it may have come when nobody here looked any more. */
void program_signals_leave(struct program_signals *s)
{
	for (size_t i = 0; i < NUMBERS; i++)
		sigaction(numbers[i], &s->old[i], NULL);
	int came = interrupted, ends = forwarded;
	interrupted = s->interrupted;
	forwarded = s->forwarded;
	receiver = s->receiver;
	if (came && is_handled(&s->old[0]))
		raise(SIGINT);
	for (size_t i = 2; ends && i < 4; i++)
		if (numbers[i] == ends && is_handled(&s->old[i]))
			raise(ends);
}

bool program_interrupted(void)
{
	return interrupted != 0;
}

bool program_forwarded(void)
{
	return forwarded != 0;
}

/* ---------------------------------------------------------------- the child */

/* The terminal goes with the group that runs in its foreground; whoever asks from behind would be stopped. */
static void take_terminal(pid_t group)
{
	struct sigaction ignore = { .sa_handler = SIG_IGN }, old;
	sigaction(SIGTTOU, &ignore, &old);
	tcsetpgrp(0, group);
	sigaction(SIGTTOU, &old, NULL);
}

static bool size_was_fatal;

void program_size_is_an_error(void)
{
	struct sigaction ignore = { .sa_handler = SIG_IGN }, old;
	size_was_fatal = sigaction(SIGXFSZ, &ignore, &old) == 0 && old.sa_handler == SIG_DFL;
}

static void become(const struct program_start *how, bool terminal, int report)
{
	struct sigaction a = { .sa_handler = SIG_DFL };
	for (size_t i = 0; i < NUMBERS; i++)
		sigaction(numbers[i], &a, NULL);
	if (size_was_fatal)
		sigaction(SIGXFSZ, &a, NULL);
	if (how->own_group && setpgid(0, 0) == 0 && terminal)
		take_terminal(getpid());
	bool ready = shield_enter() == 0;
	if (how->bound)
		prctl(PR_SET_PDEATHSIG, SIGKILL);       /* a change of namespace would have taken it back */
	if (how->apart && how->output > 0)
		dup2(how->output, 2);
	if (ready && (how->output <= 0 || dup2(how->output, 1) == 1) && (how->input <= 0 || dup2(how->input, 0) == 0))
		execve(how->path, how->argv, how->environment);
	int error = errno;
	if (write(report, &error, sizeof error) < 0)
		_exit(126);
	_exit(127);
}

/* The child inherits it; ours is put back. */
static pid_t fork_fixed(bool wanted, bool *fixed)
{
	int old = wanted ? personality(0xffffffff) : -1;
	*fixed = old != -1 && personality((unsigned)old | ADDR_NO_RANDOMIZE) != -1;
	pid_t pid = fork();
	if (pid && *fixed)
		personality((unsigned)old);
	return pid;
}

pid_t program_start(const struct program_start *how, bool *fixed, struct err *why)
{
	int report[2], error;
	bool known, terminal = how->own_group && !how->apart && tcgetpgrp(0) == getpgrp();
	if (pipe2(report, O_CLOEXEC) < 0)
		return err_set(why, "cannot make a pipe: %s", str_error(errno));
	pid_t pid = fork_fixed(how->fixed_addresses, fixed ? fixed : &known);
	if (pid < 0) {
		close(report[0]);
		close(report[1]);
		return err_set(why, "cannot start a process: %s", str_error(errno));
	}
	if (pid == 0)
		become(how, terminal, report[1]);
	if (how->own_group)
		setpgid(pid, pid);               /* both do it: neither may be late */
	close(report[1]);
	ssize_t got;
	while ((got = read(report[0], &error, sizeof error)) < 0 && errno == EINTR)
		;
	close(report[0]);
	terminal_given = terminal_shared = terminal;
	if (got != sizeof error)
		return pid;
	waitpid(pid, NULL, 0);
	program_terminal_back();
	err_set(why, "cannot run '%s': %s", how->path, str_error(error));
	why->code = 2;
	return -1;
}

void program_terminal_back(void)
{
	if (terminal_given)
		take_terminal(getpgrp());
	terminal_given = false;
}

void program_terminal_again(pid_t child)
{
	if (terminal_shared)
		take_terminal(child);
	terminal_given = terminal_shared;
}

bool program_has_terminal(void)
{
	return terminal_given;
}

int program_exit_code(int status)
{
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
