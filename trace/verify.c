/* trace/verify.c -- see verify.h: the pass itself, and what is kept of what it finds.
 *
 * Each event goes, in this order, to: calls (had unseen code run before it?), sync (structure), versions (clocks move),
 * memory (objects begin and end, bytes are written and read).  A problem names its event; who wrote the value that was
 * expected is looked up in a second pass, made only when there are problems. */
#include "trace/verify_inside.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const verify_rule_words[RULE_COUNT] = { "lock", "thread", "version", "condition", "barrier", "semaphore", "flush", "value" };
const char *const verify_cause_words[CAUSE_COUNT] = { "own_write", "other_write", "library", "race", "fresh", "initial", "signal",
	"unseen" };

/* ---- what is found ---- */

const char *path_of(const struct verifier *v, uint32_t thread)
{
	return thread < v->thread_count ? trace_thread(v->trace, (struct thread_id){ thread })->path : "?";
}

const char *object_text(struct verifier *v, uint64_t address)
{
	char name[256];
	objects_name(v->objects, address, name, sizeof name);
	return arena_text(&v->out->arena, name, strlen(name));
}

/* Lanes of a trace that was cut short end at different moments. */
static bool is_cut(const struct trace *t)
{
	return trace_salvaged(t) || !trace_complete(t);
}

struct verify_problem *problem(struct verifier *v, enum verify_rule rule, const struct event *ev, const char *format, ...)
{
	static struct verify_problem not_kept;
	char text[512];
	va_list list;
	if (is_cut(v->trace))                           /* what is missing may explain it */
		return &not_kept;
	if (v->out->problem_count++ >= PROBLEMS_KEPT)
		return &not_kept;
	va_start(list, format);
	vsnprintf(text, sizeof text, format, list);
	va_end(list);
	struct verify_problem *p = vec_add(&v->out->problems);
	*p = (struct verify_problem){ .rule = rule, .thread = ev->thread, .index = ev->index, .place = ev->place, .object = ev->object,
		.name = ev->name, .text = arena_text(&v->out->arena, text, strlen(text)), .writer = NO_THREAD };
	return p;
}

/* ---- objects ---- */

static uint64_t bytes_of(struct verifier *v, uint64_t start)
{
	const struct object *b = objects_at(v->objects, start);
	return b && b->start == start ? b->bytes : 0;
}

/* `size` bytes at `start` begin a new life. */
static void forget(struct verifier *v, uint64_t start, uint64_t size)
{
	if (!size || start + size < start)
		return;
	memory_forget(v, start, size);
	sync_forget(v, start, size);
}

static void note_resized(struct verifier *v, const struct event *ev)
{
	uint64_t old = 0, had;
	if (ev->byte_count >= 8)
		memcpy(&old, ev->bytes, 8);
	had = old == ev->object ? bytes_of(v, old) : 0;
	if (old != ev->object)
		forget(v, ev->object, ev->arg);
	else if (ev->arg > had)
		forget(v, old + had, ev->arg - had);
}

static void note_allocated(struct verifier *v, const struct event *ev)
{
	struct thread_state *t = &v->threads[ev->thread.i];
	bool library = t->call == CALL_KNOWN || (t->call == CALL_UNKNOWN && v->real);
	uint64_t *mark = library ? map_put(&v->calls.library_blocks, ev->object, NULL) : map_get(&v->calls.library_blocks, ev->object);
	if (mark)
		*mark = library;
	forget(v, ev->object, ev->arg);
}

static void note_mapped(struct verifier *v, const struct event *ev)
{
	bool shared = ev->result & MAPPED_SHARED;
	uint64_t *mark = shared ? map_put(&v->calls.shared_maps, ev->object, NULL) : map_get(&v->calls.shared_maps, ev->object);
	if (mark)
		*mark = shared;
	forget(v, ev->object, ev->arg);
}

