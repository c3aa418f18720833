/* trace/perfetto.c -- see perfetto.h.
 *
 * Slices of a thread: functions, and waits, which end with the thread's next event.  Locks held are slices of their own
 * (async, one row per lock), failures and signals marks.
 *   (1) times of a thread never fall: an event without a time has that of the one before;
 *   (2) every slice that is begun is ended, the last at the end of the trace;
 *   (3) a trace without times is drawn with one microsecond an event. */
#include "trace/perfetto.h"

#include <inttypes.h>
#include <string.h>

#include "base/json.h"
#include "base/map.h"
#include "base/vec.h"

struct line { double now; uint32_t depth; bool waits; };        /* one thread */
struct held { uint64_t lock; uint32_t thread, depth; };

struct perfetto {
	struct trace *trace;
	const struct objects *objects;
	FILE *out;
	struct json json;
	VEC(struct line) lines;
	struct map holds;               /* lock ^ thread -> depth */
	VEC(struct held) held;          /* every pair ever held */
	uint64_t first, number;
	double end;
};

static void begin(struct perfetto *p, const char *phase, uint32_t thread, double at)
{
	if (p->number++)
		fputs(",\n", p->out);
	json_init(&p->json, p->out);
	json_object(&p->json);
	json_put_text(&p->json, "ph", phase);
	json_put_number(&p->json, "pid", 1);
	json_put_number(&p->json, "tid", thread + 1ull);
	json_key(&p->json, "ts");
	json_real(&p->json, at);
}

static void finish(struct perfetto *p)
{
	json_end(&p->json, '}');
}

static void name_thread(struct perfetto *p, uint32_t i)
{
	char label[160];
	const struct trace_thread *t = trace_thread(p->trace, (struct thread_id){ i });
	snprintf(label, sizeof label, "%s%s%s", t->path, *t->name ? " " : "", t->name);
	begin(p, "M", i, 0);
	json_put_text(&p->json, "name", "thread_name");
	json_key(&p->json, "args");
	json_object(&p->json);
	json_put_text(&p->json, "name", label);
	json_end(&p->json, '}');
	finish(p);
}

struct perfetto *perfetto_open(struct trace *t, const struct objects *o, FILE *out)
{
	struct perfetto *p = mem_take(sizeof *p);
	p->trace = t;
	p->objects = o;
	p->out = out;
	fputs("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n", out);
	for (uint32_t i = 0; i < trace_thread_count(t); i++) {
		vec_add(&p->lines);
		name_thread(p, i);
	}
	return p;
}

/* Microseconds since the first time of the trace. */
static double time_of(struct perfetto *p, const struct event *ev)
{
	struct line *line = &p->lines.at[ev->thread.i];
	uint64_t ticks = trace_ticks_per_second(p->trace);
	double at = line->now;
	if (!ticks) {
		at = (double)p->first++;
	} else if (ev->time) {
		p->first = p->first ? p->first : ev->time;
		at = ev->time > p->first ? (double)(ev->time - p->first) * 1e6 / (double)ticks : 0;
	}
	if (at > line->now)
		line->now = at;
	if (line->now > p->end)
		p->end = line->now;
	return line->now;
}

static void put_place(struct perfetto *p, const struct event *ev)
{
	char where[160];
	if (!place_short(ev->place, where, sizeof where)[0])
		return;
	json_key(&p->json, "args");
	json_object(&p->json);
	json_put_text(&p->json, "at", where);
	json_end(&p->json, '}');
}

static void begin_slice(struct perfetto *p, const struct event *ev, double at, const char *name, const char *category)
{
	begin(p, "B", ev->thread.i, at);
	json_put_text(&p->json, "cat", category);
	json_put_text(&p->json, "name", name);
	put_place(p, ev);
	finish(p);
	p->lines.at[ev->thread.i].depth++;
}

static void end_slice(struct perfetto *p, uint32_t thread, double at)
{
	struct line *line = &p->lines.at[thread];
	if (!line->depth)
		return;
	line->depth--;
	begin(p, "E", thread, at);
	finish(p);
}

