/* tests/models/family.c -- litmus tests made systematically.
 *
 * Plain ones: every way to give so many loads and stores, of up to 3 places, to so many threads, up to renaming places and
 * threads; each place is stored to, and touched by two threads at least (a place of one thread alone tells nothing).
 * Variants of one: each store made release, seq_cst or an exchange, each access narrower, wider or across two places, each gap
 * filled with a fence; one at a time, and the first four everywhere at once.
 * Mixtures: kinds, sizes and fences drawn for each access; atomic ones are aligned. */
#include "tests/models/family.h"

#include <stdio.h>
#include <string.h>

#define PLACES 3u
#define EVERY  (~0u)

struct maker {
	unsigned accesses, threads;
	unsigned op[SHAPE_OPS], starts[SHAPE_THREADS + 1];      /* op: place * 2 + is a store; starts: of each thread, and the end */
	void (*take)(void *with, const char *text);
	void *with;
};

/* ---- plain ---- */

/* As text with the threads in this order, places numbered as they come. */
static void print(const struct maker *m, const unsigned *order, char *text)
{
	unsigned name[PLACES], names = 0, at = 0;
	memset(name, 0xff, sizeof name);
	for (unsigned t = 0; t < m->threads; t++) {
		for (unsigned i = m->starts[order[t]]; i < m->starts[order[t] + 1]; i++) {
			unsigned place = m->op[i] / 2;
			if (name[place] >= PLACES)
				name[place] = names++;
			at += (unsigned)sprintf(text + at, "%s%c%u.2", i == m->starts[order[t]] ? "" : " ", m->op[i] % 2 ? 'W' : 'R', 2 * name[place]);
		}
		text[at++] = t + 1 < m->threads ? '|' : 0;
	}
}

static bool is_first_of_its_kind(const struct maker *m, unsigned *order, unsigned at, const char *text)
{
	char other[128];
	if (at == m->threads) {
		print(m, order, other);
		return strcmp(text, other) <= 0;
	}
	bool first = true;
	for (unsigned k = at; first && k < m->threads; k++) {
		unsigned kept = order[at];
		order[at] = order[k], order[k] = kept;
		first = is_first_of_its_kind(m, order, at + 1, text);
		order[k] = order[at], order[at] = kept;
	}
	return first;
}

static bool tells_something(const struct maker *m)
{
	for (unsigned p = 0; p < PLACES; p++) {
		unsigned by = 0, stores = 0;
		for (unsigned t = 0; t < m->threads; t++)
			for (unsigned i = m->starts[t]; i < m->starts[t + 1]; i++)
				if (m->op[i] / 2 == p) {
					by |= 1u << t;
					stores += m->op[i] % 2;
				}
		if (by && (!stores || !(by & (by - 1))))
			return false;
	}
	return true;
}

static void fill(struct maker *m, unsigned at, unsigned places)
{
	unsigned order[SHAPE_THREADS] = { 0, 1, 2, 3 };
	char text[128];
	if (at < m->accesses) {
		for (m->op[at] = 0; m->op[at] < 2 * (places < PLACES ? places + 1 : PLACES); m->op[at]++)
			fill(m, at + 1, m->op[at] / 2 == places ? places + 1 : places);
		return;
	}
	if (!tells_something(m))
		return;
	print(m, order, text);
	if (is_first_of_its_kind(m, order, 0, text))
		m->take(m->with, text);
}

static void cut(struct maker *m, unsigned thread, unsigned from)
{
	m->starts[thread] = from;
	if (thread + 1 == m->threads) {
		m->starts[m->threads] = m->accesses;
		fill(m, 0, 0);
		return;
	}
	for (unsigned next = from + 1; next + (m->threads - thread - 1) <= m->accesses; next++)
		cut(m, thread + 1, next);
}

void family_plain(unsigned accesses, unsigned threads, void (*take)(void *with, const char *text), void *with)
{
	struct maker m = { .accesses = accesses, .threads = threads, .take = take, .with = with };
	if (accesses >= threads)
		cut(&m, 0, 0);
}

/* ---- variants ---- */

