/* trace/verify_calls.c -- when did code run that raddle does not see, and which frame of a stack holds an address?
 *
 * A CALL is followed by an ENTER of the function it names, or that function has no records of its own.  If it is a
 * library function of which verify_names.c says what it writes, all is well.  Else it may have written anything, at any
 * time from the call to the next event that shows the program's own code at work again:
 *   (1) such a stretch counts when it ends; reads that looked wrong meanwhile were kept open (verify_reads.c);
 *   (2) unseen code that calls back into the program: from the end of the callback the stretch goes on;
 *   (3) a thread is in unseen code until the first event that shows otherwise: before its start routine is entered, and,
 *       in a flight recording, before the first event that was kept.  A steered run records neither calls nor entries:
 *       there a thread begins in the program (verify_reads.c knows what else is not said).
 * Frames: a function touches its own frame and those of its callers, which lie above.  So an address not below the lowest
 * one a frame's function has touched belongs to that frame or to an outer one. */
#include <string.h>

#include "trace/verify_inside.h"

/* Unseen code ran in this thread since event `since`, up to now. */
static void ran_unseen(struct verifier *v, uint32_t thread, uint32_t since, const char *name)
{
	struct thread_state *t = &v->threads[thread];
	v->calls.wild_gen++;
	v->calls.wild_seq = v->seq - 1;               /* not this event, which shows the end of it */
	t->wild_time = clock_own(v, thread);
	v->out->unknown_calls++;
	if (v->waiting.unresolved)
		reads_weaken(v, thread, since);
	name = name ? trace_shown(v->trace, name) : "";
	uint32_t id = names_put(&v->calls.outside, name, strlen(name));
	while (v->out->outside.count <= id) {
		vec_add(&v->out->outside);
		v->out->outside.at[v->out->outside.count - 1].name = arena_text(&v->out->arena, name, strlen(name));
	}
	v->out->outside.at[id].calls++;
}

void calls_finish(struct verifier *v)
{
	for (uint32_t i = 0; i < v->thread_count; i++) {
		const struct thread_state *t = &v->threads[i];
		bool gone = v->last && (!t->seen || (t->joined && !t->ended));          /* nothing of it, or not its end, was kept */
		if (t->call == CALL_UNKNOWN)
			ran_unseen(v, i, t->call_seq, t->callee);
		if (gone)
			ran_unseen(v, i, 0, "(a thread of which too little was kept)");
	}
}

bool calls_clean(struct verifier *v, uint32_t thread)
{
	struct thread_state *t = &v->threads[thread];
	if (!v->calls.wild_gen)
		return true;
	if (t->clean_gen == v->calls.wild_gen && t->clean_change == t->change)
		return t->clean_known;
	t->clean_known = true;
	for (uint32_t i = 0; i < v->thread_count && t->clean_known; i++)
		if (v->threads[i].wild_time)
			t->clean_known = before(v, i, v->threads[i].wild_time, thread);
	t->clean_gen = v->calls.wild_gen;
	t->clean_change = t->change;
	return t->clean_known;
}

/* Constructors and destructors go by several names for one body. */
static bool same_function(const char *called, const char *entered)
{
	size_t n = strlen(called);
	if (strcmp(called, entered) == 0)
		return true;
	if (n != strlen(entered) || strncmp(called, "_Z", 2) != 0)
		return strncmp(called, entered, n) == 0 && entered[n] == '.';
	for (size_t i = 0; i < n; i++)
		if (called[i] != entered[i] &&
			!(i && strchr("CD", called[i - 1]) && strchr("012345", called[i]) && strchr("012345", entered[i])))
			return false;
	return true;
}

/* Does this event show the program's own code at work?  Others may come from inside a library. */
static bool shows_program(const struct event *ev)
{
	enum event_class class = event_class(ev->kind);
	return ev->kind == EV_READ || ev->kind == EV_WRITE || class == CLASS_ATOMIC || class == CLASS_FLOW || ev->kind == EV_END;
}

static bool says_nothing(const struct event *ev)
{
	return event_class(ev->kind) == CLASS_BOOK || ev->kind == EV_STACK || ev->kind == EV_TLS || ev->kind == EV_NAME ||
		ev->kind == EV_BEGIN;
}

/* A library that calls back (qsort) may be half way through what it does: what is read meanwhile is not what stays. */
static void follow_callback(struct thread_state *t)
{
	struct frame *f = &t->frames.at[t->frames.count - 1];
	f->callback = true;
	t->callbacks++;
	if (t->frames.count > 1)
		f[-1].serves = true;
}

static bool is_callback(const struct thread_state *t, const struct event *ev)
{
	const struct frame *f = t->frames.count ? &t->frames.at[t->frames.count - 1] : NULL;
	if (ev->kind != EV_ENTER)
		return false;
	return t->call == CALL_KNOWN || t->call == CALL_ALLOCATES || (t->call == CALL_NONE && f && f->serves);
}

