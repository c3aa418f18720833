/* cli/stopping.c -- see stopping.h.
 * The run is made once more, and the bytes of its calls that put out something are counted. */
#include "cli/stopping.h"

#include "cli/rerun.h"
#include "trace/live.h"
#include "trace/reader.h"

/* version: the descriptor, and one more. */
static bool is_output(const struct event *ev)
{
	return ev->kind == EV_OUTPUT && (ev->version == 2 || ev->version == 3) && ev->points;
}

struct call { uint32_t thread; uint64_t points, since; bool found; };   /* since: calls of its thread since that point */

static void count_call(struct call *c, const struct event *ev)
{
	bool same = c->found && c->thread == ev->thread.i && c->points == ev->points;
	*c = (struct call){ ev->thread.i, ev->points, same ? c->since + 1 : 1, true };
}

/* The call that has the byte, or the last one before it. */
static struct call find_call(struct live *events, uint64_t byte)
{
	struct event ev;
	struct call c = { 0 };
	for (uint64_t put = 0; put < byte && live_next(events, UINT64_MAX, &ev);) {
		if (!is_output(&ev))
			continue;
		put += ev.arg;
		count_call(&c, &ev);
	}
	return c;
}

static void stop_before(struct schedule *s, const char *path, struct live *events, uint64_t byte)
{
	struct err ignored;
	struct call c = find_call(events, byte);
	const char *name = c.found ? trace_thread(live_trace(events), (struct thread_id){ c.thread })->path : "";
	uint32_t thread = schedule_thread(s, name);
	if (!c.found || thread == NO_PART)
		return;
	s->stop_thread = thread;
	s->stop_nth = c.points;
	s->stop_output = c.since;
	schedule_write(s, path, &ignored);
}

struct wrong { struct schedule *schedule; const char *path; uint64_t byte; };

static void take(void *with, struct live *events)
{
	const struct wrong *w = with;
	stop_before(w->schedule, w->path, events, w->byte);
}

void stop_at_output(struct schedule *s, const char *path, uint64_t byte)
{
	if (byte)
		rerun(path, take, &(struct wrong){ s, path, byte });
}