static void note_object(struct verifier *v, const struct event *ev)
{
	struct thread_state *t = &v->threads[ev->thread.i];
	switch (ev->kind) {
	case EV_ALLOC:
		note_allocated(v, ev);
		break;
	case EV_REALLOC:
		note_resized(v, ev);
		break;
	case EV_FREE:
		forget(v, ev->object, bytes_of(v, ev->object));
		break;
	case EV_LEFT:
		forget(v, ev->object, ev->arg);
		break;
	case EV_UNMAP:
		forget(v, ev->object, ev->arg ? ev->arg : bytes_of(v, ev->object));
		break;
	case EV_MAP:
		note_mapped(v, ev);
		break;
	case EV_STACK:
		t->stack_low = ev->object;
		t->stack_high = ev->object + ev->arg;
		forget(v, ev->object, ev->arg);
		break;
	case EV_TLS:
		forget(v, ev->object, ev->arg);
		break;
	}
	objects_note(v->objects, ev);
	if (ev->kind == EV_ALLOC && ev->result == 1)
		memory_range(v, ev->object, ev->arg, NULL, 0, 0, ENTRY_LIBRARY);
}

/* ---- accesses ---- */

/* A filled range whose kept bytes are all the same is filled so to its end. */
static int fill_of(const struct event *ev)
{
	if (!ev->name || strcmp(ev->name, "memset") != 0 || !ev->byte_count)
		return -1;
	for (uint32_t i = 1; i < ev->byte_count; i++)
		if (ev->bytes[i] != ev->bytes[0])
			return -1;
	return ev->bytes[0];
}

static void note_library(struct verifier *v, const struct event *ev)
{
	uint64_t skip = ev->kind == EV_COPY ? 8 : 0;
	const uint8_t *bytes = ev->byte_count > skip ? ev->bytes + skip : NULL;
	uint64_t known = bytes ? ev->byte_count - skip : 0;
	if (known > ev->arg)
		known = ev->arg;
	if (!ev->object)
		return;
	if (ev->kind == EV_LIBREAD) {
		for (uint64_t at = 0; at < known; at += 16)
			reads_check(v, ev, ev->object + at, known - at < 16 ? (unsigned)(known - at) : 16, bytes + at);
		return;
	}
	if (!held_back(v, ev, ENTRY_LIBRARY))
		memory_range(v, ev->object, ev->arg, bytes, known, fill_of(ev), ENTRY_LIBRARY);
}

/* Events of one record have one time.  If a signal handler came in the middle of it and jumped away, the rest of the record
 * was never filled in. */
static void note_recent(struct thread_state *t, const struct event *ev)
{
	if (t->recent_time != ev->time)
		t->recent_count = 0;
	t->recent_time = ev->time;
	if (ev->kind == EV_WRITE)
		t->recent[t->recent_count++ % 40] = ev->object;
}

static void note_signal(struct verifier *v, uint32_t thread)
{
	struct thread_state *t = &v->threads[thread];
	for (uint32_t i = 0; i < t->recent_count && i < 40; i++) {
		memory_doubt(v, t->recent[i]);
		memory_doubt(v, t->recent[i] + 8);
	}
	t->recent_count = 0;
	reads_interrupted(v, thread, t->recent_time);
}

static void note_plain(struct verifier *v, const struct event *ev)
{
	uint8_t bytes[16];
	memcpy(bytes, &ev->arg, 8);
	memcpy(bytes + 8, &ev->arg_high, 8);
	if (!ev->nest) {
		calls_touch_stack(v, ev->thread.i, ev->object);
		note_recent(&v->threads[ev->thread.i], ev);
	}
	if (ev->kind == EV_READ) {
		if (ev->in_flight)
			return;
		v->out->valueless += !ev->has_value;
		if (ev->has_value && ev->size <= 16)
			reads_check(v, ev, ev->object, ev->size, bytes);
	} else if (held_back(v, ev, 0)) {
		return;
	} else if (ev->has_value && ev->size <= 16 && !ev->in_flight) {
		memory_write(v, ev->object, ev->size, bytes, 0);
	} else {
		memory_range(v, ev->object, ev->size, NULL, 0, -1, 0);
	}
}

