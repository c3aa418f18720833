/* certify/parse.c -- the text of a certificate.  Lines of words with one space between them; numbers without signs.  What the lines say together
 * is link.c's. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "certify/certificate.h"
#include "drive/schedule.h"

#define MOST_SPOTS   (1u << 28)
#define MOST_MEMORY  (1u << 20)         /* shared bytes */
#define MOST_CHOICES 256u

const char *const act_words[ACT_COUNT] = {
	"unknown", "back", "read", "write", "update", "fence", "lock", "unlock", "wait", "wake", "signal", "broadcast", "down", "up", "arrive", "leave",
	"once", "once-done", "init", "choose", "refused", "alloc", "free", "create", "join", "result", "end", "exit"
};

struct reading { struct certificate *c; const char *at, *end; uint32_t line; struct err *why; };

static int bad(struct reading *r, const char *what)
{
	return err_set(r->why, "certificate '%s' is damaged: line %u: %s", r->c->name, r->line, what);
}

/* ---------------------------------------------------------------- words of a line */

/* The next word of the line, which ends behind it; false: there is none. */
static bool word(struct reading *r, const char **out, size_t *length)
{
	const char *from = r->at;
	while (r->at < r->end && *r->at != ' ' && *r->at != '\n')
		r->at++;
	*out = from;
	*length = (size_t)(r->at - from);
	if (r->at < r->end && *r->at == ' ')
		r->at++;
	return *length > 0;
}

static bool is_word(const char *at, size_t length, const char *text) { return length == strlen(text) && !memcmp(at, text, length); }

static bool digits(const char *at, size_t length, unsigned base, uint64_t most, uint64_t *out)
{
	*out = 0;
	for (size_t i = 0; i < length; i++) {
		char c = at[i];
		unsigned digit = c >= '0' && c <= '9' ? (unsigned)(c - '0') : c >= 'a' && c <= 'f' ? (unsigned)(c - 'a') + 10 : 99;
		if (digit >= base || *out > (UINT64_MAX - digit) / base)
			return false;
		*out = *out * base + digit;
	}
	return length && *out <= most;
}

static bool number(struct reading *r, unsigned base, uint64_t most, uint64_t *out)
{
	const char *at;
	size_t length;
	return word(r, &at, &length) && digits(at, length, base, most, out);
}

/* A place or "-". */
static bool place(struct reading *r, uint64_t most, uint32_t *out)
{
	const char *at;
	size_t length;
	uint64_t n;
	*out = NOWHERE;
	if (!word(r, &at, &length))
		return false;
	if (is_word(at, length, "-"))
		return true;
	if (!most || !digits(at, length, 10, most - 1, &n))
		return false;
	*out = (uint32_t)n;
	return true;
}

static bool is_line_over(struct reading *r)
{
	if (r->at == r->end || *r->at != '\n' || r->at[-1] == ' ')
		return false;
	r->at++;
	r->line++;
	return true;
}

/* The rest of the line, with \xNN taken back; NULL: there are others. */
static char *rest(struct reading *r)
{
	struct buffer b = { 0 };
	while (r->at < r->end && *r->at != '\n') {
		uint64_t byte = (uint8_t)*r->at;
		if (byte == '\\' && (r->end - r->at < 4 || r->at[1] != 'x' || !digits(r->at + 2, 2, 16, 255, &byte) || !byte)) {
			buffer_release(&b);
			return NULL;
		}
		r->at += *r->at == '\\' ? 4 : 1;
		buffer_add(&b, &(uint8_t){ (uint8_t)byte }, 1);
	}
	buffer_add(&b, "", 1);
	return (char *)b.at;
}

/* ---------------------------------------------------------------- its head */

/* The line is this word and one of these; its number, or UINT32_MAX. */
static uint32_t one_of(struct reading *r, const char *name, const char *const *list)
{
	const char *at;
	size_t length;
	if (!word(r, &at, &length) || !is_word(at, length, name) || !word(r, &at, &length))
		return UINT32_MAX;
	for (uint32_t i = 0; list[i]; i++)
		if (is_word(at, length, list[i]))
			return is_line_over(r) ? i : UINT32_MAX;
	return UINT32_MAX;
}

