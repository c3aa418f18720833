/* drive/surroundings.c -- see surroundings.h. */
#include "drive/surroundings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <xxhash.h>

#include "base/vec.h"
#include "drive/program.h"

#define RUNTIME "libraddle-rt.so"

/* Read by libc or the loader in every process, without a call the program makes. */
static const char *const always[] = { "GLIBC_TUNABLES", "MALLOC_ARENA_MAX", "MALLOC_PERTURB_", "MALLOC_TCACHE_COUNT" };

void surroundings_objects(struct surroundings *s, const struct places *p)
{
	const char *path;
	for (size_t i = 1; (path = places_object_path(p, i)); i++)      /* the first is the program itself */
		names_put(&s->objects, path, strlen(path));
}

bool surroundings_asked(struct surroundings *s, const char *payload, size_t length)
{
	static const char word[] = "getenv ";
	size_t from = sizeof word - 1, end = from;
	if (length <= from || memcmp(payload, word, from) != 0)
		return false;
	while (end < length && payload[end] && payload[end] != '=')
		end++;
	names_put(&s->variables, payload + from, end - from);
	return true;
}

static bool is_runtime(const char *path)
{
	const char *slash = strrchr(path, '/');
	return strcmp(slash ? slash + 1 : path, RUNTIME) == 0;
}

static bool is_file(const char *path)
{
	struct stat facts;
	return *path == '/' && stat(path, &facts) == 0 && S_ISREG(facts.st_mode);
}

static void hash_value(const char *value, char into[PROGRAM_HASH])
{
	XXH128_hash_t h = XXH3_128bits(value ? value : "", value ? strlen(value) : 0);
	if (value)
		snprintf(into, PROGRAM_HASH, "%016llx%016llx", (unsigned long long)h.high64, (unsigned long long)h.low64);
	else
		snprintf(into, PROGRAM_HASH, "-");
}

static int by_text(const void *a, const void *b) { return strcmp(*(const char *const *)a, *(const char *const *)b); }

typedef VEC(const char *) texts;

static void sorted(const struct names *n, texts *out)
{
	for (uint32_t i = 0; i < n->count; i++)
		vec_push(out, names_text(n, i));
	if (out->count)
		qsort(out->at, out->count, sizeof *out->at, by_text);
}

void surroundings_print(const struct surroundings *s, bool runtime, struct buffer *out)
{
	texts objects = { 0 }, variables = { 0 };
	struct names asked = { 0 };
	char hash[PROGRAM_HASH];
	struct err why;
	sorted(&s->objects, &objects);
	for (size_t i = 0; i < objects.count; i++)
		if (is_file(objects.at[i]) && (runtime || !is_runtime(objects.at[i])) && program_hash(objects.at[i], hash, &why) == 0)
			buffer_print(out, "object %s %s\n", hash, objects.at[i]);
	for (uint32_t i = 0; i < s->variables.count; i++)
		names_put(&asked, names_text(&s->variables, i), strlen(names_text(&s->variables, i)));
	for (size_t i = 0; i < sizeof always / sizeof *always; i++)
		names_put(&asked, always[i], strlen(always[i]));
	sorted(&asked, &variables);
	for (size_t i = 0; i < variables.count; i++) {
		hash_value(getenv(variables.at[i]), hash);
		buffer_print(out, "variable %s %s\n", hash, variables.at[i]);
	}
	buffer_add(out, "", 1);
	out->count--;
	names_release(&asked);
	vec_release(&objects);
	vec_release(&variables);
}

void surroundings_release(struct surroundings *s)
{
	names_release(&s->objects);
	names_release(&s->variables);
}

void surroundings_add(struct surroundings *s, const char *lines)
{
	for (const char *at = lines; *at;) {
		size_t end = strcspn(at, "\n"), hash = strcspn(at, " ") + 1, name = hash < end ? hash + strcspn(at + hash, " ") + 1 : end;
		if (name < end)
			names_put(*at == 'o' ? &s->objects : &s->variables, at + name, end - name);
		at += end + (at[end] == '\n');
	}
}

/* ---------------------------------------------------------------- held against what is there now */

bool surroundings_hold(const char *line, char *what, size_t room)
{
	char kind[16], hash[PROGRAM_HASH], now[PROGRAM_HASH] = "";
	int at = 0;
	struct err why;
	if (sscanf(line, "%15s %32s %n", kind, hash, &at) != 2 || !at || !line[at]) {
		snprintf(what, room, "a line that cannot be read");
		return false;
	}
	bool object = strcmp(kind, "object") == 0;
	if (object && (!is_file(line + at) || program_hash(line + at, now, &why) < 0))
		*now = 0;
	if (!object)
		hash_value(getenv(line + at), now);
	if (strcmp(now, hash) == 0)
		return true;
	snprintf(what, room, object ? "another build of '%.300s'" : "another value of the environment variable '%.300s'", line + at);
	return false;
}

bool surroundings_has(const char *lines, const char *path)
{
	size_t length = strlen(path);
	if (!is_file(path) || is_runtime(path))
		return true;
	for (const char *at = lines; *at;) {
		size_t end = strcspn(at, "\n");
		if (strncmp(at, "object ", 7) == 0 && end > length && memcmp(at + end - length, path, length) == 0 && at[end - length - 1] == ' ')
			return true;
		at += end + (at[end] == '\n');
	}
	return false;
}

bool surroundings_same(const char *lines, const struct surroundings *now, char *what, size_t room)
{
	char line[8192];
	for (const char *at = lines; *at;) {
		size_t end = strcspn(at, "\n");
		snprintf(line, sizeof line, "%.*s", (int)end, at);
		if (!surroundings_hold(line, what, room))
			return false;
		at += end + (at[end] == '\n');
	}
	for (uint32_t i = 0; i < now->objects.count; i++)
		if (!surroundings_has(lines, names_text(&now->objects, i))) {
			snprintf(what, room, "runs that did not load '%.300s'", names_text(&now->objects, i));
			return false;
		}
	return true;
}
