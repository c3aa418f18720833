/* tests/epa/alike.c -- run after run of a program without a fault: how many deviate from the first, told by names (analyses/epa) and told naively, line by
 * line as the events are written, thread by thread, with addresses and all.
 *   alike <state file> <runs> <jobs> <program>...       prints a table; exit 1 if a run deviates
 * Half of the runs are native ones under address randomisation, half are steered in random orders.  Each job has a state file, <state file>.0 and so on, with
 * what it counted: killed, it goes on where it was.  The programs must be deterministic.
 *
 * Every run is compared, both ways.  A job is two processes: one that has the golden runs, and one that has nothing and starts the programs, since to copy the
 * first for each run took half of the time. */
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <xxhash.h>

#include "analyses/epa/canon.h"
#include "analyses/epa/diff.h"
#include "base/err.h"
#include "drive/record.h"
#include "drive/steer.h"

enum way { NATIVE, STEERED, WAYS };

struct counts { uint64_t runs, deviate, naive; };
struct program {
	char *path;
	struct counts by[WAYS];
	struct names_book book[WAYS];
	struct trace *trace[WAYS];
	struct canon golden[WAYS];
	VEC(uint64_t) lines[WAYS];              /* a hash of each lane, as lines_of() has them */
	bool ready[WAYS];
};

struct asked { struct program *program; enum way way; uint64_t number; };      /* told to the starter, a copy of us: the same addresses */

#define JOBS_MOST 64u

static char trace_file[512], state_file[512];
static unsigned job, jobs;
static int starter;                             /* socket to it */

static _Noreturn void die(const char *what)
{
	fprintf(stderr, "alike: %s\n", what);
	exit(2);
}

/* ---- one run ---- */

_Noreturn static void start(const struct asked *a)
{
	char *words[] = { a->program->path, NULL };
	struct err why;
	struct record_options record = { .output = trace_file, .level = MODE_ACCESS, .argv = words, .full = true, .quiet = true };
	struct steer_options steer = { .argv = words, .policy = STEER_RANDOM, .seed = a->number * jobs + job + 1, .save_trace = trace_file };
	struct steer_result result;
	int null = open("/dev/null", O_RDWR);
	dup2(null, 0);
	dup2(null, 1);
	dup2(null, 2);
	if (a->way == NATIVE)
		_exit(record_run(&record, &why));
	_exit(steer_run(&steer, &result, &why) < 0 ? 126 : steer_exit_code(&result));
}

_Noreturn static void start_all(int socket)
{
	struct asked asked;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	while (read(socket, &asked, sizeof asked) == sizeof asked) {
		int status, code;
		pid_t pid = fork();
		if (pid == 0)
			start(&asked);
		code = pid > 0 && waitpid(pid, &status, 0) == pid && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
		if (write(socket, &code, sizeof code) != sizeof code)
			break;
	}
	_exit(0);
}

static void open_starter(void)
{
	int ends[2];
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) < 0)
		die("no socket");
	pid_t pid = fork();
	if (pid < 0)
		die("no process");
	if (pid == 0) {
		close(ends[0]);
		start_all(ends[1]);
	}
	close(ends[1]);
	starter = ends[0];
}

static int make_run(struct program *p, enum way way, uint64_t number)
{
	struct asked asked = { p, way, number };
	int code;
	if (write(starter, &asked, sizeof asked) != sizeof asked || read(starter, &code, sizeof code) != sizeof code)
		die("the starter is gone");
	return code;
}

/* What a comparison line by line would see: kind, place, address and value of every event, lane by lane. */
static uint64_t lines_of(struct trace *t, uint32_t thread)
{
	const char *path = trace_thread(t, (struct thread_id){ thread })->path;
	uint64_t hash = XXH64(path, strlen(path), 0);
	struct lane *lane;
	struct event ev;
	struct err why;
	if (lane_open(&lane, t, (struct thread_id){ thread }, &why) < 0)
		die(why.text);
	while (lane_next(lane, &ev, &why) > 0) {
		uint64_t line[5] = { ev.kind, ev.place->site, ev.object, ev.arg, ev.nest };
		hash = XXH64(line, sizeof line, hash);
	}
	lane_close(lane);
	return hash;
}

/* Has every lane of the first run the same lines?  Asked up to the first that has not. */
static bool same_lines(const struct program *p, enum way way, struct trace *t)
{
	bool same = trace_thread_count(t) == p->lines[way].count;
	for (uint32_t i = 0; same && i < trace_thread_count(t); i++) {
		uint64_t hash = lines_of(t, i);
		size_t k = 0;
		while (k < p->lines[way].count && p->lines[way].at[k] != hash)
			k++;
		same = k < p->lines[way].count; /* the hash has its path, so it is that lane */
	}
	return same;
}

static void take_first(struct program *p, enum way way)
{
	struct err why;
	if (make_run(p, way, 0) != 0 || trace_open(&p->trace[way], trace_file, &(struct trace_options){ 0 }, &why) < 0)
		die("the first run failed");
	book_open(&p->book[way]);
	if (canon_make(&p->golden[way], p->trace[way], &p->book[way], NULL, &why) < 0)
		die(why.text);
	for (uint32_t i = 0; i < trace_thread_count(p->trace[way]); i++)
		vec_push(&p->lines[way], lines_of(p->trace[way], i));
	p->ready[way] = true;
}