static void drop_frames(struct thread_state *t, size_t count)
{
	while (t->frames.count > count)
		t->callbacks -= t->frames.at[--t->frames.count].callback;
}

static void settle_call(struct verifier *v, struct thread_state *t, const struct event *ev)
{
	uint32_t thread = ev->thread.i;
	bool unknown = t->call == CALL_UNKNOWN;
	if (ev->kind == EV_ENTER) {
		bool it = !t->callee || same_function(t->callee, ev->place->linkage);
		if (unknown && !it) {
			ran_unseen(v, thread, t->call_seq, t->callee);
			if (t->frames.count)
				t->frames.at[t->frames.count - 1].outside = true;
		}
		t->call = CALL_NONE;
	} else if (ev->kind == EV_LEAVE && v->seq == t->call_seq + 1) {
		return;                                         /* a call in the place of the return */
	} else if (shows_program(ev)) {
		if (unknown)
			ran_unseen(v, thread, t->call_seq, t->callee);
		t->call = CALL_NONE;
	} else if (unknown) {
		ran_unseen(v, thread, t->call_seq, t->callee);
	}
}

static void settle_callback(struct verifier *v, struct thread_state *t, const struct event *ev)
{
	struct frame *f = &t->frames.at[t->frames.count - 1];
	ran_unseen(v, ev->thread.i, t->call_seq, "");
	if (ev->kind != EV_ENTER && shows_program(ev))
		f->outside = false;
}

static void push_frame(struct verifier *v, struct thread_state *t)
{
	uint64_t low = t->frames.count ? t->frames.at[t->frames.count - 1].low : UINT64_MAX;
	vec_push(&t->frames, ((struct frame){ .seq = v->seq, .low = low }));
}

static void follow_frames(struct verifier *v, struct thread_state *t, const struct event *ev)
{
	switch (ev->kind) {
	case EV_ENTER:
		push_frame(v, t);
		break;
	case EV_LEAVE:
		drop_frames(t, t->frames.count - (t->frames.count > 0));
		t->call_seq = v->seq;                           /* unseen callers, if any, go on from here */
		break;
	case EV_LANDED:
		if (ev->arg)
			drop_frames(t, ev->arg);
		break;
	case EV_CALL:
		t->call = call_kind_of(v, ev->name);
		t->callee = ev->name;
		t->call_seq = v->seq;
		break;
	}
}

void calls_event(struct verifier *v, const struct event *ev)
{
	struct thread_state *t = &v->threads[ev->thread.i];
	if (ev->nest || says_nothing(ev))
		return;
	bool library_calls = is_callback(t, ev);
	if (t->frames.count && t->call == CALL_NONE && ev->kind != EV_ENTER && shows_program(ev))
		t->frames.at[t->frames.count - 1].serves = false;
	if (t->call != CALL_NONE)
		settle_call(v, t, ev);
	else if (t->frames.count && t->frames.at[t->frames.count - 1].outside)
		settle_callback(v, t, ev);
	if (event_class(ev->kind) == CLASS_FLOW)
		follow_frames(v, t, ev);
	if (library_calls)
		follow_callback(t);
	if (ev->kind != EV_READ && ev->kind != EV_WRITE)
		t->outside_seq = v->seq;
}

void calls_first(struct verifier *v, const struct event *ev)
{
	struct thread_state *t = &v->threads[ev->thread.i];
	if (ev->kind == EV_BEGIN && v->real && v->values && !v->total) {
		t->call = CALL_UNKNOWN;
		t->callee = NULL;
		t->call_seq = v->seq;
	} else if (v->last) {
		ran_unseen(v, ev->thread.i, 0, "(before the first event kept)");
		for (uint64_t i = 0; ev->kind == EV_KEYFRAME && i < ev->object && i < 4096; i++)
			push_frame(v, t);
	}
}

void calls_lost(struct verifier *v, const struct event *ev)
{
	ran_unseen(v, ev->thread.i, 0, "(records lost)");
	v->calls.gap_seq = v->seq;
}

void calls_touch_stack(struct verifier *v, uint32_t thread, uint64_t address)
{
	struct thread_state *t = &v->threads[thread];
	if (address - t->stack_low >= t->stack_high - t->stack_low || !t->frames.count)
		return;
	struct frame *f = &t->frames.at[t->frames.count - 1];
	if (address < f->low)
		f->low = address;
}

uint32_t calls_frame_seq(const struct verifier *v, uint32_t owner, uint64_t address)
{
	const struct thread_state *t = &v->threads[owner];
	size_t j = t->frames.count;
	if (!j || t->frames.at[j - 1].low > address)
		return j ? t->frames.at[j - 1].seq : UINT32_MAX;
	while (j > 1 && t->frames.at[j - 2].low <= address)
		j--;
	return t->frames.at[j - 1].seq;
}
