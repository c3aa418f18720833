/* report/baseline.c -- see baseline.h. */
#include "report/baseline.h"

#include <inttypes.h>
#include <string.h>

#include "base/file.h"
#include "base/json_read.h"
#include "base/str.h"

#define FILE_MOST (1u << 30)

/* ---- what near ones have in common: whatever a line of JSON says of a finding but lines and threads ---- */

static uint64_t mix(uint64_t h, const char *text)
{
	for (; *text; text++)
		h = (h ^ (uint8_t)*text) * 0x100000001b3u;
	return (h ^ 0xff) * 0x100000001b3u;
}

/* A name without digits: lines, addresses and offsets are among them. */
static uint64_t mix_name(uint64_t h, const char *name)
{
	char letter[2] = "";
	for (; *name; name++) {
		letter[0] = *name;
		h = *name >= '0' && *name <= '9' ? h : mix(h, letter);
	}
	return h;
}

/* Places may come in any order. */
static uint64_t near_place(const char *file, const char *function, const char *access)
{
	uint64_t h = mix(mix(mix(1, finding_file_name(file)), function), access) * 0x9e3779b97f4a7c15u;
	return h ^ h >> 29;
}

static uint64_t near_of(const char *kind, const char *object, uint64_t places)
{
	return mix_name(mix(places, kind), object);
}

static uint64_t near_of_finding(const struct finding *f)
{
	uint64_t places = 0;
	for (size_t i = 0; i < f->places.count; i++)
		places += near_place(f->places.at[i].at.file, f->places.at[i].at.function, finding_access_word(f->places.at[i].access));
	return near_of(finding_kind_word(f->kind), f->object.name, places);
}

static const char *text_of(const struct json_value *object, const char *key)
{
	const char *text = json_member_text(object, key);
	return text ? text : "";
}

static uint64_t near_of_line(const struct json_value *line)
{
	const struct json_value *all = json_member(line, "places");
	uint64_t places = 0;
	for (const struct json_value *p = all && all->type == JSON_ARRAY ? all->first : NULL; p; p = p->next)
		places += near_place(text_of(p, "file"), text_of(p, "function"), text_of(p, "access"));
	return near_of(text_of(line, "kind"), text_of(line, "object"), places);
}

/* Is one of those not met so far near to it?  Then it is met. */
static bool stands_for(const struct baseline *b, bool *met, const struct finding *f)
{
	bool bug = f->status == FINDING_CONFIRMED || f->status == FINDING_PREDICTED;
	uint64_t near = near_of_finding(f);
	for (size_t i = 0; i < b->near.count && bug && !f->known; i++)
		if (!met[i] && b->near.at[i] == near) {
			met[i] = true;
			return true;
		}
	return false;
}

/* ---- lines ---- */

static void read_object(struct baseline *b, const struct json_value *line)
{
	const char *fingerprint = json_member_text(line, "fingerprint"), *status = json_member_text(line, "status");
	bool bug = !status || !strcmp(status, finding_status_word(FINDING_CONFIRMED)) || !strcmp(status, finding_status_word(FINDING_PREDICTED));
	if (fingerprint && bug && names_put(&b->known, fingerprint, strlen(fingerprint)) == b->near.count)
		vec_push(&b->near, near_of_line(line));
}

static int read_line(struct baseline *b, const char *name, uint64_t number, const char *at, size_t length, struct err *why)
{
	struct arena memory = { 0 };
	size_t where;
	const struct json_value *v = json_read(&memory, at, length, &where);
	int got = 0;
	if (v && v->type == JSON_OBJECT) {
		const char *command = json_member_text(json_member(v, "summary"), "command");
		if (command)
			str_escape(b->command, sizeof b->command, command);
		read_object(b, v);
	} else {
		got = err_set(why, "baseline '%s' line %" PRIu64 ": not a JSON object (at byte %zu of it)", name, number, v ? 1 : where + 1);
		err_hint(why, "a baseline is what the same command printed with --json");
		why->code = 3;
	}
	arena_release(&memory);
	return got;
}

int baseline_parse(struct baseline *b, const char *name, const char *bytes, size_t count, struct err *why)
{
	const char *end = bytes + count;
	for (uint64_t number = 1; bytes < end; number++) {
		const char *stop = memchr(bytes, '\n', (size_t)(end - bytes));
		size_t length = (size_t)((stop ? stop : end) - bytes);
		if (length && read_line(b, name, number, bytes, length, why) < 0)
			return -1;
		bytes = stop ? stop + 1 : end;
	}
	return 0;
}

/* That of another command has other fingerprints, or none: nothing in it would be known. */
static int is_of(const struct baseline *b, const char *path, const char *command, struct err *why)
{
	if (!strcmp(b->command, command))
		return 0;
	if (*b->command)
		err_set(why, "baseline '%.200s' was printed by 'raddle %s', not by 'raddle %s'", path, b->command, command);
	else
		err_set(why, "baseline '%.200s' has no summary: it is not what a command of raddle printed, or not all of it", path);
	err_hint(why, "a baseline is what the same command printed with --json");
	why->code = 3;
	return -1;
}

int baseline_read(struct baseline *b, const char *path, const char *command, struct err *why)
{
	char *bytes;
	size_t count;
	if (file_read(path, FILE_MOST, &bytes, &count, why) < 0)
		return -1;
	int got = baseline_parse(b, path, bytes, count, why);
	if (got == 0)
		got = is_of(b, path, command, why);
	mem_free(bytes);
	return got;
}

uint64_t baseline_apply(const struct baseline *b, struct findings *l)
{
	bool *met = mem_take(b->known.count + 1);
	uint64_t gone = 0;
	for (size_t i = 0; i < l->all.count; i++) {
		struct finding *f = l->all.at[i];
		uint32_t id = b->known.count ? names_get(&b->known, f->fingerprint, strlen(f->fingerprint)) : NO_NAME;
		f->known = id != NO_NAME;
		if (f->known)
			met[id] = true;
	}
	for (size_t i = 0; i < l->all.count; i++)
		l->all.at[i]->known |= stands_for(b, met, l->all.at[i]);
	for (size_t i = 0; i < b->known.count; i++)
		gone += !met[i];
	mem_free(met);
	return gone;
}

void baseline_release(struct baseline *b)
{
	names_release(&b->known);
	vec_release(&b->near);
}
