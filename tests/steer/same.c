/* tests/steer/same.c -- a run made by a server is the one a process of its own makes of the same order.
 *   same [-n <orders=6>] [-j <jobs=1>] [-b] [-t] [-s] [-d] <program> [<arguments>]
 * Each order (seeds of random, pct and pos, then the schedules these gave, checked) is run by steer_run() and by runs.h, the latter all
 * mixed up; log, outcome, text, output, steps and clock must be the same.  Prints how many were compared.
 *   -b   threads as kernel threads       -t   compares traces too, byte for byte, and the points events say they are of with those told
 *   -s   one process makes as many of the runs as it can; compares events as they come from the ring too
 *   -d   output, clock and trace may differ: they have what no two runs have in common, or it waits for another process */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/vec.h"
#include "drive/runs.h"
#include "tests/steer/describe.h"
#include "tests/steer/points.h"

#define MOST 400

static unsigned orders = 6, jobs = 1, compared;
static bool traces, stays, output_differs;
static struct steer_options like = { .max_steps = 20000, .max_seconds = 60, .apart = true };

struct case_ {
	struct run_order order;
	struct schedule schedule;               /* it follows, if it does */
	char *expected, *trace;
	size_t trace_bytes;
	uint64_t events;                        /* all of them, as one number */
};
static struct case_ cases[MOST];
static unsigned count;

static void fail(const char *what)
{
	printf("FAIL %s\n", what);
	exit(1);
}

static char *whole_file(const char *path, size_t *bytes)
{
	FILE *f = fopen(path, "r");
	char *text = NULL;
	FILE *out = open_memstream(&text, bytes);
	if (!f)
		fail("there is no trace");
	for (int c; (c = getc(f)) != EOF;)
		putc(c, out);
	fclose(f);
	fclose(out);
	return text;
}

static uint64_t hash_path(uint64_t hash, struct records *r, uint64_t thread)
{
	const struct trace *t = live_trace(records_live(r));
	for (const char *at = thread < trace_thread_count(t) ? trace_thread(t, (struct thread_id){ (uint32_t)thread })->path : ""; *at; at++)
		hash = steer_mix(hash, (uint8_t)*at);
	return hash;
}

static uint64_t hash_events(struct records *r)
{
	struct event ev;
	uint64_t hash = 0;
	while (r && live_next(records_live(r), UINT64_MAX, &ev)) {
		bool of_thread = ev.kind == EV_FORK || ev.kind == EV_JOIN || ev.kind == EV_DETACH || ev.kind == EV_CANCEL;
		hash = steer_mix_step(hash, ev.kind, ev.size, of_thread ? 0 : ev.object, (uint32_t)ev.result);
		hash = steer_mix(steer_mix(steer_mix(hash, ev.kind == EV_FLUSH ? 0 : ev.arg), ev.written), ev.time);
		hash = steer_mix(hash, ev.points);
		hash = hash_path(hash, r, ev.thread.i);
		hash = of_thread || ev.kind == EV_FLUSH ? hash_path(hash, r, of_thread ? ev.object : ev.arg) : hash;
		for (uint32_t i = 0; i < ev.byte_count; i++)
			hash = steer_mix(hash, ev.bytes[i]);
	}
	return hash;
}

static void run_alone(struct case_ *c, struct schedule *log)
{
	struct steer_options o = like;
	struct steer_result r;
	struct err why = { 0 };
	char bytes[65536];
	o.policy = c->order.policy;
	o.seed = c->order.seed;
	o.depth = c->order.depth;
	o.schedule = c->order.schedule;
	o.output = memfd_create("output", MFD_CLOEXEC);
	o.save_trace = traces ? "alone.trace" : NULL;
	o.events = traces ? UINT64_MAX : 0;
	o.records = stays ? records_new() : NULL;
	if (steer_run(&o, &r, &why) < 0)
		fail(why.text);
	ssize_t got = pread(o.output, bytes, sizeof bytes, 0);
	close(o.output);
	c->expected = describe(&r, bytes, got > 0 ? (size_t)got : 0, output_differs);
	c->events = hash_events(o.records);
	records_free(o.records);
	if (traces)
		c->trace = whole_file("alone.trace", &c->trace_bytes);
	if (traces && !output_differs && !points_are_right(&r, "alone.trace"))
		exit(1);
	if (log) {                              /* taken over: the result must not free it */
		*log = r.log;
		memset(&r.log, 0, sizeof r.log);
		schedule_init(&r.log);
	}
	steer_result_release(&r);
}