static void note_atomic(struct verifier *v, const struct event *ev)
{
	uint64_t old[2] = { ev->arg, ev->arg_high }, new[2] = { ev->written, ev->written_high };
	unsigned size = ev->size > 16 ? 16 : ev->size;
	bool writes = ev->kind == EV_ASTORE || ev->kind == EV_RMW || (ev->kind == EV_CAS && !ev->failed);
	const uint64_t *stored = ev->kind == EV_ASTORE ? old : new;
	unsigned exact = ev->version ? ENTRY_ATOMIC : 0;
	if (ev->kind == EV_FENCE || ev->in_flight)
		return;
	if (ev->kind != EV_ASTORE && ev->has_value)
		reads_check(v, ev, ev->object, size, (const uint8_t *)old);
	if (held_back(v, ev, exact))
		return;
	if (writes && ev->has_value)
		memory_write(v, ev->object, size, (const uint8_t *)stored, exact);
	else if (writes)
		memory_range(v, ev->object, size, NULL, 0, -1, exact);
}

static void note_memory(struct verifier *v, const struct event *ev)
{
	switch (ev->kind) {
	case EV_READ: case EV_WRITE:
		note_plain(v, ev);
		break;
	case EV_LIBREAD: case EV_LIBWRITE: case EV_COPY: case EV_INPUT:
		note_library(v, ev);
		break;
	case EV_FLUSH:
		held_flushed(v, ev);
		break;
	default:
		if (event_class(ev->kind) == CLASS_ATOMIC)
			note_atomic(v, ev);
		else if (event_class(ev->kind) == CLASS_OBJECT)
			note_object(v, ev);
	}
}

/* ---- the pass ---- */

static void note_event(struct verifier *v, const struct event *ev)
{
	struct thread_state *t = &v->threads[ev->thread.i];
	v->out->events++;
	v->seq++;
	v->now = ev->thread.i;
	v->in_handler = ev->nest > 0;
	v->flow |= event_class(ev->kind) == CLASS_FLOW;
	if (v->total && ev->time)
		sync_number(v, ev);
	if (!t->seen) {
		t->seen = true;
		calls_first(v, ev);
	}
	if (ev->kind == EV_READ || ev->kind == EV_WRITE) {
		calls_event(v, ev);
		if (t->doubtful_unlock || t->ended)
			sync_settle(v, ev), sync_event(v, ev);
		note_plain(v, ev);
		t->after_handler = v->in_handler;
		return;
	}
	calls_event(v, ev);
	sync_settle(v, ev);
	sync_event(v, ev);
	bool met = sync_versions(v, ev);
	if (ev->kind == EV_LOST)
		calls_lost(v, ev);
	if (ev->kind == EV_SIGENTER)
		note_signal(v, v->now);
	if (v->values)
		note_memory(v, ev);
	else if (event_class(ev->kind) == CLASS_OBJECT)
		note_object(v, ev);
	if (met)
		clocks_step(v, v->now);
	t->after_handler = v->in_handler;
}

static int pass(struct verifier *v, struct err *why)
{
	struct merged *m;
	struct event ev;
	int got = merged_open(&m, v->trace, why);
	if (got < 0)
		return -1;
	while ((got = merged_next(m, &ev, why)) > 0) {
		note_event(v, &ev);
		if (v->seq == UINT32_MAX) {
			v->out->undecided = "the trace has more events than can be told apart";
			break;
		}
	}
	merged_close(m);
	return got < 0 ? -1 : 0;
}

/* Where was what the failed reads should have found written? */
static void find_writers(struct verifier *v)
{
	struct merged *m;
	struct event ev;
	struct err ignored;
	uint64_t at = 0, most = 0;
	for (size_t i = 0; i < v->out->problems.count; i++)
		most = v->out->problems.at[i].writer_seq > most ? v->out->problems.at[i].writer_seq : most;
	if (!most || merged_open(&m, v->trace, &ignored) < 0)
		return;
	while (at < most && merged_next(m, &ev, &ignored) > 0) {
		at++;
		for (size_t i = 0; i < v->out->problems.count; i++)
			if (v->out->problems.at[i].writer_seq == at)
				v->out->problems.at[i].writer_place = ev.place;
	}
	merged_close(m);
}

