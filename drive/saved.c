/* drive/saved.c -- see saved.h. */
#include "drive/saved.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "drive/environment.h"
#include "drive/input.h"
#include "drive/object.h"
#include "drive/program.h"
#include "wire/input.h"

#define LIVELOCK 10u                    /* times the events of the run the schedule is of: what goes on longer will not end */

/* ---------------------------------------------------------------- writing */

int saved_write(struct steer_result *r, const struct steer_options *o, const char *path, struct err *why)
{
	char input[4096];
	steer_complete(r, o);
	if (!r->input_lost) {
		const char *name = input_name(path, input, sizeof input);
		r->log.input = schedule_text(&r->log, name, strlen(name));
		if (input_save(o->input_fd, input, &r->log.input_hash, why) < 0) {
			unlink(input);
			return -1;
		}
	}
	int result = schedule_write(&r->log, path, why);
	if (result < 0)
		unlink(path);
	if (result < 0 && !r->input_lost)
		unlink(input);
	return result;
}

int saved_without_input(struct steer_result *r, const char *path, struct err *why)
{
	char input[4096];
	input_name(path, input, sizeof input);
	unlink(input);
	r->input_lost = true;
	r->log.input = "";
	return schedule_write(&r->log, path, why);
}

void saved_remove(const char *path)
{
	char input[4096];
	input_name(path, input, sizeof input);
	unlink(path);
	unlink(input);
}

/* ---- names of what was found ---- */

static char reserved[4096];             /* an empty file of ours, until it is written */
static pid_t reserved_by;

static void give_back(void)
{
	struct stat facts;
	if (*reserved && reserved_by == getpid() && lstat(reserved, &facts) == 0 && S_ISREG(facts.st_mode) && !facts.st_size)
		unlink(reserved);
	*reserved = 0;
}

/* Nobody else, another raddle in the same folder neither, gets this name.  False: it is taken. */
static bool reserve(const char *path, const char *input)
{
	static bool at_exit;
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, FILE_OURS);
	if (fd < 0)
		return errno != EEXIST;         /* who writes it will say why it cannot be */
	close(fd);
	if (faccessat(AT_FDCWD, input, F_OK, AT_SYMLINK_NOFOLLOW) == 0) {
		unlink(path);
		return false;
	}
	snprintf(reserved, sizeof reserved, "%s", path);
	reserved_by = getpid();
	if (!at_exit)
		at_exit = atexit(give_back) == 0;
	return true;
}

void saved_next_name(const char *folder, const char *word, char *into, size_t room)
{
	static char last[512];          /* what was asked for last, and the number that came of it: those before it were there */
	static unsigned first;
	char input[4096], asked[512];
	give_back();
	snprintf(asked, sizeof asked, "%.250s%.250s", folder, word);
	if (strcmp(asked, last))
		first = 1;
	memcpy(last, asked, sizeof last);
	for (unsigned i = first; i; i++) {
		snprintf(into, room, "%s%s-%u.sched", folder, word, i);
		input_name(into, input, sizeof input);
		first = i;
		if (reserve(into, input))
			return;
	}
}

/* ---------------------------------------------------------------- which program */

static int other_arguments(const struct schedule *s, const char *file, char *const *argv, struct err *why)
{
	size_t i = 1, lines = s->argument_lines.count;
	while (argv[i] && i < s->arguments.count && strcmp(argv[i], s->arguments.at[i]) == 0)
		i++;
	if (s->arguments.count == 0 || (!argv[i] && i >= s->arguments.count))
		return 0;
	err_set(why, "schedule '%.200s' line %u: it is for other arguments than these", file, lines ? s->argument_lines.at[i < lines ? i : lines - 1] : 0);
	err_hint(why, "'raddle replay %.200s' alone takes program and arguments from the schedule", file);
	why->code = 3;
	return -1;
}

/* The schedule's own program, if it is still the one it was made with. */
static int own_program(struct saved *out, const char *file, bool any_build, struct err *why)
{
	const struct schedule *s = &out->schedule;
	char id[OBJECT_BUILD_ID];
	if (!*s->program || s->arguments.count == 0) {
		err_set(why, "schedule '%.200s' names no program", file);
		err_hint(why, "name it: raddle replay %.150s -- <program> [<arguments>]", file);
		why->code = 3;
		return -1;
	}
	object_build_id(s->program, id);
	if (!any_build && (!*id || strcmp(id, s->build_id) != 0)) {
		err_set(why, "'%.200s' is not the program schedule '%.200s' was made with%s", s->program, file,
			*id ? ": its build id is another" : "");
		err_hint(why, "name the program to run it all the same: raddle replay %.100s -- <program> [<arguments>]", file);
		why->code = 3;
		return -1;
	}
	for (size_t i = 0; i < s->arguments.count; i++)
		vec_push(&out->argv, (char *)s->arguments.at[i]);
	vec_push(&out->argv, NULL);
	return 0;
}

/* Run under the name it had, if that still leads to it: the kernel puts the name on the program's stack. */
static const char *file_to_run(const struct schedule *s)
{
	char path[4096];
	struct err ignored;
	char *whole = program_find(s->arguments.at[0], path, sizeof path, &ignored) < 0 ? NULL : realpath(path, NULL);
	bool same = whole && strcmp(whole, s->program) == 0;
	free(whole);
	return same ? NULL : s->program;
}

/* ---------------------------------------------------------------- reading */

static uint64_t most_steps(const struct schedule *s)
{
	return s->max_steps || s->events > UINT64_MAX / LIVELOCK ? s->max_steps : s->events * LIVELOCK;
}

static int load_input(const struct saved *out, const char *file, struct err *why)
{
	char input[4096];
	input_beside(file, out->schedule.input, input, sizeof input);
	return input_load(input, out->schedule.input_hash, why);
}

/* What came into the recorded run: served again, or read only for the variables it asked for. */
static int open_input(struct saved *out, const char *file, bool served, struct err *why)
{
	struct err ignored;
	int fd = load_input(out, file, served ? why : &ignored);
	if (fd < 0)
		return served ? -1 : 0;
	environment_asked(&out->schedule, fd);
	if (!served) {
		close(fd);
		return 0;
	}
	out->options.input = INPUT_SERVE;
	out->options.input_fd = fd;
	return 0;
}

int saved_open(struct saved *out, const char *file, const struct saved_how *how, struct err *why)
{
	struct schedule *s = &out->schedule;
	memset(out, 0, sizeof *out);
	int result = schedule_read(s, file, why);
	if (result == 0)
		result = how->argv ? other_arguments(s, file, how->argv, why) : own_program(out, file, how->any_build, why);
	if (result == 0)
		out->options = (struct steer_options){ .argv = how->argv ? how->argv : out->argv.at, .path = how->argv ? NULL : file_to_run(s),
			.heap = s->heap, .time = s->time, .model = s->model, .switching = s->switching, .max_steps = most_steps(s), .bound = s->bound, .schedule = s,
			.random_addresses = !s->fixed_addresses };
	if (result == 0 && *s->input)
		result = open_input(out, file, !how->no_input, why);
	if (result < 0)
		saved_close(out);
	return result;
}

void saved_close(struct saved *s)
{
	if (s->options.input == INPUT_SERVE)
		close(s->options.input_fd);
	schedule_release(&s->schedule);
	vec_release(&s->argv);
	memset(s, 0, sizeof *s);
}