static void lock_slice(struct perfetto *p, const char *phase, uint64_t lock, uint32_t thread, double at)
{
	char name[256], id[48];
	snprintf(id, sizeof id, "%" PRIx64 ".%" PRIu32, lock, thread);
	begin(p, phase, thread, at);
	json_put_text(&p->json, "cat", "lock");
	json_put_text(&p->json, "id", id);
	json_put_text(&p->json, "name", objects_name(p->objects, lock, name, sizeof name));
	finish(p);
}

static struct held *held_of(struct perfetto *p, uint64_t lock, uint32_t thread)
{
	uint64_t key = lock ^ (uint64_t)thread << 48;
	uint64_t *index = map_put(&p->holds, key, NULL);
	if (!*index) {
		vec_push(&p->held, ((struct held){ lock, thread, 0 }));
		*index = p->held.count;
	}
	return &p->held.at[*index - 1];
}

static void take_lock(struct perfetto *p, const struct event *ev, uint64_t lock, double at)
{
	struct held *h = held_of(p, lock, ev->thread.i);
	if (h->depth++ == 0)
		lock_slice(p, "b", lock, ev->thread.i, at);
}

static void give_lock(struct perfetto *p, const struct event *ev, uint64_t lock, double at, bool all)
{
	struct held *h = held_of(p, lock, ev->thread.i);
	if (!h->depth)
		return;
	h->depth = all ? 0 : h->depth - 1;
	if (!h->depth)
		lock_slice(p, "e", lock, ev->thread.i, at);
}

static void begin_wait(struct perfetto *p, const struct event *ev, double at)
{
	char name[256], text[320];
	bool join = ev->kind == EV_BLOCK && ev->arg == EV_JOIN && ev->object < trace_thread_count(p->trace);
	if (join)
		snprintf(name, sizeof name, "%s", trace_thread(p->trace, (struct thread_id){ (uint32_t)ev->object })->path);
	else
		objects_name(p->objects, ev->object, name, sizeof name);
	snprintf(text, sizeof text, "waits for %s", name);
	begin_slice(p, ev, at, text, "wait");
	p->lines.at[ev->thread.i].waits = true;
}

static void put_mark(struct perfetto *p, const struct event *ev, double at)
{
	begin(p, "i", ev->thread.i, at);
	json_put_text(&p->json, "s", ev->kind == EV_FAILURE ? "p" : "t");
	json_put_text(&p->json, "name", event_word(ev->kind));
	put_place(p, ev);
	finish(p);
}

void perfetto_event(struct perfetto *p, const struct event *ev)
{
	struct line *line = &p->lines.at[ev->thread.i];
	double at = time_of(p, ev);
	if (line->waits) {
		line->waits = false;
		end_slice(p, ev->thread.i, at);
	}
	switch (ev->kind) {
	case EV_ENTER:
		begin_slice(p, ev, at, *ev->place->function ? place_function(p->trace, ev->place) : "function", "function");
		break;
	case EV_LEAVE:
		end_slice(p, ev->thread.i, at);
		break;
	case EV_LOCK:
		if (!ev->in_flight)
			take_lock(p, ev, ev->object, at);
		break;
	case EV_UNLOCK:
		if (!ev->result)
			give_lock(p, ev, ev->object, at, false);
		break;
	case EV_CWAIT:
		give_lock(p, ev, ev->arg, at, true);
		begin_wait(p, ev, at);
		break;
	case EV_CWAKE:
		take_lock(p, ev, ev->arg, at);
		break;
	case EV_BLOCK:
		begin_wait(p, ev, at);
		break;
	case EV_FORK: case EV_JOIN: case EV_SIGENTER: case EV_FAILURE: case EV_EXIT: case EV_INJECT: case EV_LABEL: case EV_CSIGNAL:
	case EV_CBROADCAST:
		put_mark(p, ev, at);
		break;
	}
}

void perfetto_close(struct perfetto *p)
{
	if (!p)
		return;
	for (uint32_t i = 0; i < p->lines.count; i++)
		while (p->lines.at[i].depth)
			end_slice(p, i, p->end);
	for (size_t i = 0; i < p->held.count; i++)
		if (p->held.at[i].depth)
			lock_slice(p, "e", p->held.at[i].lock, p->held.at[i].thread, p->end);
	fputs("\n]}\n", p->out);
	vec_release(&p->lines);
	vec_release(&p->held);
	map_release(&p->holds);
	mem_free(p);
}
