/* bench/predicttrace.c -- a run of predictgen.h as a trace of a steered run.
 *   predicttrace FILE EVENTS [PLANTED [CHANGING [SEED]]] */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/predictgen.h"
#include "tests/unit/made.h"
#include "trace/writer.h"

#define CODE      0x401000u                     /* calls of locks: one address a line */
#define BUFFERED  (32u << 10)

struct out {
	struct writer *writer;
	struct err why;
	struct made unit;
	uint64_t *sites;                        /* by line, */
	uint32_t lines;
	struct lane { uint64_t *words; uint32_t count, seq; } lanes[GEN_THREADS + 1];
};

static void must(struct out *o, int result)
{
	if (result == 0)
		return;
	fprintf(stderr, "predicttrace: %s\n", o->why.text);
	exit(1);
}

static void flush(struct out *o, uint32_t thread)
{
	struct lane *l = &o->lanes[thread];
	struct segment_note note = { .thread = thread + 1, .seq = l->seq++ };
	must(o, writer_records(o->writer, &note, l->words, l->count * 8, &o->why));
	l->count = 0;
}

static void put(struct gen *g, uint32_t thread, enum gen_what what, uint32_t object, uint32_t line)
{
	static const uint8_t kinds[] = { EV_READ, EV_WRITE, EV_LOCK, EV_UNLOCK, EV_FORK, EV_JOIN };
	struct out *o = g->with;
	struct lane *l = &o->lanes[thread];
	uint64_t number = 2 * g->made + 2, *w = l->words + l->count;
	bool access = what <= GEN_WRITE, lock = !access && what <= GEN_UNLOCK;
	w[0] = RECORD_CONTROL | (uint64_t)kinds[what] << 48 | (what >= GEN_FORK ? object + 1 : object);
	w[1] = lock ? LOCK_MUTEX << 8 : 0;
	w[2] = access || lock ? number : 0;
	w[3] = access ? 3 : number;                     /* 8 bytes, the first access of its descriptor */
	w[4] = access ? o->sites[line] : CODE + 8 * line;
	l->count += RECORD_WORDS;
	if (l->count * 8 >= BUFFERED - 64)
		flush(o, thread);
}

/* A descriptor for each line: one access of 8 bytes. */
static void make_sites(struct out *o)
{
	struct made *m = &o->unit;
	made_string(m, "");
	uint32_t function = made_function(m, "work", "gen.c", 1);
	for (uint32_t line = 0; line < o->lines; line++) {
		uint32_t place = made_place(m, "gen.c", "work", line, 0);
		o->sites[line] = made_site(m, SITE_ACCESS, function, 16);
		made_varint(&m->descriptors, 1);
		made_access(m, false, 8, A_SLOT, 0, 0, V_SLOT, 8, place, 0);
	}
	made_finish(m, "gen.c");
}

static void begin(struct out *o)
{
	struct module_block module = { .base = 0x400000, .low = 0x400000, .high = MADE_AT + 0x1000000, .sites_address = MADE_AT, .path_bytes = 4,
		.sites_bytes = (uint32_t)o->unit.all.count };
	made_bytes text = { 0 };
	char line[200];
	made_put(&text, &module, sizeof module);
	made_put(&text, "/gen", 4);
	made_put(&text, o->unit.all.at, o->unit.all.count);
	must(o, writer_block(o->writer, BLOCK_INFO, 0, "argv0 gen\n", 10, &o->why));
	must(o, writer_block(o->writer, BLOCK_MODULE, 0, text.at, text.count, &o->why));
	must(o, writer_sites(o->writer, MADE_AT, o->unit.all.at, o->unit.all.count, &o->why));
	for (uint32_t t = 0; t <= GEN_THREADS; t++) {
		int length = t ? snprintf(line, sizeof line, "parent 1\npath T_0_%u\nname \nstate ended\nlost 0\n", t - 1)
			: snprintf(line, sizeof line, "parent 0\npath T_0\nname main\nstate ended\nlost 0\n");
		must(o, writer_block(o->writer, BLOCK_THREAD, t + 1, line, (size_t)length, &o->why));
		o->lanes[t].words = mem_take(BUFFERED);
	}
	vec_clear(&text);
	for (uint32_t i = 0; i < 100; i++)
		made_put(&text, line, (size_t)snprintf(line, sizeof line, "0x%x\tgen.c\t%u\twork\n", CODE + 8 * i, i));
	must(o, writer_block(o->writer, BLOCK_PLACES, 0, text.at, text.count, &o->why));
	vec_release(&text);
}

static uint64_t number(int argc, char **argv, int i, uint64_t usual)
{
	return argc > i ? strtoull(argv[i], NULL, 10) : usual;
}

int main(int argc, char **argv)
{
	static struct out o;
	char end[80];
	if (argc < 3) {
		fprintf(stderr, "usage: predicttrace FILE EVENTS [PLANTED [CHANGING [SEED]]]\n");
		return 2;
	}
	struct gen g = { .seed = number(argc, argv, 5, 1) * 0x9e3779b97f4a7c15ull | 1, .put = put, .with = &o };
	uint32_t planted = (uint32_t)number(argc, argv, 3, 500);
	struct trace_head head = { .order = ORDER_TOTAL, .level = 2 };
	o.lines = 1002 + 2 * planted;
	o.sites = mem_take(o.lines * sizeof *o.sites);
	make_sites(&o);
	must(&o, writer_open(&o.writer, argv[1], &head, &o.why));
	begin(&o);
	gen_run(&g, number(argc, argv, 2, 1000000), planted, (uint32_t)number(argc, argv, 4, 100));
	for (uint32_t t = 0; t <= GEN_THREADS; t++) {
		flush(&o, t);
		mem_free(o.lanes[t].words);
	}
	int length = snprintf(end, sizeof end, "exit_code 0\nevents %llu\n", (unsigned long long)g.made);
	must(&o, writer_block(o.writer, BLOCK_END, 0, end, (size_t)length, &o.why));
	must(&o, writer_close(o.writer, &o.why));
	made_release(&o.unit);
	mem_free(o.sites);
	return 0;
}
