/* cli/debug.c -- see debug.h.
 *
 *   raddle replay --gdb --> gdb --> /bin/sh -c exec --> raddle start-under-gdb <fd> --> the program
 *
 * gdb would give the program its own idea of argv[0], of the file's name and of the environment, all of which a program can see: one that does
 * something with its name (as GoogleTest does) would leave its schedule.  So gdb starts raddle, which becomes the program with exactly what a replay
 * without gdb gives it.  That stands in a memory file the two inherit: "<arguments> <variables>\n", then the file to run and each of those, ended
 * by a zero byte. */
#include "cli/debug.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/str.h"
#include "base/vec.h"
#include "cli/beside.h"
#include "drive/environment.h"
#include "drive/program.h"
#include "wire/ring.h"

#define START_FD 200                    /* or above: descriptors of the program have the numbers they have without gdb */

typedef VEC(char *) words;

/* ---------------------------------------------------------------- where to stop */

/* The number of an event among those of all threads; 0: the schedule does not come to it. */
static uint64_t event_number(const struct schedule *s, uint32_t thread, uint64_t nth)
{
	uint64_t number = 0, *done = mem_take((s->threads.count + 1) * sizeof *done), found = 0;
	for (size_t i = 0; !found && i < s->steps.count; i++) {
		const struct schedule_step *step = &s->steps.at[i];
		number += step->what == STEP_FLUSH;
		if (step->what != STEP_RUN)
			continue;
		if (step->thread == thread && nth <= step->nth)
			found = number + (nth - done[thread]);
		number += step->nth - done[step->thread];
		done[step->thread] = step->nth;
	}
	mem_free(done);
	return found;
}

int debug_stop_at(const struct schedule *s, const char *file, const char *text, uint64_t *out, struct err *why)
{
	uint64_t step, nth;
	const char *colon = strchr(text, ':');
	char path[PATH_BYTES];
	*out = UINT64_MAX;
	if (!*text && s->stop_nth) {
		uint64_t event = event_number(s, s->stop_thread, s->stop_nth);
		*out = event ? event : UINT64_MAX;
	}
	if (!*text)
		return 0;
	if (!colon && str_number(text, &step) && step >= 1 && step <= s->steps.count) {
		const struct schedule_step *x = &s->steps.at[step - 1];
		*out = event_number(s, x->thread, x->nth);
	} else if (colon && (size_t)(colon - text) < sizeof path && str_number(colon + 1, &nth) && nth > 0) {
		snprintf(path, sizeof path, "%.*s", (int)(colon - text), text);
		uint32_t thread = schedule_thread(s, path);
		*out = thread == NO_PART ? 0 : event_number(s, thread, nth);
	} else {
		*out = 0;
	}
	if (*out)
		return 0;
	err_set(why, "'--gdb=%.100s' is no step of schedule '%.200s'", text, file);
	err_hint(why, "steps are 1 to %zu; an event of a thread is written T_0_1:57", s->steps.count);
	why->code = 2;
	return -1;
}

static void say_stop(const struct schedule *s, const char *text, uint64_t event)
{
	uint64_t step;
	if (event == UINT64_MAX || !*text)
		return;
	fprintf(stderr, "raddle: gdb stops before event %" PRIu64 " of the run: ", event);
	if (str_number(text, &step))
		schedule_print_step(s, &s->steps.at[step - 1], stderr);
	else
		fputs(text, stderr);
	putc('\n', stderr);
}

/* ---------------------------------------------------------------- what the program is started with */

static void add_all(struct buffer *b, char *const *strings)
{
	for (; *strings; strings++)
		buffer_add(b, *strings, strlen(*strings) + 1);
}

static size_t count_of(char *const *strings)
{
	size_t count = 0;
	while (strings[count])
		count++;
	return count;
}

/* A memory file that gdb and what it starts inherit; or -1 and why. */
static int start_file(const struct schedule *s, const struct steer_options *o, struct err *why)
{
	char path[4096];
	struct buffer text = { 0 };
	if (program_find(o->path ? o->path : o->argv[0], path, sizeof path, why) < 0)
		return -1;
	char **environment = environment_make(s, NULL);
	buffer_print(&text, "%zu %zu\n%s", count_of(o->argv), count_of(environment), path);
	buffer_add(&text, "", 1);
	add_all(&text, o->argv);
	add_all(&text, environment);
	environment_free(environment);
	int low = memfd_create("raddle-start", MFD_CLOEXEC), fd = low < 0 ? -1 : fcntl(low, F_DUPFD, START_FD);
	bool whole = fd >= 0 && write(fd, text.at, text.count) == (ssize_t)text.count;
	if (!whole)
		err_set(why, "cannot make memory to start the program with: %s", str_error(errno));
	if (low >= 0)
		close(low);
	buffer_release(&text);
	return whole ? fd : -1;
}

