/* tests/steer/again.c -- runs restarted in one process are the ones separate processes make of the same seeds.
 *   again [-n <runs=50>] [-c <exit code=0>] <program> [<arguments>]
 * Many seeds of random and pct are run in one process (runs.h, run_order.runs), as far as that goes, and each of them once more by
 * steer_run(): number of events, log and output must be the same.  The process is given up by a run that fails or does what cannot
 * be undone; then the next seed begins another one.  Prints how many were compared, how many of them were followed by another run of
 * the same process, and the last system call that could not be undone. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "drive/runs.h"

static struct steer_options like = { .max_steps = 20000, .max_seconds = 60, .apart = true };
static uint64_t compared, restarted;
static uint32_t refused;

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

static struct steer_brief alone(uint32_t policy, uint64_t seed)
{
	static char bytes[1 << 20];
	struct steer_options o = like;
	struct steer_result r;
	struct err why = { 0 };
	o.policy = policy;
	o.seed = seed;
	o.depth = 3;
	o.output = memfd_create("output", MFD_CLOEXEC);
	if (steer_run(&o, &r, &why) < 0)
		fail(why.text, policy, seed);
	ssize_t got = pread(o.output, bytes, sizeof bytes, 0);
	close(o.output);
	struct steer_brief b = { seed, r.steps, r.threads.count, steer_log_hash(&r), hash_of(bytes, got > 0 ? (size_t)got : 0) };
	steer_result_release(&r);
	return b;
}

static void compare(uint32_t policy, const struct steer_brief *got)
{
	struct steer_brief want = alone(policy, got->seed);
	if (got->steps != want.steps)
		fail("another number of events", policy, got->seed);
	if (got->threads != want.threads)
		fail("another number of threads", policy, got->seed);
	if (got->log_hash != want.log_hash)
		fail("another log", policy, got->seed);
	if (got->output_hash != want.output_hash)
		fail("other output", policy, got->seed);
	compared++;
}

/* Returns how many runs were made. */
static uint64_t run_many(struct runs *r, uint32_t policy, uint64_t seed, uint64_t runs, int code)
{
	struct run_order order = { .policy = policy, .depth = 3, .seed = seed, .runs = runs, .go_on_with = code };
	struct run_done d;
	struct err why = { 0 };
	runs_give(r, &order);
	if (runs_take(r, &d, &why) != 1)
		fail(why.text, policy, seed);
	uint64_t made = d.result.before.count + 1;
	for (size_t i = 0; i < d.result.before.count; i++)
		compare(policy, &d.result.before.at[i]);
	struct steer_brief last = { seed + made - 1, d.result.steps, d.result.threads.count, steer_log_hash(&d.result), hash_of(d.output.at, d.output.count) };
	compare(policy, &last);
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
	while ((option = getopt(argc, argv, "+n:c:")) != -1) {
		if (option == 'n')
			runs = strtoull(optarg, NULL, 10);
		else if (option == 'c')
			code = atoi(optarg);
		else
			return 2;
	}
	if (optind >= argc)
		return 2;
	like.argv = argv + optind;
	struct runs_setup setup = { .like = like, .jobs = 1 };
	struct err why = { 0 };
	struct runs *r = runs_open(&setup, &why);
	if (!r)
		fail(why.text, 0, 0);
	for (uint32_t policy = STEER_RANDOM; policy <= STEER_PCT; policy++)
		for (uint64_t seed = 1; seed <= runs;)
			seed += run_many(r, policy, seed, runs - seed + 1, code);
	runs_close(r);
	printf("%llu compared, %llu restarted", (unsigned long long)compared, (unsigned long long)restarted);
	if (refused >= RESTART_TOO_MUCH)
		printf("; %s", refused == RESTART_NEVER ? "never" : "too much memory");
	else if (refused)
		printf("; system call %u cannot be undone", refused - 1);
	putchar('\n');
	return 0;
}