/* Access by access: `which` is changed, EVERY all of them; how many were. */
static unsigned change_kind(char *text, unsigned which, char kind)
{
	unsigned n = 0, changed = 0;
	for (; *text; text++)
		if (*text == 'R' || *text == 'W') {
			if (*text == 'W' && (n == which || which == EVERY)) {
				*text = kind;
				changed++;
			}
			n++;
		}
	return changed;
}

static bool change_size(char *text, unsigned which, int move, char size)
{
	unsigned n = 0;
	for (; *text; text++)
		if ((*text == 'R' || *text == 'W') && n++ == which) {
			text[1] = (char)(text[1] + move);
			text[3] = size;
			return text[1] - '0' + size - '0' <= SHAPE_BYTES;
		}
	return false;
}

/* A fence in front of access `which` unless its thread begins with it. */
static unsigned add_fence(char *text, unsigned which, char kind)
{
	char out[128];
	unsigned n = 0, at = 0, changed = 0;
	for (const char *from = text; *from; from++) {
		if (*from == 'R' || *from == 'W') {
			if ((n == which || which == EVERY) && at && out[at - 1] == ' ') {
				out[at++] = kind;
				out[at++] = ' ';
				changed++;
			}
			n++;
		}
		out[at++] = *from;
	}
	out[at] = 0;
	strcpy(text, out);
	return changed;
}

static unsigned accesses_of(const char *text)
{
	unsigned n = 0;
	for (; *text; text++)
		n += *text == 'R' || *text == 'W';
	return n;
}

void family_variants(const char *plain, void (*take)(void *with, const char *text), void *with)
{
	static const struct { int move; char size; } sizes[] = { { 0, '1' }, { 1, '1' }, { 1, '2' }, { 0, '4' } };
	unsigned count = accesses_of(plain);
	char text[128];
	for (unsigned i = 0; i <= count; i++) {
		unsigned which = i < count ? i : EVERY, least = i < count ? 1 : 2;
		for (const char *kind = "LSX"; *kind; kind++)
			if (strcpy(text, plain) && change_kind(text, which, *kind) >= least)
				take(with, text);
		for (const char *kind = "Ff"; *kind; kind++)
			if (strcpy(text, plain) && add_fence(text, which, *kind) >= least)
				take(with, text);
		for (unsigned k = 0; i < count && k < sizeof sizes / sizeof *sizes; k++)
			if (strcpy(text, plain) && change_size(text, which, sizes[k].move, sizes[k].size))
				take(with, text);
	}
}

/* ---- mixtures ---- */

static unsigned drawn(uint64_t *state, unsigned below)
{
	*state = *state * 6364136223846793005u + 1442695040888963407u;
	return (unsigned)((*state >> 33) % below);
}

static unsigned put_access(char *text, uint64_t *state)
{
	static const struct { unsigned move; char size; } sizes[] = { { 0, '2' }, { 0, '2' }, { 0, '2' }, { 0, '1' }, { 1, '1' }, { 1, '2' }, { 0, '4' } };
	char kind = "RRRRWWWWLSXX"[drawn(state, 12)];
	unsigned place, k;
	do {
		place = (unsigned)("00022224"[drawn(state, 8)] - '0');
		k = drawn(state, sizeof sizes / sizeof *sizes);
	} while (strchr("LSX", kind) && (place + sizes[k].move) % (unsigned)(sizes[k].size - '0'));
	return (unsigned)sprintf(text, "%c%u.%c", kind, place + sizes[k].move, sizes[k].size);
}

void family_mixtures(unsigned count, uint64_t seed, void (*take)(void *with, const char *text), void *with)
{
	uint64_t state = seed * 0x9e3779b97f4a7c15u + 1;
	for (unsigned n = 0; n < count; n++) {
		unsigned threads = 2 + drawn(&state, 2), accesses = threads + drawn(&state, 7 - threads), at = 0, left = threads;
		char text[128];
		for (unsigned i = 0; i < accesses; i++) {
			bool begins = !i || left == accesses - i || (left && drawn(&state, accesses) < threads);
			if (i)
				text[at++] = begins ? '|' : ' ';
			left -= begins;
			if (!begins && !drawn(&state, 5))
				at += (unsigned)sprintf(text + at, "%c ", "Ff"[drawn(&state, 2)]);
			at += put_access(text + at, &state);
		}
		take(with, text);
	}
}