/* The next string in there, NULL: there is none. */
static char *next_string(char **at, char *end)
{
	char *text = *at, *zero = memchr(text, 0, (size_t)(end - text));
	*at = zero ? zero + 1 : end;
	return zero ? text : NULL;
}

/* It is gdb's own environment that has the numbers of the memories. */
static char *handed_over(const char *name)
{
	char *text = NULL;
	const char *value = getenv(name);
	return value && asprintf(&text, "%s=%s", name, value) > 0 ? text : NULL;
}

int debug_start(char *const *given)
{
	uint64_t fd;
	unsigned arguments, variables;
	struct stat facts;
	if (!given[0] || !str_number(given[0], &fd) || fstat((int)fd, &facts) < 0)
		return 2;
	char *text = mem_take((size_t)facts.st_size + 1), *end = text + facts.st_size, *at;
	if (pread((int)fd, text, (size_t)facts.st_size, 0) != facts.st_size || sscanf(text, "%u %u", &arguments, &variables) != 2)
		return 2;
	at = strchr(text, '\n');
	if (!at)
		return 2;
	at++;
	words argv = { 0 }, environment = { 0 };
	const char *path = next_string(&at, end);
	for (unsigned i = 0; i < arguments; i++)
		vec_push(&argv, next_string(&at, end));
	vec_push(&argv, NULL);
	for (unsigned i = 0; i < variables; i++)
		vec_push(&environment, next_string(&at, end));
	vec_push(&environment, handed_over(RING_ENV));
	vec_push(&environment, handed_over(STEER_ENV));
	vec_push(&environment, NULL);
	close((int)fd);
	execve(path, argv.at, environment.at);
	return 127;
}

/* ---------------------------------------------------------------- gdb */

static void gdb_commands(words *to, char *const *commands, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		vec_push(to, "-ex");
		vec_push(to, commands[i]);
	}
}

static void made_command(words *made, const char *format, const char *text)
{
	char *command;
	if (asprintf(&command, format, text) > 0)
		vec_push(made, command);
}

/* What depends on this replay; each to be freed. */
static void own_commands(const struct schedule *s, const char *text, const struct steer_options *o, int fd, words *made)
{
	char self[4096], quoted[4 * sizeof self + 4], wrapper[sizeof quoted + 64], script[4096], number[64];
	ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
	self[n > 0 ? n : 0] = 0;
	snprintf(wrapper, sizeof wrapper, "%s " DEBUG_START " %d", str_shell(quoted, sizeof quoted, self), fd);
	made_command(made, "set exec-wrapper %s", wrapper);
	made_command(made, "set disable-randomization %s", o->random_addresses ? "off" : "on");
	snprintf(number, sizeof number, "%d", s->outcome == OUTCOME_EXIT && (s->value || !s->stop_nth) ? s->value & 255 : -1);
	made_command(made, "set $raddle_exit = %s", number);
	snprintf(number, sizeof number, "%" PRIu64, o->stop_at != UINT64_MAX && !*text ? s->stop_output : 0);
	made_command(made, "set $raddle_output = %s", number);
	if (find_beside(script, sizeof script, "raddle-gdb.py") == 0) {
		made_command(made, "source %s", script);
		made_command(made, "%s", "raddle-run");
	} else {
		made_command(made, "%s", "handle SIGSYS nostop noprint pass");
		made_command(made, "%s", "run");
	}
}

int debug_replay(const struct schedule *s, const char *text, struct steer_options *steer, struct err *why)
{
	static char *const first[] = { "set confirm off", "set startup-with-shell on", "set print thread-events off" };
	struct steer_result result;
	words list = { 0 }, made = { 0 };
	int fd = start_file(s, steer, why), got = -1;
	setenv("SHELL", "/bin/sh", 1);                  /* the one that has to understand `exec` as gdb writes it */
	own_commands(s, text, steer, fd, &made);
	vec_push(&list, "gdb");
	vec_push(&list, "-q");
	gdb_commands(&list, first, sizeof first / sizeof *first);
	gdb_commands(&list, made.at, made.count);
	vec_push(&list, "--args");
	vec_push(&list, NULL);
	steer->debugger = list.at;
	steer->switching = SWITCH_BATON;
	say_stop(s, text, steer->stop_at);
	if (fd >= 0)
		got = steer_run(steer, &result, why);
	for (size_t i = 0; i < made.count; i++)
		free(made.at[i]);
	vec_release(&made);
	vec_release(&list);
	if (got < 0) {
		why->code = why->code ? why->code : 125;
		return -1;
	}
	int code = program_exit_code(result.status);
	steer_result_release(&result);
	return code;
}