/* Is it the next word?  Then it is passed. */
static bool passes(struct reading *r, const char *name)
{
	struct reading before = *r;
	const char *at;
	size_t length;
	if (word(r, &at, &length) && is_word(at, length, name))
		return true;
	*r = before;
	return false;
}

static int head(struct reading *r)
{
	static const char first[] = "raddle certificate 2\n";
	struct certificate *c = r->c;
	const char *at;
	size_t length;
	if ((size_t)(r->end - r->at) < sizeof first - 1 || memcmp(r->at, first, sizeof first - 1))
		return err_set(r->why, "'%s' is no certificate of 'raddle check'", c->name);
	r->at += sizeof first - 1;
	r->line++;
	if (!passes(r, "program") || !word(r, &at, &length) || length >= sizeof c->program || !is_line_over(r))
		return bad(r, "which program it is of");
	memcpy(c->program, at, length);
	while (passes(r, "argument")) {
		char *text = rest(r);
		if (!text || !is_line_over(r)) {
			mem_free(text);
			return bad(r, "an argument");
		}
		vec_push(&c->arguments, text);
	}
	uint32_t model = one_of(r, "model", (const char *const[]){ "sc", "tso", "pso", NULL }), heap, verdict;
	if (model == UINT32_MAX || (heap = one_of(r, "heap", (const char *const[]){ "unique", "reuse", NULL })) == UINT32_MAX)
		return bad(r, "its memory model and heap");
	if (passes(r, "trust") && (!(c->trust = rest(r)) || !is_line_over(r)))
		return bad(r, "what is trusted");
	uint64_t around;
	if (!passes(r, "surroundings") || !number(r, 10, UINT64_MAX, &around) || !is_line_over(r))
		return bad(r, "what it was loaded with");
	for (; around && passes(r, "around"); around--) {
		char *text = rest(r);
		if (!text || !is_line_over(r)) {
			mem_free(text);
			return bad(r, "what it was loaded with");
		}
		buffer_print(&c->around, "%s\n", text);
		mem_free(text);
	}
	buffer_add(&c->around, "", 1);
	if (around)
		return bad(r, "what it was loaded with");
	if ((verdict = one_of(r, "verdict", (const char *const[]){ "safe", "bug", NULL })) == UINT32_MAX || !passes(r, "races") ||
			!number(r, 10, UINT64_MAX, &c->races) || !is_line_over(r))
		return bad(r, "its verdict");
	c->model = model, c->reuse = heap == 1, c->is_bug = verdict == 1;
	return 0;
}

/* ---------------------------------------------------------------- threads and memory */

/* T_0 is the first, and there alone; each is listed once. */
static bool is_next_thread(const struct certificate *c, const char *path)
{
	bool first = !c->threads.count;
	for (size_t i = 0; i < c->threads.count; i++)
		if (!strcmp(c->threads.at[i], path))
			return false;
	return schedule_is_path(path) && first == !strcmp(path, "T_0");
}

static int threads(struct reading *r)
{
	while (passes(r, "thread")) {
		char *path = rest(r);
		if (!path || !is_line_over(r) || r->c->threads.count == MOST_THREADS || !is_next_thread(r->c, path)) {
			mem_free(path);
			return bad(r, "a thread");
		}
		vec_push(&r->c->threads, path);
	}
	return r->c->threads.count ? 0 : bad(r, "no threads");
}

static int memory(struct reading *r)
{
	uint64_t at, byte = 0;
	bool fresh;
	while (passes(r, "memory")) {
		const char *bytes;
		size_t length;
		if (!number(r, 16, UINT64_MAX, &at) || !word(r, &bytes, &length) || length % 2 || !is_line_over(r))
			return bad(r, "shared memory");
		for (size_t i = 0; i < length; i += 2) {
			bool known = memcmp(bytes + i, "--", 2) != 0;
			if (r->c->first.count == MOST_MEMORY || at + i / 2 < at || (known && !digits(bytes + i, 2, 16, 255, &byte)))
				return bad(r, "shared memory");
			*map_put(&r->c->cells, at + i / 2, &fresh) = r->c->first.count;
			if (!fresh)
				return bad(r, "a byte is listed twice");
			vec_push(&r->c->first, (uint16_t)(known ? byte : 256));
		}
	}
	return 0;
}