static int by_reads(const void *a, const void *b)
{
	const struct verify_site *x = a, *y = b;
	return x->reads != y->reads ? (x->reads < y->reads ? 1 : -1) : 0;
}

static void sort_outside(struct verify *out)
{
	for (size_t i = 1; i < out->outside.count; i++)
		for (size_t k = i; k && out->outside.at[k - 1].calls < out->outside.at[k].calls; k--) {
			__typeof__(*out->outside.at) one = out->outside.at[k];
			out->outside.at[k] = out->outside.at[k - 1];
			out->outside.at[k - 1] = one;
		}
}

static void settle(struct verifier *v)
{
	for (uint32_t i = 0; i < v->thread_count; i++) {
		struct thread_state *t = &v->threads[i];
		struct event last = { .kind = EV_END, .thread = { i }, .place = t->doubtful_event.place };
		if (t->doubtful_unlock)
			sync_settle(v, &last);
		if (trace_thread(v->trace, (struct thread_id){ i })->lost && !v->calls.gap_seq)
			v->out->undecided = "records were lost";
	}
	if (is_cut(v->trace))
		v->out->undecided = "part of the trace is missing";
	calls_finish(v);
	reads_finish(v);
	if (v->out->problem_count)
		find_writers(v);
	if (v->out->unseen.count)
		qsort(v->out->unseen.at, v->out->unseen.count, sizeof *v->out->unseen.at, by_reads);
	sort_outside(v->out);
}

static void set_up(struct verifier *v, struct trace *t)
{
	v->trace = t;
	v->objects = objects_new(t);
	v->total = trace_order(t) == ORDER_TOTAL;
	v->real = trace_module_count(t) > 0;
	v->last = (trace_flags(t) & TRACE_LAST) || trace_fact(t, "turned");
	v->values = !(trace_flags(t) & TRACE_NO_VALUES) && trace_level(t) != 1;
	v->thread_count = trace_thread_count(t);
	v->threads = mem_take((v->thread_count + 1u) * sizeof *v->threads);
	v->stripes = mem_take(STRIPES * sizeof *v->stripes);
	for (uint32_t i = 0; i < STRIPES; i++)
		v->stripes[i].meeting.last = UINT32_MAX;
	v->libraries = v->real && names_any_library(t);
	names_prepare(v);
}

static void release(struct verifier *v)
{
	for (uint32_t i = 0; i < v->thread_count; i++) {
		mem_free(v->threads[i].clock.at);
		vec_release(&v->threads[i].frames);
	}
	for (uint32_t i = 0; i < STRIPES; i++)
		mem_free(v->stripes[i].meeting.clock.at);
	mem_free(v->threads);
	mem_free(v->stripes);
	map_release(&v->calls.call_kinds);
	names_release(&v->calls.known);
	names_release(&v->calls.outside);
	map_release(&v->calls.library_blocks);
	map_release(&v->calls.shared_maps);
	map_release(&v->sync.lock_index);
	vec_release(&v->sync.locks);
	vec_release(&v->sync.held);
	map_release(&v->sync.reader_counts);
	memory_release(v);
	vec_release(&v->waiting.open);
	vec_release(&v->waiting.pending);
	map_release(&v->waiting.pending_index);
	map_release(&v->waiting.site_index);
	held_free(v->held);
	objects_free(v->objects);
}

int verify_take(struct verify **out, struct trace *t, struct err *why)
{
	struct verifier *v = mem_take(sizeof *v);
	int got = 0;
	*out = v->out = mem_take(sizeof *v->out);
	set_up(v, t);
	if (v->thread_count > UINT16_MAX)
		v->out->undecided = "the trace has more threads than can be told apart";
	else
		got = pass(v, why);
	if (got == 0)
		settle(v);
	release(v);
	mem_free(v);
	return got;
}

void verify_free(struct verify *v)
{
	if (!v)
		return;
	vec_release(&v->problems);
	vec_release(&v->unseen);
	vec_release(&v->outside);
	arena_release(&v->arena);
	mem_free(v);
}
