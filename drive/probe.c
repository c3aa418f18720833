/* drive/probe.c -- see probe.h.  What the programs wrote is checked as everything from outside is. */
#include "drive/probe.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/str.h"
#include "drive/environment.h"
#include "drive/program.h"
#include "wire/probe.h"

/* Texts that end with zero bytes, copied. */
static void take_texts(struct probed *out, const char *at, uint64_t bytes, probed_texts *to)
{
	for (uint64_t begin = 0, i = 0; i < bytes; i++)
		if (at[i] == 0) {
			char *text = arena_text(&out->memory, at + begin, i - begin);
			if (!str_starts(text, PROBE_ENV "="))
				vec_push(to, text);
			begin = i + 1;
		}
	vec_push(to, NULL);
}

/* The record at `at`: its length, or 0: it is not whole. */
static uint64_t record_bytes(const char *at, uint64_t left, struct probe_record *r)
{
	uint64_t bytes = sizeof *r;
	if (left < sizeof *r)
		return 0;
	memcpy(r, at, sizeof *r);
	for (int i = 0; i < PROBE_PARTS; i++) {
		if (r->bytes[i] > left - bytes)
			return 0;
		bytes += r->bytes[i];
	}
	return r->magic == PROBE_MAGIC ? bytes : 0;
}

static void take_first(struct probed *out, const char *at, const struct probe_record *r)
{
	const char *part[PROBE_PARTS];
	at += sizeof *r;
	for (int i = 0; i < PROBE_PARTS; i++) {
		part[i] = at;
		at += r->bytes[i];
	}
	out->exe = arena_text(&out->memory, part[PROBE_EXE], r->bytes[PROBE_EXE]);
	out->folder = arena_text(&out->memory, part[PROBE_FOLDER], r->bytes[PROBE_FOLDER]);
	out->input = arena_text(&out->memory, part[PROBE_STDIN], r->bytes[PROBE_STDIN]);
	take_texts(out, part[PROBE_ARGUMENTS], r->bytes[PROBE_ARGUMENTS], &out->argv);
	take_texts(out, part[PROBE_ENVIRONMENT], r->bytes[PROBE_ENVIRONMENT], &out->environment);
}

static int take(struct probed *out, int fd, struct err *why)
{
	struct probe_record r;
	off_t bytes = lseek(fd, 0, SEEK_END);
	if (bytes <= 0)
		return 0;
	const char *map = mmap(NULL, (size_t)bytes, PROT_READ, MAP_PRIVATE, fd, 0);
	if (map == MAP_FAILED)
		return err_set(why, "cannot read what was started: %s", str_error(errno));
	uint64_t left = (uint64_t)bytes, used = record_bytes(map, left, &r);
	if (used)
		take_first(out, map, &r);
	for (uint64_t at = used; used && (used = record_bytes(map + at, left - at, &r)); at += used)
		out->others++;
	munmap((void *)map, (size_t)bytes);
	return out->exe && out->argv.count > 1 ? 1 : 0;
}

static int wait_for(pid_t child)
{
	int status;
	pid_t got;
	while ((got = waitpid(child, &status, 0)) < 0 && errno == EINTR && !program_interrupted() && !program_forwarded())
		;
	if (got == child)
		return 0;
	kill(-child, SIGKILL);
	waitpid(child, &status, 0);
	return -1;
}

static int start(char *const *argv, int answers, int nowhere, struct err *why)
{
	char path[4096], where[64];
	struct program_signals signals;
	snprintf(where, sizeof where, "/proc/%d/fd/%d", (int)getpid(), answers);
	struct environment_setting more[] = { { PROBE_ENV, where }, { NULL, NULL } };
	if (program_find(argv[0], path, sizeof path, why) < 0)
		return -1;
	char **environment = environment_make(NULL, more);
	struct program_start how = { .path = path, .argv = argv, .environment = environment, .own_group = true, .apart = true, .output = nowhere };
	program_signals_take(&signals);
	pid_t child = program_start(&how, NULL, why);
	int result = child < 0 ? -1 : wait_for(child);
	if (child > 0 && result < 0) {
		err_set(why, "interrupted");
		why->code = 4;
	}
	program_signals_leave(&signals);
	environment_free(environment);
	return result;
}

int probe_run(char *const *argv, struct probed *out, struct err *why)
{
	int answers = memfd_create("raddle-probe", MFD_CLOEXEC), nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC), result = -1;
	memset(out, 0, sizeof *out);
	if (answers < 0 || nowhere < 0)
		err_set(why, "cannot ask what '%.200s' starts: %s", argv[0], str_error(errno));
	else
		result = start(argv, answers, nowhere, why);
	if (result == 0)
		result = take(out, answers, why);
	close(answers);
	close(nowhere);
	if (result <= 0)
		probed_release(out);
	return result;
}

void probed_release(struct probed *p)
{
	vec_release(&p->argv);
	vec_release(&p->environment);
	arena_release(&p->memory);
	memset(p, 0, sizeof *p);
}
