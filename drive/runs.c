/* drive/runs.c -- see runs.h.  One run after the other, each a process of its own. */
#include "drive/runs.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/str.h"

struct runs {
	struct runs_setup setup;
	VEC(struct run_order) orders;
	size_t next;
	int output;
};

struct runs *runs_open(const struct runs_setup *setup, struct err *why)
{
	struct runs *r = mem_take(sizeof *r);
	r->setup = *setup;
	r->output = memfd_create("raddle-output", MFD_CLOEXEC);
	if (r->output >= 0)
		return r;
	err_set(why, "cannot make memory for the program's output: %s", str_error(errno));
	mem_free(r);
	return NULL;
}

void runs_close(struct runs *r)
{
	if (!r)
		return;
	close(r->output);
	vec_release(&r->orders);
	mem_free(r);
}

unsigned runs_room(const struct runs *r)
{
	return r->next < r->orders.count ? 0 : 1;
}

void runs_give(struct runs *r, const struct run_order *order)
{
	vec_push(&r->orders, *order);
}

static double children_seconds(void)
{
	struct rusage u;
	getrusage(RUSAGE_CHILDREN, &u);
	return (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) + (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec) * 1e-6;
}

static void take_output(struct runs *r, struct run_done *out)
{
	off_t bytes = lseek(r->output, 0, SEEK_END);
	out->output_bytes = bytes > 0 ? (uint64_t)bytes : 0;
	size_t kept = out->output_bytes < RUNS_OUTPUT ? (size_t)out->output_bytes : RUNS_OUTPUT;
	char piece[4096];
	for (ssize_t got; out->output.count < kept; ) {
		got = pread(r->output, piece, sizeof piece, (off_t)out->output.count);
		if (got <= 0)
			break;
		for (ssize_t i = 0; i < got && out->output.count < kept; i++)
			vec_push(&out->output, piece[i]);
	}
}

int runs_take(struct runs *r, struct run_done *out, struct err *why)
{
	if (r->next == r->orders.count)
		return 0;
	struct run_order order = r->orders.at[r->next++];
	struct steer_options o = r->setup.like;
	memset(out, 0, sizeof *out);
	out->tag = order.tag;
	o.schedule = order.schedule;
	o.policy = order.policy;
	o.depth = order.depth;
	o.seed = order.seed;
	o.length = order.length;
	o.ways = order.ways;
	o.events = order.events;
	o.save_trace = order.save_trace;
	o.output = r->output;
	o.apart = true;
	if (ftruncate(r->output, 0) < 0 || lseek(r->output, 0, SEEK_SET) < 0)
		return err_set(why, "cannot empty the memory for the program's output: %s", str_error(errno));
	double before = children_seconds();
	if (steer_run(&o, &out->result, why) < 0)
		return -1;
	out->seconds = children_seconds() - before;
	take_output(r, out);
	return 1;
}

void run_done_release(struct run_done *d)
{
	steer_result_release(&d->result);
	vec_release(&d->output);
}