static void add_cases(void)
{
	for (unsigned i = 0; i < orders; i++) {
		struct case_ *c = &cases[count++];
		c->order = (struct run_order){ .policy = i == 0 ? STEER_FIRST : i % 3 == 1 ? STEER_RANDOM : i % 3 == 2 ? STEER_PCT : STEER_POS, .depth = 3, .seed = i };
		struct case_ *follows = &cases[count++];
		run_alone(c, &follows->schedule);
		follows->order = (struct run_order){ .policy = STEER_RANDOM, .seed = i, .schedule = &follows->schedule };
		run_alone(follows, NULL);
	}
}

static void compare(struct runs *r)
{
	struct run_done done;
	struct err why = { 0 };
	int got = runs_take(r, &done, &why);
	if (got < 0)
		fail(why.text);
	if (!got)
		fail("no run is done");
	struct case_ *c = &cases[done.tag];
	char *came = describe(&done.result, done.output.at, done.output.count, output_differs);
	if (strcmp(came, c->expected) != 0) {
		printf("FAIL order %u differs\n--- alone\n%s\n--- served\n%s\n", (unsigned)done.tag, c->expected, came);
		exit(1);
	}
	if (traces && !output_differs) {
		size_t bytes;
		char *trace = whole_file(c->order.save_trace, &bytes);
		if (bytes != c->trace_bytes || (bytes && memcmp(trace, c->trace, bytes) != 0))
			fail("the traces differ");
		free(trace);
	}
	bool elsewhere = done.result.restart_refused;   /* it did what cannot be undone: its mappings may lie elsewhere */
	if (!output_differs && !elsewhere && hash_events(done.records) != c->events)
		fail("the events differ");
	compared++;
	free(came);
	run_done_release(&done);
}

/* Every order twice, the second time in another order. */
static void run_served(void)
{
	struct err why = { 0 };
	struct runs_setup setup = { .like = like, .jobs = jobs, .records = stays };
	setup.like.stays = stays;
	struct runs *r = runs_open(&setup, &why);
	char names[MOST][32];
	if (!r)
		fail(why.text);
	for (unsigned i = 0; i < 2 * count; i++) {
		unsigned tag = i < count ? i : (i * 7 + 3) % count;
		snprintf(names[tag], sizeof names[tag], "served-%u.trace", tag);
		cases[tag].order.tag = tag;
		cases[tag].order.save_trace = traces ? names[tag] : NULL;
		while (!runs_room(r))
			compare(r);
		runs_give(r, &cases[tag].order);
		if (traces)
			compare(r);
	}
	while (compared < 2 * count)
		compare(r);
	runs_close(r);
}

int main(int argc, char **argv)
{
	for (int c; (c = getopt(argc, argv, "+n:j:btsd")) != -1;)
		switch (c) {
		case 'n': orders = (unsigned)atoi(optarg); break;
		case 'j': jobs = (unsigned)atoi(optarg); break;
		case 'b': like.switching = SWITCH_BATON; break;
		case 't': traces = true; break;
		case 's': stays = true; break;
		case 'd': output_differs = true; break;
		default: return 2;
		}
	if (optind == argc || orders * 2 > MOST)
		return 2;
	like.argv = argv + optind;
	add_cases();
	run_served();
	printf("%u runs are the same\n", compared);
	for (unsigned i = 0; i < count; i++) {
		schedule_release(&cases[i].schedule);
		free(cases[i].expected);
		free(cases[i].trace);
	}
	return 0;
}