static int blocks(struct reading *r)
{
	while (passes(r, "block")) {
		struct block_said b = { .by = NOWHERE }, *last = r->c->blocks.count ? &r->c->blocks.at[r->c->blocks.count - 1] : NULL;
		if (!number(r, 16, UINT64_MAX, &b.at) || !number(r, 16, UINT64_MAX, &b.bytes) || !is_line_over(r) || !b.bytes || b.at + b.bytes < b.at ||
				(last && b.at < last->at + last->bytes))
			return bad(r, "a block");
		vec_push(&r->c->blocks, b);
	}
	return 0;
}

/* ---------------------------------------------------------------- places */

static bool flags(struct reading *r, struct spot *s)
{
	static const char letters[] = "pwrRStTf";
	bool *const all[] = { &s->plain, &s->waits, &s->release, &s->recursive, &s->reading, &s->tried, &s->timed, &s->failed };
	const char *at;
	size_t length;
	if (!word(r, &at, &length))
		return false;
	if (is_word(at, length, "-"))
		return true;
	for (size_t i = 0; i < length; i++) {
		const char *letter = memchr(letters, at[i], sizeof letters - 1);
		if (!letter || *all[letter - letters])
			return false;
		*all[letter - letters] = true;
	}
	return true;
}

static bool act_word(struct reading *r, uint8_t *act)
{
	const char *at;
	size_t length;
	if (!word(r, &at, &length))
		return false;
	for (*act = 0; *act < ACT_COUNT; ++*act)
		if (is_word(at, length, act_words[*act]))
			return true;
	return false;
}

static bool spot(struct reading *r, struct spot *s)
{
	const struct certificate *c = r->c;
	uint64_t thread, points, size, other;
	*s = (struct spot){ .child = NOWHERE, .sibling = NOWHERE, .cell = NOWHERE, .block = NOWHERE, .word = NOWHERE };
	if (!number(r, 10, c->threads.count - 1, &thread) || !place(r, c->spots.count, &s->parent) || !number(r, 16, UINT64_MAX, &s->told) ||
			!number(r, 16, UINT64_MAX, &s->written) || !number(r, 10, UINT32_MAX - 1, &points) || !act_word(r, &s->act) || !number(r, 10, 8, &size) ||
			!number(r, 16, UINT64_MAX, &s->object) || !number(r, 16, UINT64_MAX, &s->second) || !number(r, 16, UINT64_MAX, &s->value) ||
			!number(r, 10, UINT32_MAX - 1, &other) || !flags(r, s) || !is_line_over(r))
		return false;
	s->thread = (uint8_t)thread, s->points = (uint32_t)points, s->size = (uint8_t)size, s->other = (uint32_t)other;
	bool names_thread = s->act == ACT_CREATE || s->act == ACT_JOIN || s->act == ACT_RESULT, accesses = act_is_access(s->act);
	if ((size != 0) != accesses || (accesses && s->object + size < size) || (s->act == ACT_CHOOSE && s->value > MOST_CHOICES))
		return false;
	return (!names_thread || (other < c->threads.count && other)) && (s->act != ACT_INIT || s->value <= UINT32_MAX);
}

/* Does it lead on? */
static bool has_children(enum act act) { return act != ACT_UNKNOWN && act != ACT_BACK; }

static int tree(struct reading *r)
{
	struct certificate *c = r->c;
	struct spot s;
	memset(c->roots, 0xff, sizeof c->roots);
	while (passes(r, "node")) {
		uint32_t at = (uint32_t)c->spots.count;
		if (!spot(r, &s) || at == MOST_SPOTS)
			return bad(r, "a place of a thread");
		if (s.parent == NOWHERE) {
			if (c->roots[s.thread] != NOWHERE)
				return bad(r, "a thread begins twice");
			c->roots[s.thread] = at;
		} else {
			struct spot *up = &c->spots.at[s.parent];
			if (up->thread != s.thread || !has_children(up->act) || spot_child(c, s.parent, s.told) != NOWHERE)
				return bad(r, "a place that does not fit its parent");
			s.sibling = up->child;
			up->child = at;
		}
		vec_push(&c->spots, s);
	}
	for (size_t i = 0; i < c->threads.count; i++)
		if (c->roots[i] == NOWHERE)
			return bad(r, "a thread without a place");
	return 0;
}

/* ---------------------------------------------------------------- classes */

