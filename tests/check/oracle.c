/* tests/check/oracle.c -- all behaviours of a program of program.h, by visiting every state it can be in.
 *   oracle [--classes] sc|tso|pso FILE...        one line a file: "NAME MODEL classes N deadlocks N failed N ended N states N",
 * and " races N unsure N" behind it of a program with plain words: states in which there is one, and in which it depends on what is called so
 * A class is what each thread's reads, updates, tries and barriers gave, in its order, and how it ended: finished, or at which instruction it was
 * blocked or the program ended by an assertion that did not hold.  `raddle check` must find exactly these; it shares no code with this. */
#include "tests/check/machine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Strings of bytes, each once: their lengths and bytes one behind the other, found by a table of places. */
struct set { unsigned char *bytes; size_t used, room; uint64_t *table; size_t slots, count; };

static uint64_t hash(const unsigned char *at, size_t n)
{
	uint64_t h = 0xcbf29ce484222325u;
	for (size_t i = 0; i < n; i++)
		h = (h ^ at[i]) * 0x100000001b3u;
	return h ^ h >> 29;
}

static size_t set_slot(const struct set *s, const unsigned char *bytes, size_t n)
{
	size_t i = hash(bytes, n) & (s->slots - 1);
	for (; s->table[i]; i = (i + 1) & (s->slots - 1)) {
		uint32_t length;
		memcpy(&length, s->bytes + s->table[i] - 1, sizeof length);
		if (length == n && memcmp(s->bytes + s->table[i] - 1 + sizeof length, bytes, n) == 0)
			break;
	}
	return i;
}

static void set_grow(struct set *s)
{
	s->slots = s->slots ? s->slots * 2 : 1 << 12;
	free(s->table);
	s->table = calloc(s->slots, sizeof *s->table);
	if (!s->table)
		abort();
	for (size_t at = 0; at < s->used;) {
		uint32_t length;
		memcpy(&length, s->bytes + at, sizeof length);
		s->table[set_slot(s, s->bytes + at + sizeof length, length)] = at + 1;
		at += sizeof length + length;
	}
}

/* Its place; *is_new whether it was not there. */
static size_t set_add(struct set *s, const unsigned char *bytes, size_t n, bool *is_new)
{
	if (s->count * 2 >= s->slots)
		set_grow(s);
	size_t slot = set_slot(s, bytes, n);
	*is_new = s->table[slot] == 0;
	if (*is_new) {
		uint32_t length = (uint32_t)n;
		if (s->used + n + sizeof length > s->room) {
			s->room = s->room ? s->room * 2 : 1 << 20;
			s->bytes = realloc(s->bytes, s->room);
			if (!s->bytes)
				abort();
		}
		memcpy(s->bytes + s->used, &length, sizeof length);
		memcpy(s->bytes + s->used + sizeof length, bytes, n);
		s->table[slot] = s->used + 1;
		s->used += n + sizeof length;
		s->count++;
	}
	return (size_t)s->table[slot] - 1;
}

static void set_free(struct set *s)
{
	free(s->bytes);
	free(s->table);
	memset(s, 0, sizeof *s);
}

/* ---------------------------------------------------------------- classes */

struct search {
	struct machine machine;
	struct set states, classes;
	size_t *open, open_count, open_room;
	uint64_t deadlocks, failed, ended, races, unsure;
	bool print;
};

static void print_results(uint32_t history)
{
	if (!history)
		return;
	print_results(history_before(history));
	printf(" %d", history_last(history));
}

static void print_class(const struct machine *m, const struct state *s)
{
	for (int i = m->program->has_main ? 0 : 1; i < m->threads; i++) {
		const struct instruction *at = &m->program->code[s->threads[i].pc];
		printf(i ? "%sT_0_%d:" : "%sT_0:", i > !m->program->has_main ? "; " : "", i - 1);
		print_results(s->threads[i].results);
		if (at->op != OP_END)
			printf(" %s line %d", s->ended ? "came to" : "blocked at", at->line);
	}
	printf("%s\n", s->failed ? "; failed" : "");
}

static void add_class(struct search *r, const struct state *s)
{
	int32_t key[2 * MAX_THREADS];
	bool is_new, stuck = false;
	for (int i = 0; i < r->machine.threads; i++) {
		bool ended = r->machine.program->code[s->threads[i].pc].op == OP_END;
		key[2 * i] = (int32_t)s->threads[i].results;
		key[2 * i + 1] = ended ? NONE : s->threads[i].pc;
		stuck |= !ended;
	}
	set_add(&r->classes, (unsigned char *)key, (size_t)r->machine.threads * 2 * sizeof *key, &is_new);
	if (!is_new)
		return;
	r->deadlocks += stuck && !s->ended;
	r->failed += s->failed;
	r->ended += s->ended;
	if (r->print)
		print_class(&r->machine, s);
}

/* ---------------------------------------------------------------- search */

static void visit(struct search *r, const struct state *s)
{
	static unsigned char bytes[STATE_BYTES];
	bool is_new;
	size_t at = set_add(&r->states, bytes, machine_pack(&r->machine, s, bytes), &is_new);
	if (!is_new)
		return;
	if (r->open_count == r->open_room) {
		r->open_room = r->open_room ? r->open_room * 2 : 1024;
		r->open = realloc(r->open, r->open_room * sizeof *r->open);
		if (!r->open)
			abort();
	}
	r->open[r->open_count++] = at;
}

static void explore(struct search *r)
{
	static struct state here, then;
	struct step steps[MAX_STEPS];
	machine_begin(&r->machine, &here);
	visit(r, &here);
	while (r->open_count) {
		machine_unpack(&r->machine, r->states.bytes + r->open[--r->open_count] + sizeof(uint32_t), &here);
		int n = machine_steps(&r->machine, &here, steps);
		bool unsure;
		r->races += machine_races(&r->machine, &here, &unsure);
		r->unsure += unsure;
		if (n == 0 || machine_spins_in_vain(&r->machine, &here))
			add_class(r, &here);
		for (int i = 0; i < n; i++) {
			memcpy(&then, &here, sizeof then);
			machine_take(&r->machine, &then, steps[i]);
			visit(r, &then);
		}
	}
}

static void count(const char *path, enum model model, const char *called, bool print)
{
	static struct program program;
	struct search r = { .machine = { .program = &program, .model = model }, .print = print };
	const char *name = strrchr(path, '/');
	program_read(&program, path);
	explore(&r);
	printf("%s %s classes %zu deadlocks %llu failed %llu ended %llu states %zu", name ? name + 1 : path, called, r.classes.count,
	       (unsigned long long)r.deadlocks, (unsigned long long)r.failed, (unsigned long long)r.ended, r.states.count);
	if (r.races || r.unsure)
		printf(" races %llu unsure %llu", (unsigned long long)r.races, (unsigned long long)r.unsure);
	putchar('\n');
	set_free(&r.states);
	set_free(&r.classes);
	free(r.open);
}

int main(int argc, char **argv)
{
	static const char *const models[] = { "sc", "tso", "pso" };
	bool print = argc > 1 && strcmp(argv[1], "--classes") == 0;
	int at = 1 + print, model = 0;
	while (at < argc && model < 3 && strcmp(argv[at], models[model]) != 0)
		model++;
	if (argc < at + 2 || model == 3) {
		fprintf(stderr, "usage: oracle [--classes] sc|tso|pso FILE...\n");
		return 2;
	}
	for (int i = at + 1; i < argc; i++)
		count(argv[i], (enum model)model, models[model], print);
	return 0;
}
