/* report/baseline.c -- see baseline.h. */
#include "report/baseline.h"

#include <inttypes.h>
#include <string.h>

#include "base/file.h"
#include "base/json_read.h"

#define FILE_MOST (1u << 30)

static void read_object(struct baseline *b, const struct json_value *line)
{
	const char *fingerprint = json_member_text(line, "fingerprint"), *status = json_member_text(line, "status");
	if (fingerprint && (!status || !strcmp(status, finding_status_word(FINDING_CONFIRMED)) ||
			    !strcmp(status, finding_status_word(FINDING_PREDICTED))))
		names_put(&b->known, fingerprint, strlen(fingerprint));
}

static int read_line(struct baseline *b, const char *name, uint64_t number, const char *at, size_t length, struct err *why)
{
	struct arena memory = { 0 };
	size_t where;
	const struct json_value *v = json_read(&memory, at, length, &where);
	int got = 0;
	if (v && v->type == JSON_OBJECT) {
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

int baseline_read(struct baseline *b, const char *path, struct err *why)
{
	char *bytes;
	size_t count;
	if (file_read(path, FILE_MOST, &bytes, &count, why) < 0)
		return -1;
	int got = baseline_parse(b, path, bytes, count, why);
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
	for (size_t i = 0; i < b->known.count; i++)
		gone += !met[i];
	mem_free(met);
	return gone;
}

void baseline_release(struct baseline *b)
{
	names_release(&b->known);
}
