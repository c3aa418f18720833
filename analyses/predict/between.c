/* analyses/predict/between.c -- see between.h. */
#include "analyses/predict/between.h"

#include "base/vec.h"
#include "trace/reader.h"

/* Of each thread its last access, and of the others the first read and the first write since. */
struct seen { struct event last, read, write; bool any, other_read, other_write; };

static bool is_word(uint8_t kind)
{
	return kind >= EV_READ && kind <= EV_CAS;
}

static bool writes(const struct event *ev)
{
	return ev->kind == EV_WRITE || ev->kind == EV_ASTORE || ev->kind == EV_RMW || (ev->kind == EV_CAS && !ev->failed);
}

/* What came between the thread's last access and this one, in a way that no order without it has; or NULL. */
static const struct event *broken_by(const struct seen *s, const struct event *now)
{
	bool both_write = writes(&s->last) && writes(now);
	if (!s->any)
		return NULL;
	return both_write ? s->other_read ? &s->read : NULL : s->other_write ? &s->write : NULL;
}

static void note(struct seen *all, uint32_t threads, const struct event *ev)
{
	for (uint32_t t = 0; t < threads; t++) {
		struct seen *s = &all[t];
		if (t == ev->thread.i) {
			*s = (struct seen){ .last = *ev, .any = true };
		} else if (writes(ev) ? !s->other_write : !s->other_read) {
			*(writes(ev) ? &s->write : &s->read) = *ev;
			*(writes(ev) ? &s->other_write : &s->other_read) = true;
		}
	}
}

/* A trace that is read to its end, or until something is found. */
struct walk { struct trace *trace; struct merged *events; uint32_t threads; };

static int walk_open(struct walk *w, const char *path, struct err *why)
{
	*w = (struct walk){ 0 };
	int got = trace_open(&w->trace, path, &(struct trace_options){ 0 }, why);
	if (got == 0)
		got = merged_open(&w->events, w->trace, why);
	w->threads = got == 0 ? trace_thread_count(w->trace) : 0;
	return got;
}

static void walk_close(struct walk *w)
{
	merged_close(w->events);
	trace_close(w->trace);
}

static void tell(struct findings *l, struct finding *f, struct trace *t, const struct event *three[3])
{
	finding_places_clear(f);
	f->kind = FINDING_ATOMICITY;
	for (int i = 0; i < 3; i++)
		finding_place_add(l, f, three[i], trace_thread(t, three[i]->thread)->path);
}

int tell_between(struct findings *l, struct finding *f, const char *trace, uint64_t address, struct err *why)
{
	struct walk w;
	const struct event *ev, *other = NULL;
	int got = walk_open(&w, trace, why);
	struct seen *all = mem_take((w.threads + 1) * sizeof *all);
	while (got >= 0 && !other && (got = merged_next_in_place(w.events, &ev, why)) > 0) {
		if (!is_word(ev->kind) || address - ev->object >= ev->size)
			continue;
		other = broken_by(&all[ev->thread.i], ev);
		if (other)
			tell(l, f, w.trace, (const struct event *[3]){ &all[ev->thread.i].last, other, ev });
		else
			note(all, w.threads, ev);
	}
	mem_free(all);
	walk_close(&w);
	return got < 0 ? -1 : other != NULL;
}

/* ---- what is lost ---- */

struct knows { bool has_read, stale; };         /* of each thread: stale, somebody has written since */

/* Does it read in the same step?  An exchange gives its thread what was there. */
static bool reads_too(const struct event *ev)
{
	return ev->kind == EV_CAS || ev->kind == EV_RMW;
}

/* An exchange of a lock that is taken already leaves it so. */
static bool changes(const struct event *ev)
{
	return writes(ev) && !(reads_too(ev) && ev->has_value && ev->size <= 8 && ev->arg == ev->written);
}

/* True: this writes over what its thread has not seen. */
static bool loses(struct knows *all, uint32_t threads, const struct event *ev)
{
	struct knows *own = &all[ev->thread.i];
	bool lost = writes(ev) && !reads_too(ev) && own->has_read && own->stale;
	*own = (struct knows){ .has_read = !writes(ev) || reads_too(ev) };
	for (uint32_t t = 0; changes(ev) && t < threads; t++)
		all[t].stale |= t != ev->thread.i && all[t].has_read;
	return lost;
}

int trace_loses(const char *trace, uint64_t address, struct err *why)
{
	struct walk w;
	const struct event *ev;
	bool lost = false;
	int got = walk_open(&w, trace, why);
	struct knows *all = mem_take((w.threads + 1) * sizeof *all);
	while (got >= 0 && !lost && (got = merged_next_in_place(w.events, &ev, why)) > 0)
		lost = is_word(ev->kind) && address - ev->object < ev->size && loses(all, w.threads, ev);
	mem_free(all);
	walk_close(&w);
	return got < 0 ? -1 : lost;
}