static bool step(struct reading *r, struct step_said *s)
{
	const char *at, *colon, *equals;
	size_t length;
	uint64_t thread, answer = 0;
	if (!word(r, &at, &length) || length < 4 || !memchr("racf", *at, 4) || !(colon = memchr(at, ':', length)))
		return false;
	equals = memchr(at, '=', length);
	const char *end = equals ? equals : at + length;
	bool says = *at == 'a' || *at == 'c';
	if (colon > end || says != (equals != NULL) || !digits(at + 1, (size_t)(colon - at) - 1, 10, r->c->threads.count - 1, &thread) ||
			!digits(colon + 1, (size_t)(end - colon) - 1, 10, (uint64_t)1 << 40, &s->nth) || !s->nth ||
			(equals && !digits(equals + 1, (size_t)(at + length - equals) - 1, 10, UINT32_MAX - 2, &answer)))
		return false;
	s->what = *at, s->thread = (uint8_t)thread, s->answer = (uint32_t)answer;
	return true;
}

static bool ends(struct reading *r)
{
	for (uint32_t i = 0; i < r->c->threads.count; i++) {
		uint32_t end;
		if (!place(r, r->c->spots.count, &end) || (end != NOWHERE && r->c->spots.at[end].thread != i))
			return false;
		vec_push(&r->c->ends, end);
	}
	return true;
}

/* Steps up to the end of the line; how many, or SIZE_MAX. */
static size_t steps(struct reading *r)
{
	size_t before = r->c->steps.count;
	while (r->at < r->end && *r->at != '\n') {
		struct step_said s;
		if (!step(r, &s))
			return SIZE_MAX;
		vec_push(&r->c->steps, s);
	}
	return is_line_over(r) ? r->c->steps.count - before : SIZE_MAX;
}

static int class(struct reading *r)
{
	struct class_said x = { .line = r->line, .ends = r->c->ends.count, .steps = r->c->steps.count };
	x.spins = passes(r, "spins");
	if ((!x.spins && !passes(r, "ends")) || !ends(r) || !passes(r, "by") || (x.step_count = steps(r)) == SIZE_MAX)
		return bad(r, "a class");
	vec_push(&r->c->classes, x);
	return 0;
}

static int loop(struct reading *r)
{
	struct loop_said x = { .line = r->line, .steps = r->c->steps.count };
	if (!place(r, r->c->spots.count, &x.spot) || x.spot == NOWHERE || r->c->spots.at[x.spot].act != ACT_BACK || !passes(r, "by") ||
			(x.step_count = steps(r)) == SIZE_MAX)
		return bad(r, "a loop");
	vec_push(&r->c->loops, x);
	return 0;
}

static int classes(struct reading *r)
{
	int got = 0;
	while (got == 0) {
		if (passes(r, "class"))
			got = class(r);
		else if (passes(r, "loop"))
			got = loop(r);
		else
			break;
	}
	return got;
}

int certificate_parse(struct certificate *c, const char *name, const char *text, size_t count, struct err *why)
{
	struct reading r = { c, text, text + count, 1, why };
	uint64_t said;
	memset(c, 0, sizeof *c);
	c->name = name;
	if (head(&r) < 0 || threads(&r) < 0 || memory(&r) < 0 || blocks(&r) < 0 || tree(&r) < 0 || classes(&r) < 0)
		return -1;
	if (!passes(&r, "end") || !number(&r, 10, UINT64_MAX, &said) || !passes(&r, "classes") || !is_line_over(&r) || r.at != r.end)
		return bad(&r, "it ends too early, or does not end here");
	if (said != c->classes.count || !said)
		return bad(&r, "there are not as many classes as it says");
	return certificate_link(c, why);
}

void certificate_release(struct certificate *c)
{
	for (size_t i = 0; i < c->arguments.count; i++)
		mem_free(c->arguments.at[i]);
	buffer_release(&c->around);
	for (size_t i = 0; i < c->threads.count; i++)
		mem_free(c->threads.at[i]);
	mem_free(c->trust);
	vec_release(&c->arguments);
	vec_release(&c->threads);
	vec_release(&c->spots);
	vec_release(&c->first);
	vec_release(&c->blocks);
	vec_release(&c->classes);
	vec_release(&c->loops);
	vec_release(&c->ends);
	vec_release(&c->steps);
	map_release(&c->cells);
	map_release(&c->words);
}
