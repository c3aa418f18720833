/* tests/steer/again.c -- runs restarted in one process are the ones separate processes make of the same seeds.
 *   again [-n <runs=50>] [-c <exit code=0>] [-r] [-t] <program> [<arguments>]
 * Many seeds of random and pct are run in one process (runs.h, run_order.runs), as far as that goes, and each of them once more by
 * steer_run(): number of events, log and output must be the same.  The process is given up by a run that fails or does what cannot
 * be undone; then the next seed begins another one.  Prints how many were compared, how many of them were followed by another run of
 * the same process, and the last system call that could not be undone.
 * A run that did such a thing may have its mappings elsewhere: its trace is not compared.
 *   -r   the same races too, in full where the process had them first      -t   the same traces, byte for byte */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "drive/runs.h"
#include "trace/objects.h"

static struct steer_options like = { .max_steps = 20000, .max_seconds = 60, .apart = true };
static uint64_t compared, restarted, races_seen;
static uint32_t refused;
static bool traces, races;
static sigset_t open_mask;
static char folder[64], path_room[128];

static void fail(const char *what, uint64_t policy, uint64_t seed)
{
	printf("FAIL %s: policy %llu, seed %llu\n", what, (unsigned long long)policy, (unsigned long long)seed);
	exit(1);
}

static uint64_t hash_of(const char *bytes, size_t count)
{
	uint64_t hash = 0;
	for (size_t i = 0; i < count; i++)
		hash = steer_mix(hash, (uint8_t)bytes[i]);
	return hash;
}

static char *path_of(const char *name, uint64_t number)
{
	snprintf(path_room, sizeof path_room, "%s/%s-%llu", folder, name, (unsigned long long)number);
	return path_room;
}

static const char *wanted(void *unused, uint64_t run, const struct steer_brief *brief)
{
	(void)unused, (void)run;
	return path_of("among", brief->seed);
}

static char *whole_file(const char *path, size_t *bytes, uint64_t seed)
{
	FILE *f = fopen(path, "r");
	if (!f)
		fail("there is no trace", 0, seed);
	fseek(f, 0, SEEK_END);
	*bytes = (size_t)ftell(f);
	rewind(f);
	char *all = mem_take(*bytes + 1);
	if (fread(all, 1, *bytes, f) != *bytes)
		fail("the trace cannot be read", 0, seed);
	fclose(f);
	return all;
}

static void forget_traces(uint64_t seed)
{
	unlink(path_of("among", seed));
	unlink(path_of("alone", seed));
}

static void compare_traces(uint32_t policy, uint64_t seed)
{
	size_t bytes[2];
	char *all[2] = { whole_file(path_of("among", seed), &bytes[0], seed), whole_file(path_of("alone", seed), &bytes[1], seed) };
	if (bytes[0] != bytes[1] || memcmp(all[0], all[1], bytes[0]))
		fail("another trace", policy, seed);
	mem_free(all[0]);
	mem_free(all[1]);
	forget_traces(seed);
}

/* A race in full, or its two places alone. */
static char *race_text(const struct race_list *l, const struct race *r, bool full)
{
	char *text = NULL, places[2][300];
	size_t bytes;
	FILE *f = open_memstream(&text, &bytes);
	place_short(r->side[0].place, places[0], 300);
	place_short(r->side[1].place, places[1], 300);
	bool turned = strcmp(places[0], places[1]) > 0;         /* whichever came first */
	if (full)
		race_json(l, r, f);
	else
		fprintf(f, "%s %s", places[turned], places[!turned]);
	fclose(f);
	return text;
}

static void compare_race(uint32_t policy, uint64_t seed, const struct race_list *l, const struct race *r, const struct race_list *alone,
	size_t nth, bool full)
{
	if (nth >= alone->all.count)
		fail("more races", policy, seed);
	char *one = race_text(l, r, full), *other = race_text(alone, &alone->all.at[nth], full);
	if (strcmp(one, other))
		fail(full ? "another race" : "races of other places", policy, seed);
	free(one);
	free(other);
}

/* Those of one run of a row; each pair stands there in full if the run is the first that had it. */
static void compare_hits(uint32_t policy, uint64_t seed, const struct race_row *row, uint32_t run, const struct race_list *alone)
{
	size_t nth = 0;
	for (size_t i = 0; i < row->hits.count; i++) {
		struct race_hit hit = row->hits.at[i];
		bool first = true;
		if (hit.run != run)
			continue;
		if (hit.race >= row->first.all.count)
			fail("something was not seen", policy, seed);
		for (size_t k = 0; k < i; k++)
			first = first && row->hits.at[k].race != hit.race;
		compare_race(policy, seed, &row->first, &row->first.all.at[hit.race], alone, nth++, first);
	}
	if (nth < alone->all.count)
		fail("fewer races", policy, seed);
}

static void compare_lists(uint32_t policy, uint64_t seed, const struct race_list *l, const struct race_list *alone)
{
	for (size_t i = 0; i < l->all.count; i++)
		compare_race(policy, seed, l, &l->all.at[i], alone, i, true);
	if (l->all.count < alone->all.count)
		fail("fewer races", policy, seed);
}

struct made_alone { struct steer_brief brief; struct steer_result result; struct race_watch *watch; };

