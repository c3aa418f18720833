/* analyses/predict/recording.c -- see recording.h. */
#include "analyses/predict/recording.h"

#include <stdlib.h>
#include <string.h>

#include "analyses/predict/reading.h"

#define NODES_MOST 28000000u                    /* of about 110 bytes */

/* May somebody outside, or who waits at a descriptor, notice it? */
static bool tells(uint8_t kind)
{
	return kind == EV_OUTPUT || kind == EV_OUTCALL || kind == EV_SHUT || kind == EV_OPENED || kind == EV_SIGSEND || kind == EV_PROCESS || kind == EV_END || kind == EV_EXIT;
}

/* Which point each event of a thread is, and when that was; `done` points in all. */
static int align_thread(struct recording *r, uint32_t thread, uint64_t done, struct err *why)
{
	struct thread_points *p = &r->points[thread];
	struct lane *lane;
	struct event ev;
	int got;
	if (lane_open(&lane, r->trace, (struct thread_id){ thread }, why) < 0)
		return -1;
	while ((got = lane_next(lane, &ev, why)) > 0) {
		vec_push(&p->nth, ev.points);
		if (tells(ev.kind))
			vec_push(&p->told, ev.points);
		while (p->times.count < ev.points)
			vec_push(&p->times, ev.time);
	}
	while (p->times.count < done)
		vec_push(&p->times, UINT64_MAX);
	lane_close(lane);
	return got < 0 ? -1 : 0;
}

static void keep_answers(struct thread_points *p, const struct schedule *log, uint32_t thread)
{
	for (size_t i = 0; i < log->steps.count; i++) {
		const struct schedule_step *step = &log->steps.at[i];
		if (step->what == STEP_ANSWER && step->thread == thread)
			vec_push(&p->answers, ((struct recorded_answer){ step->nth, step->answer }));
	}
}

static int align(struct recording *r, const struct steer_result *run, struct err *why)
{
	uint32_t threads = trace_thread_count(r->trace);
	int result = 0;
	r->points = mem_take((threads + 1) * sizeof *r->points);
	for (uint32_t t = 0; t < threads && result == 0; t++)
		for (size_t s = 0; s < run->threads.count; s++)
			if (!strcmp(run->threads.at[s].path, recording_path(r, t))) {
				result = align_thread(r, t, run->threads.at[s].done, why);
				keep_answers(&r->points[t], &run->log, (uint32_t)s);
			}
	return result;
}

static void number_nodes(struct recording *r)
{
	r->of_node = mem_take((order_nodes(r->order) + 1) * sizeof *r->of_node);
	for (uint32_t i = 0; i < order_nodes(r->order); i++) {
		struct order_node n = order_node(r->order, i);
		if (n.real && n.thread < trace_thread_count(r->trace))          /* not that a store reaches memory */
			r->of_node[i] = recording_nth(r, n.thread, n.index);
	}
}

/* The first pass: clocks, sections, and what is worth a second one. */
static int read_all(struct recording *r, bool shared, struct err *why)
{
	struct reading g;
	const struct event *ev;
	uint32_t most = r->most ? r->most : NODES_MOST;
	int got;
	r->order = r->weak ? order_new_weak(r->trace) : order_new(r->trace);
	screen_begin(&r->screen, r->trace, r->order, shared);
	got = reading_open(&g, r, UINT64_MAX, r->screen.objects, why);
	while (got >= 0 && (got = reading_next(&g, &ev, why)) > 0) {
		r->full = order_nodes(r->order) >= most && g.read > most / 2;   /* not of what is held where it begins */
		if (r->full)
			break;
		if (!r->lines.known)
			lines_note(&r->lines, ev);
		screen_note(&r->screen, ev, order_note(r->order, ev));
	}
	r->events = g.read - r->full;
	r->cut = r->full || g.stopped;
	reading_close(&g);
	if (got < 0)
		return -1;
	screen_end(&r->screen);
	order_seal(r->order);
	return 0;
}

/* One may be alive, the one that ends the program. */
bool recording_cuts_off(const struct steer_result *run)
{
	uint32_t alive = 0;
	for (size_t i = 0; i < run->threads.count; i++)
		alive += run->threads.at[i].state != STRAND_ENDED;
	return alive > (run->outcome != OUTCOME_EXIT ? 0 : 1);
}

static bool is_unfinished(const struct trace *t, const struct steer_result *run)
{
	uint32_t alive = 0;
	for (uint32_t i = 0; !run && i < trace_thread_count(t); i++)
		alive += trace_thread(t, (struct thread_id){ i })->alive_at_end;
	return run ? recording_cuts_off(run) : alive > 1;
}

int recording_open(struct recording *r, const char *path, const struct steer_result *run, struct err *why)
{
	if (trace_open(&r->trace, path, &(struct trace_options){ 0 }, why) < 0)
		return -1;
	const char *events = trace_fact(r->trace, "events");
	r->whole = events ? strtoull(events, NULL, 10) : 0;
	if (read_all(r, run != NULL, why) < 0)
		return -1;
	if (run && lines_end(&r->lines)) {              /* other orders are possible than it was taken to have */
		screen_release(&r->screen);
		order_free(r->order);
		r->order = NULL;
		if (read_all(r, true, why) < 0)
			return -1;
	}
	r->closes_nothing = r->cut || r->lines.otherwise || is_unfinished(r->trace, run) || (r->screen.handlers && r->screen.interruptible) || r->screen.timed;
	if (run && align(r, run, why) < 0)
		return -1;
	if (run)
		number_nodes(r);
	return 0;
}

void recording_close(struct recording *r)
{
	for (uint32_t t = 0; r->points && t < trace_thread_count(r->trace); t++) {
		vec_release(&r->points[t].nth);
		vec_release(&r->points[t].times);
		vec_release(&r->points[t].answers);
		vec_release(&r->points[t].told);
	}
	mem_free(r->points);
	mem_free(r->of_node);
	lines_release(&r->lines);
	screen_release(&r->screen);
	order_free(r->order);
	trace_close(r->trace);
	*r = (struct recording){ 0 };
}

bool recording_goes_on(const struct recording *r, uint64_t read)
{
	return !r->go_on || r->go_on(r->with, read, r->whole);
}

uint64_t recording_nth(const struct recording *r, uint32_t thread, uint64_t index)
{
	return r->points && index < r->points[thread].nth.count ? r->points[thread].nth.at[index] : 0;
}

struct moment recording_behind(const struct recording *r, uint32_t thread, uint64_t index, uint64_t nth)
{
	const struct thread_points *p = &r->points[thread];
	while (index < p->nth.count && p->nth.at[index] <= nth)
		index++;
	return (struct moment){ .spot = order_spot(r->order, thread, index), .nth = nth };
}

size_t recording_told(const struct recording *r, uint32_t thread, uint64_t nth)
{
	const struct thread_points *p = &r->points[thread];
	size_t low = 0, high = p->told.count;           /* [0, low) are up to there */
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (p->told.at[middle] <= nth)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

const char *recording_path(const struct recording *r, uint32_t thread)
{
	return trace_thread(r->trace, (struct thread_id){ thread })->path;
}