static void compare_one(struct program *p, enum way way)
{
	struct counts *c = &p->by[way];
	struct trace *t;
	struct canon canon;
	struct diff d;
	struct err why;
	if (!p->ready[way])
		take_first(p, way);
	if (make_run(p, way, c->runs) != 0 || trace_open(&t, trace_file, &(struct trace_options){ 0 }, &why) < 0)
		die("a run failed");
	if (canon_make(&canon, t, &p->book[way], &p->golden[way], &why) < 0)
		die(why.text);
	diff_make(&d, &p->golden[way], &canon);
	if (d.deviating) {
		printf("%s: run %" PRIu64 " (%s) deviates in %s\n", p->path, c->runs, way == NATIVE ? "native" : "steered", diff_sorted(&d)[0]->path);
		char kept[600];
		snprintf(kept, sizeof kept, "%s-%s-%" PRIu64, trace_file, way == NATIVE ? "native" : "steered", c->runs);
		rename(trace_file, kept);
	}
	c->runs++;
	c->deviate += d.deviating > 0;
	c->naive += !same_lines(p, way, t);
	diff_release(&d);
	canon_release(&canon);
	trace_close(t);
}

/* ---- what was counted ---- */

static void save(const struct program *all, int count)
{
	char path[600];
	snprintf(path, sizeof path, "%s.new", state_file);
	FILE *out = fopen(path, "w");
	if (!out)
		die("cannot write the state file");
	for (int i = 0; i < count; i++)
		for (int w = 0; w < WAYS; w++)
			fprintf(out, "%s %d %" PRIu64 " %" PRIu64 " %" PRIu64 "\n", all[i].path, w, all[i].by[w].runs, all[i].by[w].deviate, all[i].by[w].naive);
	fclose(out);
	if (rename(path, state_file) < 0)
		die("cannot write the state file");
}

/* Adds what this job counted. */
static void restore(struct program *all, int count)
{
	char path[512];
	int way;
	struct counts c;
	FILE *in = fopen(state_file, "r");
	while (in && fscanf(in, "%511s %d %" SCNu64 " %" SCNu64 " %" SCNu64, path, &way, &c.runs, &c.deviate, &c.naive) == 5)
		for (int i = 0; i < count; i++)
			if (!strcmp(all[i].path, path) && way >= 0 && way < WAYS) {
				struct counts *sum = &all[i].by[way];
				*sum = (struct counts){ sum->runs + c.runs, sum->deviate + c.deviate, sum->naive + c.naive };
			}
	if (in)
		fclose(in);
}

/* ---- jobs ---- */

static void name_files(const char *base, unsigned which)
{
	job = which;
	snprintf(state_file, sizeof state_file, "%s.%u", base, which);
	snprintf(trace_file, sizeof trace_file, "%s.%u.trace", base, which);
}

static void work(struct program *all, int count, uint64_t each)
{
	open_starter();
	restore(all, count);
	for (bool more = true; more;) {
		more = false;
		for (int i = 0; i < count; i++)
			for (int w = 0; w < WAYS; w++)
				if (all[i].by[w].runs < each) {
					compare_one(&all[i], (enum way)w);
					more = true;
				}
		save(all, count);
	}
}

static void work_all(const char *base, struct program *all, int count, uint64_t each)
{
	bool failed = false;
	for (unsigned k = 0; k < jobs; k++) {
		pid_t pid = fork();
		if (pid < 0)
			die("no process");
		if (pid == 0) {
			prctl(PR_SET_PDEATHSIG, SIGKILL);
			name_files(base, k);
			work(all, count, each);
			fflush(stdout);
			_exit(0);
		}
	}
	for (int status; wait(&status) > 0;)
		failed |= status != 0;
	if (failed)
		die("a job failed; start it again, it goes on where it was");
}

static int tell(const char *base, struct program *all, int count)
{
	uint64_t total = 0, deviate = 0;
	for (unsigned k = 0; k < jobs; k++) {
		name_files(base, k);
		restore(all, count);
	}
	printf("| program | native runs | deviate | line by line | steered runs | deviate | line by line |\n|---|---|---|---|---|---|---|\n");
	for (int i = 0; i < count; i++) {
		const struct counts *n = &all[i].by[NATIVE], *s = &all[i].by[STEERED];
		const char *slash = strrchr(all[i].path, '/');
		printf("| %s | %" PRIu64 " | %" PRIu64 " | %" PRIu64 " | %" PRIu64 " | %" PRIu64 " | %" PRIu64 " |\n", slash ? slash + 1 : all[i].path, n->runs, n->deviate,
			n->naive, s->runs, s->deviate, s->naive);
		total += n->runs + s->runs;
		deviate += n->deviate + s->deviate;
	}
	printf("%" PRIu64 " runs without a fault, %" PRIu64 " deviate\n", total, deviate);
	return deviate ? 1 : 0;
}

int main(int argc, char **argv)
{
	int count = argc - 4;
	if (count < 1)
		die("usage: alike <state file> <runs> <jobs> <program>...");
	jobs = (unsigned)strtoul(argv[3], NULL, 10);
	if (!jobs || jobs > JOBS_MOST)
		die("jobs: 1 to 64");
	uint64_t each = strtoull(argv[2], NULL, 10) / ((uint64_t)(count * WAYS) * jobs) + 1;
	struct program *all = calloc((size_t)count, sizeof *all);
	for (int i = 0; i < count; i++)
		all[i].path = argv[4 + i];
	work_all(argv[1], all, count, each);
	return tell(argv[1], all, count);
}
