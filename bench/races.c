/* bench/races.c -- what the race detector costs.
 *   races events               ns an event and memory, made-up runs of 10^5, 10^6, 10^7 events: 4 threads, 64 locks, 1 MB of memory
 *   races places               the same of 10^6 events that all touch one word, under a lock or with none, from 10 to 10^5 places of the program
 *   races runs <n> <program>   complete runs a second of the program on one core, with the detector and without
 * One line each on standard output. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "drive/races.h"
#include "drive/runs.h"

static double processor_seconds(int who)
{
	struct rusage u;
	getrusage(who, &u);
	return (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) + (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec) * 1e-6;
}

static uint32_t rnd(uint64_t *seed, uint32_t n)
{
	*seed ^= *seed << 13, *seed ^= *seed >> 7, *seed ^= *seed << 17;
	return (uint32_t)(*seed >> 20) % n;
}

static struct place made_place(uint32_t line)
{
	return (struct place){ "made.c", "made", "made", "made.c", "", line, 0, 0, 0, NULL };
}

/* Sections of 20 accesses under a lock, the memory of each lock its own: no race. */
static void events(uint64_t count)
{
	static struct place place[256];
	struct races *r = races_new(NULL, NULL);
	struct race_list found;
	uint64_t seed = 88172645463325252ull, done = 0;
	for (int i = 0; i < 256; i++)
		place[i] = made_place((uint32_t)i + 1);
	double before = processor_seconds(RUSAGE_SELF);
	for (uint32_t t = 1; t < 4; t++, done++)
		races_note(r, &(struct event){ .kind = EV_FORK, .object = t, .place = &place[0] });
	while (done < count) {
		struct thread_id thread = { rnd(&seed, 4) };
		uint32_t lock = rnd(&seed, 64);
		struct event ev = { .kind = EV_LOCK, .thread = thread, .object = 0x1000 + lock * 64, .arg = LOCK_MUTEX << 8, .place = &place[0] };
		races_note(r, &ev);
		for (int i = 0; i < 20; i++, done++) {
			struct event access = { .kind = rnd(&seed, 3) ? EV_READ : EV_WRITE, .size = 8, .thread = thread,
				.object = 0x100000 + lock * 16384 + rnd(&seed, 2048) * 8, .place = &place[rnd(&seed, 8)] };
			races_note(r, &access);
		}
		ev.kind = EV_UNLOCK;
		races_note(r, &ev);
		done += 2;
	}
	double seconds = processor_seconds(RUSAGE_SELF) - before;
	races_take(r, &found);
	printf("events %llu: %.0f ns an event, %llu KB, %zu races\n", (unsigned long long)done, seconds / (double)done * 1e9,
		(unsigned long long)races_memory(r) / 1024, found.all.count);
	race_list_release(&found);
	races_free(r);
}

/* 4 threads in turn, each access from a place drawn. */
static void places(uint32_t count, bool locked)
{
	struct place *place = mem_take(count * sizeof *place);
	struct races *r = races_new(NULL, NULL);
	struct race_list found;
	uint64_t seed = 88172645463325252ull, done = 0;
	for (uint32_t i = 0; i < count; i++)
		place[i] = made_place(i + 1);
	double before = processor_seconds(RUSAGE_SELF);
	for (uint32_t t = 1; t < 4; t++, done++)
		races_note(r, &(struct event){ .kind = EV_FORK, .object = t, .place = &place[0] });
	while (done < 1000000) {
		struct thread_id thread = { rnd(&seed, 4) };
		struct event lock = { .kind = EV_LOCK, .thread = thread, .object = 0x1000, .arg = LOCK_MUTEX << 8, .place = &place[0] };
		struct event access = { .kind = EV_WRITE, .size = 8, .thread = thread, .object = 0x100000, .place = &place[rnd(&seed, count)] };
		if (locked)
			races_note(r, &lock);
		races_note(r, &access);
		lock.kind = EV_UNLOCK;
		if (locked)
			races_note(r, &lock);
		done += locked ? 3 : 1;
	}
	double seconds = processor_seconds(RUSAGE_SELF) - before;
	uint64_t memory = races_memory(r);
	races_take(r, &found);
	printf("places %u %s: %.0f ns an event, %llu KB, %zu pairs kept, %llu more, %llu accesses forgotten\n", count, locked ? "locked" : "racing",
		seconds / (double)done * 1e9, (unsigned long long)memory / 1024, found.all.count, (unsigned long long)found.more,
		(unsigned long long)found.unseen);
	race_list_release(&found);
	races_free(r);
	mem_free(place);
}

static int runs(uint64_t count, char **argv, bool races)
{
	struct runs_setup setup = { .like = { .argv = argv }, .jobs = 1, .races = races };
	struct err why;
	struct run_done done;
	uint64_t events = 0, found = 0;
	struct runs *r = runs_open(&setup, &why);
	if (!r) {
		fprintf(stderr, "%s\n", why.text);
		return 1;
	}
	double before = processor_seconds(RUSAGE_SELF), their = 0;
	for (uint64_t i = 0; i < count; i++) {
		runs_give(r, &(struct run_order){ .policy = STEER_RANDOM, .seed = i, .tag = i });
		if (runs_take(r, &done, &why) <= 0) {
			fprintf(stderr, "%s\n", why.text);
			runs_close(r);
			return 1;
		}
		events += done.result.steps;
		their += done.seconds;
		found += done.result.races.all.count;
		run_done_release(&done);
	}
	double ours = processor_seconds(RUSAGE_SELF) - before;
	printf("runs %s the detector: %.0f a second of processor time (%.0f us ours, %.0f us the run's), %.1f events a run, %.2f races a run\n",
		races ? "with" : "without", (double)count / (ours + their), ours / (double)count * 1e6, their / (double)count * 1e6,
		(double)events / (double)count, (double)found / (double)count);
	runs_close(r);
	return 0;
}

int main(int argc, char **argv)
{
	if (argc == 2 && !strcmp(argv[1], "events")) {
		for (uint64_t count = 100000; count <= 10000000; count *= 10)
			events(count);
		return 0;
	}
	if (argc == 2 && !strcmp(argv[1], "places")) {
		for (uint32_t count = 10; count <= 100000; count *= 10) {
			places(count, true);
			places(count, false);
		}
		return 0;
	}
	if (argc >= 4 && !strcmp(argv[1], "runs"))
		return runs(strtoull(argv[2], NULL, 10), argv + 3, false) || runs(strtoull(argv[2], NULL, 10), argv + 3, true);
	fprintf(stderr, "usage: races events | races places | races runs <n> <program>\n");
	return 2;
}