static void alone(struct made_alone *m, uint32_t policy, uint64_t seed)
{
	static char bytes[1 << 20];
	struct steer_options o = like;
	struct err why = { 0 };
	char path[128];
	snprintf(path, sizeof path, "%s", path_of("alone", seed));
	o.policy = policy;
	o.seed = seed;
	o.depth = 3;
	o.output = memfd_create("output", MFD_CLOEXEC);
	o.save_trace = traces ? path : NULL;
	o.races = m->watch = races ? race_watch_new(NULL) : NULL;
	sigset_t blocked;
	sigprocmask(SIG_SETMASK, &open_mask, &blocked);         /* open runs block signals, and it would inherit that */
	if (steer_run(&o, &m->result, &why) < 0)
		fail(why.text, policy, seed);
	sigprocmask(SIG_SETMASK, &blocked, NULL);
	ssize_t got = pread(o.output, bytes, sizeof bytes, 0);
	close(o.output);
	m->brief = (struct steer_brief){ seed, m->result.steps, m->result.threads.count, steer_log_hash(&m->result),
		hash_of(bytes, got > 0 ? (size_t)got : 0) };
}

/* The run-th of a process whose last one was `last`. */
static void compare(uint32_t policy, const struct steer_brief *got, const struct steer_result *last, uint32_t run)
{
	struct made_alone want;
	alone(&want, policy, got->seed);
	if (got->steps != want.brief.steps)
		fail("another number of events", policy, got->seed);
	if (got->threads != want.brief.threads)
		fail("another number of threads", policy, got->seed);
	if (got->log_hash != want.brief.log_hash)
		fail("another log", policy, got->seed);
	if (got->output_hash != want.brief.output_hash)
		fail("other output", policy, got->seed);
	if (traces && (run < last->before.count || !last->restart_refused))
		compare_traces(policy, got->seed);
	else if (traces)
		forget_traces(got->seed);
	if (races && run < last->before.count)
		compare_hits(policy, got->seed, &last->races_before, run, &want.result.races);
	else if (races)
		compare_lists(policy, got->seed, &last->races, &want.result.races);
	races_seen += want.result.races.all.count;
	steer_result_release(&want.result);
	race_watch_free(want.watch);
	compared++;
}

/* Returns how many runs were made. */
static uint64_t run_many(struct runs *r, uint32_t policy, uint64_t seed, uint64_t runs, int code)
{
	struct run_order order = { .policy = policy, .depth = 3, .seed = seed, .runs = runs, .go_on_with = code };
	struct run_done d;
	struct err why = { 0 };
	char path[128];
	snprintf(path, sizeof path, "%s", path_of("last", 0));
	order.trace_of = traces ? wanted : NULL;
	order.save_trace = traces ? path : NULL;
	runs_give(r, &order);
	if (runs_take(r, &d, &why) != 1)
		fail(why.text, policy, seed);
	uint64_t made = d.result.before.count + 1;
	for (size_t i = 0; i < d.result.before.count; i++)
		compare(policy, &d.result.before.at[i], &d.result, (uint32_t)i);
	if (traces && rename(path, path_of("among", seed + made - 1)) < 0)
		fail("there is no trace of the last run", policy, seed + made - 1);
	struct steer_brief last = { seed + made - 1, d.result.steps, d.result.threads.count, steer_log_hash(&d.result), hash_of(d.output.at, d.output.count) };
	compare(policy, &last, &d.result, (uint32_t)d.result.before.count);
	restarted += made - 1;
	if (d.result.restart_refused)
		refused = d.result.restart_refused;
	run_done_release(&d);
	return made;
}

int main(int argc, char **argv)
{
	uint64_t runs = 50;
	int option, code = 0;
	while ((option = getopt(argc, argv, "+n:c:rt")) != -1) {
		if (option == 'n')
			runs = strtoull(optarg, NULL, 10);
		else if (option == 'c')
			code = atoi(optarg);
		else if (option == 'r')
			races = true;
		else if (option == 't')
			traces = true;
		else
			return 2;
	}
	if (optind >= argc)
		return 2;
	like.argv = argv + optind;
	struct runs_setup setup = { .like = like, .jobs = 1, .races = races };
	snprintf(folder, sizeof folder, "again-XXXXXX");
	if (traces && !mkdtemp(folder))
		fail("there is no place for traces", 0, 0);
	struct err why = { 0 };
	sigprocmask(SIG_SETMASK, NULL, &open_mask);
	struct runs *r = runs_open(&setup, &why);
	if (!r)
		fail(why.text, 0, 0);
	for (uint32_t policy = STEER_RANDOM; policy <= STEER_PCT; policy++)
		for (uint64_t seed = 1; seed <= runs;)
			seed += run_many(r, policy, seed, runs - seed + 1, code);
	runs_close(r);
	if (traces)
		rmdir(folder);
	printf("%llu compared, %llu restarted", (unsigned long long)compared, (unsigned long long)restarted);
	if (races)
		printf(", with %s races", races_seen ? "some" : "no");
	if (refused >= RESTART_TOO_MUCH)
		printf("; %s", refused == RESTART_NEVER ? "never" : "too much memory");
	else if (refused)
		printf("; system call %u cannot be undone", refused - 1);
	putchar('\n');
	return 0;
}
