/* drive/schedule.c -- a schedule in memory.  Its text: schedule_parse.c (with schedule_words.c, schedule_head.c) and schedule_print.c. */
#include "drive/schedule.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"

const char *const policy_words[] = { "first", "random", "pct", "pos", NULL };
const char *const switch_words[] = { "auto", "baton", "ghost", NULL };
const char *const heap_words[] = { "unique", "reuse", "libc", "apart", "apart-reuse", NULL };
const char *const time_words[] = { "virtual", "real", NULL };
const char *const model_words[] = { "sc", "tso", "pso", NULL };
const char *const outcome_words[] = { "none", "exit", "signal", "deadlock", "livelock", "left", "memory", "assume", "assert",
	"unsupported", NULL };

void schedule_init(struct schedule *s)
{
	*s = (struct schedule){ .program = "", .build_id = "", .text = "", .input = "" };
	schedule_thread_add(s, "T_0", "");
}

void schedule_release(struct schedule *s)
{
	vec_release(&s->arguments);
	vec_release(&s->argument_lines);
	vec_release(&s->environment);
	vec_release(&s->threads);
	vec_release(&s->modules);
	vec_release(&s->steps);
	vec_release(&s->waits);
	names_release(&s->strings);
	map_release(&s->by_path);
}

const char *schedule_text(struct schedule *s, const char *text, size_t length)
{
	return names_text(&s->strings, names_put(&s->strings, text, length));
}

bool schedule_is_path(const char *text)
{
	if (strncmp(text, "T_0", 3) != 0 || strlen(text) >= PATH_BYTES)
		return false;
	for (text += 3; *text;) {
		if (text[0] != '_' || !isdigit((unsigned char)text[1]) || (text[1] == '0' && isdigit((unsigned char)text[2])))
			return false;
		for (text++; isdigit((unsigned char)*text); text++)
			;
	}
	return true;
}

uint32_t schedule_thread(const struct schedule *s, const char *path)
{
	uint32_t string = names_get(&s->strings, path, strlen(path));
	const uint64_t *found = string == NO_NAME ? NULL : map_get(&s->by_path, string);
	return found ? (uint32_t)*found : NO_PART;
}

uint32_t schedule_thread_add(struct schedule *s, const char *path, const char *name)
{
	if (s->threads.count >= STEER_STRANDS)
		return NO_PART;
	struct schedule_thread t = { schedule_text(s, path, strlen(path)), schedule_text(s, name, strlen(name)) };
	*map_put(&s->by_path, names_get(&s->strings, path, strlen(path)), NULL) = s->threads.count;
	vec_push(&s->threads, t);
	return (uint32_t)s->threads.count - 1;
}

uint32_t schedule_module_add(struct schedule *s, const char *name, uint32_t index)
{
	struct schedule_module m = { schedule_text(s, name, strlen(name)), index };
	vec_push(&s->modules, m);
	return (uint32_t)s->modules.count - 1;
}

struct schedule_step *schedule_step_add(struct schedule *s, enum step_what what, uint32_t thread, uint64_t nth)
{
	struct schedule_step *step = vec_add(&s->steps);
	*step = (struct schedule_step){ .what = (uint8_t)what, .thread = thread, .nth = nth,
		.place = { .file = "", .function = "", .module = NO_PART } };
	return step;
}

char *policy_print(char *into, uint32_t policy, uint64_t seed, uint32_t depth)
{
	if (policy == STEER_RANDOM)
		snprintf(into, SCHEDULE_POLICY_ROOM, "random:%" PRIu64, seed);
	else if (policy == STEER_POS)
		snprintf(into, SCHEDULE_POLICY_ROOM, "pos:%" PRIu64, seed);
	else if (policy == STEER_PCT)
		snprintf(into, SCHEDULE_POLICY_ROOM, "pct:%" PRIu64 ",%" PRIu32, seed, depth);
	else
		snprintf(into, SCHEDULE_POLICY_ROOM, "first");
	return into;
}

bool policy_parse(const char *text, uint32_t *policy, uint64_t *seed, uint32_t *depth)
{
	char number[32];
	uint64_t deep = 3;
	*seed = 0;
	*depth = 0;
	if (strcmp(text, "first") == 0) {
		*policy = STEER_FIRST;
		return true;
	}
	if (str_starts(text, "random:")) {
		*policy = STEER_RANDOM;
		return str_number(text + 7, seed);
	}
	if (str_starts(text, "pos:")) {
		*policy = STEER_POS;
		return str_number(text + 4, seed);
	}
	if (!str_starts(text, "pct:"))
		return false;
	const char *comma = strchr(text, ',');
	snprintf(number, sizeof number, "%.*s", (int)(comma ? comma - text - 4 : 31), text + 4);
	if (!str_number(number, seed) || (comma && (!str_number(comma + 1, &deep) || deep < 1 || deep > 64)))
		return false;
	*policy = STEER_PCT;
	*depth = (uint32_t)deep;
	return true;
}
