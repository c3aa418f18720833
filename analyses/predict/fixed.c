/* analyses/predict/fixed.c -- see fixed.h.  The comment is the schedule's second line:
 *     # shows race 1f09a3c2... in pay audit of balance
 * Functions and object make two findings *near* when the fingerprints differ: the same object, or the same functions. */
#include "analyses/predict/fixed.h"

#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/file.h"
#include "drive/schedule.h"

#define MARK      "# shows "
#define FILE_MOST (64u << 20)

static int by_name(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* The functions of its places, each once, in the order of the alphabet. */
static void functions_of(const struct finding *f, char *into, size_t room)
{
	const char *names[16];
	size_t count = 0, at = 0;
	for (size_t i = 0; i < f->places.count && count < 16; i++)
		names[count++] = f->places.at[i].at.function;
	qsort(names, count, sizeof *names, by_name);
	*into = 0;
	for (size_t i = 0; i < count; i++)
		if ((!i || strcmp(names[i], names[i - 1])) && at < room)
			at += (size_t)snprintf(into + at, room - at, "%s%s", at ? " " : "", *names[i] ? names[i] : "?");
}

/* One line, whatever the names are. */
static void plain(char *text)
{
	for (; *text; text++)
		if ((unsigned char)*text < 32)
			*text = '?';
}

static int write_whole(const char *path, const struct buffer *text)
{
	char beside[4096 + 16];
	struct err ignored;
	int fd = file_create_beside(path, FILE_OURS, beside, sizeof beside, &ignored);
	FILE *to = fd < 0 ? NULL : fdopen(fd, "w");
	if (!to)
		return -1;
	size_t wrote = fwrite(text->at, 1, text->count, to);
	if (fclose(to) != 0 || wrote != text->count || rename(beside, path) != 0) {
		remove(beside);
		return -1;
	}
	return 0;
}

void fixed_mark(const char *path, const struct finding *f)
{
	struct err ignored;
	char functions[FIXED_TEXT], object[FIXED_TEXT], *bytes;
	size_t count;
	struct buffer text = { 0 };
	functions_of(f, functions, sizeof functions);
	snprintf(object, sizeof object, "%s", f->object.name);
	plain(functions);
	plain(object);
	if (file_read(path, FILE_MOST, &bytes, &count, &ignored) < 0)
		return;
	const char *end = memchr(bytes, '\n', count);
	size_t head = end ? (size_t)(end - bytes) + 1 : count;
	buffer_add(&text, bytes, head);
	buffer_print(&text, MARK "%s %s in %s of %s\n", finding_kind_word(f->kind), f->fingerprint, functions, object);
	buffer_add(&text, bytes + head, count - head);
	write_whole(path, &text);               /* where it cannot be, the schedule is as good without it */
	mem_free(bytes);
	buffer_release(&text);
}

static bool is_kind(const char *word)
{
	for (int k = 0; k < FINDING_KIND_COUNT; k++)
		if (!strcmp(word, finding_kind_word((enum finding_kind)k)))
			return true;
	return false;
}

/* "race 1f09 in pay audit of balance" */
static bool parse_mark(struct fixed *out, char *line)
{
	char *in = strstr(line, " in "), *of = in ? strstr(in + 4, " of ") : NULL;
	if (!of || sscanf(line, "%31s %31s", out->kind, out->fingerprint) != 2 || !is_kind(out->kind))
		return false;
	plain(line);
	*of = 0;
	snprintf(out->functions, sizeof out->functions, "%s", in + 4);
	snprintf(out->object, sizeof out->object, "%s", of + 4);
	return true;
}

int fixed_read(struct fixed *out, const char *path, struct err *why)
{
	char *bytes;
	size_t count;
	bool found = false;
	struct schedule whole;
	*out = (struct fixed){ 0 };
	if (file_read(path, FILE_MOST, &bytes, &count, why) < 0)
		return -1;
	for (char *line = bytes, *end; line && *line && !found; line = end ? end + 1 : NULL) {
		end = strchr(line, '\n');
		if (end)
			*end = 0;
		if (!strncmp(line, MARK, strlen(MARK)))
			found = parse_mark(out, line + strlen(MARK));
	}
	mem_free(bytes);
	if (found) {                            /* and is one that can be replayed, not the beginning of one */
		int got = schedule_read(&whole, path, why);
		schedule_release(&whole);
		return got;
	}
	err_set(why, "schedule '%.200s' does not say which bug it shows", path);
	err_hint(why, "'raddle predict' writes schedules that do; for others there is 'raddle replay --rebuilt'");
	why->code = 3;
	return -1;
}

static bool is_near(const struct fixed *f, const struct finding *x)
{
	char functions[FIXED_TEXT];
	functions_of(x, functions, sizeof functions);
	return (*f->object && !strcmp(f->object, x->object.name)) || !strcmp(f->functions, functions);
}

/* Is something like it possible as far as is known, though no run showed it? */
static uint32_t left_open(const struct fixed *f, const struct predict *p)
{
	uint32_t count = 0;
	bool stands_alone = !strcmp(f->kind, finding_kind_word(FINDING_RACE)) || !strcmp(f->kind, finding_kind_word(FINDING_DEADLOCK)) ||
		!strcmp(f->kind, finding_kind_word(FINDING_WEAK_MEMORY));
	bool between = !strcmp(f->kind, finding_kind_word(FINDING_ATOMICITY));
	for (size_t i = 0; i < p->found.all.count; i++) {
		const struct finding *x = p->found.all.at[i];
		bool open = x->status == FINDING_NOT_REPRODUCED || x->status == FINDING_SPECULATIVE || x->status == FINDING_PREDICTED;
		count += open && (!strcmp(x->fingerprint, f->fingerprint) || is_near(f, x));
	}
	for (size_t i = 0; i < p->left.count && !stands_alone; i++)
		count += (p->left.at[i].between || !between) && !strcmp(p->left.at[i].object, f->object);
	return count;
}

/* A function it is in that did nothing in any recording: length of its name, which *name is then; 0: all did.  There may be spaces in a name. */
static size_t not_run(const struct fixed *f, const struct predict *p, const char **name)
{
	for (const char *at = f->functions; *at; at += *at == ' ') {
		size_t first = strcspn(at, " "), length = strlen(at);
		while (length > first && names_get(&p->functions, at, length) == NO_NAME)
			while (at[--length] != ' ')
				continue;
		*name = at;
		if (names_get(&p->functions, at, length) == NO_NAME && strncmp(at, "?", length) != 0)
			return length;
		at += length;
	}
	return 0;
}

int fixed_tell(const struct fixed *f, const struct predict *p, FILE *to)
{
	uint32_t same = 0, near = 0, alike = 0, open = left_open(f, p);
	const char *name = "";
	size_t idle = not_run(f, p, &name);
	for (size_t i = 0; i < p->found.all.count; i++) {
		const struct finding *x = p->found.all.at[i];
		if (x->status != FINDING_CONFIRMED)
			continue;
		if (!strcmp(x->fingerprint, f->fingerprint))
			same++;
		else if (is_near(f, x))
			near++;
		else
			alike += !strcmp(finding_kind_word(x->kind), f->kind);
	}
	if (same)
		fprintf(to, "still there: the %s of '%s' in %s\n", f->kind, f->object, f->functions);
	else if (near)
		fprintf(to, "not fixed: the %s of '%s' in %s is gone, %u near it %s not\n", f->kind, f->object, f->functions, near, near == 1 ? "is" : "are");
	else if (p->stopped || p->broken || p->unlooked)
		fprintf(to, "cannot tell: not all was looked at\n");
	else if (open)
		fprintf(to, "cannot tell: the %s of '%s' in %s does not show, but no rule forbids %u order%s like it\n", f->kind, f->object, f->functions, open,
			open == 1 ? "" : "s");
	else if (alike)
		fprintf(to, "cannot tell: the %s of '%s' in %s does not show, but %u other%s there: %s may be the same under other names\n", f->kind, f->object, f->functions,
			alike, alike == 1 ? " is" : "s are", alike == 1 ? "it" : "one of them");
	else if (idle)
		fprintf(to, "cannot tell: '%.*s' of the %s of '%s' was seen to do nothing: is it the same program, given the same work?\n", (int)idle, name, f->kind, f->object);
	else
		fprintf(to, "gone: the %s of '%s' in %s is in no order of what this run did, nor is one near it\n", f->kind, f->object, f->functions);
	return same || near ? 1 : p->stopped || p->broken || p->unlooked || open || alike || idle ? 4 : 0;
}
