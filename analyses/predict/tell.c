/* analyses/predict/tell.c -- see tell.h. */
#include "analyses/predict/tell.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "report/story.h"
#include "trace/objects.h"

#define TURNS_TOLD 24u
#define CALLERS_MOST 64u
#define STORY_BYTES (16 << 20)          /* a trace of some ten million events: of longer runs only the turns are told */

/* A copy has two sides: what was read of it is told as read. */
static uint8_t kind_of_side(uint8_t kind, bool writes)
{
	return kind == EV_COPY && !writes ? EV_LIBREAD : kind;
}

/* ---------------------------------------------------------------- races */

static const char *lock_name(const struct race_lock *k, char into[32])
{
	snprintf(into, 32, "0x%" PRIx64, k->address);
	return k->name ? k->name : into;
}

static void side(struct findings *l, struct finding *f, const struct race_list *list, const struct race_side *s)
{
	const struct race_thread *t = &list->threads.at[s->thread];
	char name[32];
	struct event ev = { .kind = kind_of_side(s->kind, s->write), .size = (uint8_t)s->bytes, .place = s->place };
	struct finding_place *p = finding_place_add(l, f, &ev, t->path);
	p->bytes = s->bytes;
	p->stack_known = s->stack_known;
	p->locks_known = true;
	for (uint32_t i = 0; i < s->stack_count; i++)
		vec_push(&p->stack, finding_spot_of(l, s->stack[i]));
	for (uint32_t i = 0; i < s->lock_count; i++)
		finding_lock_add(l, &p->locks, lock_name(&s->locks[i], name), s->locks[i].reading, finding_spot_of(l, s->locks[i].place));
	if (t->maker != UINT32_MAX && t->maker < list->threads.count) {
		p->made_by = findings_text(l, list->threads.at[t->maker].path);
		p->made_at = finding_spot_of(l, t->made_at);
	}
}

void tell_race(struct findings *l, struct finding *f, const struct race_list *list, const struct race *race)
{
	static const enum finding_memory kinds[] = { MEMORY_UNKNOWN, MEMORY_GLOBAL, MEMORY_HEAP, MEMORY_STACK, MEMORY_TLS, MEMORY_MAP };
	const struct race_memory *m = &race->memory;
	finding_places_clear(f);
	for (int i = 0; i < 2; i++)
		side(l, f, list, &race->side[i]);
	f->object.memory = kinds[m->kind];
	f->object.offset = m->offset;
	f->object.bytes = m->bytes;
	if ((m->kind == RACE_HEAP || m->kind == RACE_STACK || m->kind == RACE_TLS) && m->thread < list->threads.count)
		f->object.thread = findings_text(l, list->threads.at[m->thread].path);
	f->object.at = finding_spot_of(l, m->place);
	f->times = race->times;
}

void tell_aim(struct findings *l, struct finding *f, const struct recording *r, const struct aim *aim, const char *object)
{
	finding_places_clear(f);
	for (uint32_t i = 0; i < aim->count; i++) {
		const struct moment *m = &aim->at[f->kind == FINDING_ORDER ? aim->count - 1 - i : i];
		struct event ev = { .kind = kind_of_side(m->kind, m->writes), .size = m->size, .place = m->place, .object = m->address };
		struct finding_place *p = finding_place_add(l, f, &ev, recording_path(r, m->spot.thread));
		if (m->waits_for)
			p->object = findings_text(l, m->waits_for);
		if (m->holds)
			finding_lock_add(l, &p->locks, m->holds, false, finding_spot(l, "", 0, ""));
	}
	f->object.name = findings_text(l, object);
}

/* ---------------------------------------------------------------- failed runs */

enum finding_kind tell_kind(const struct steer_result *r)
{
	if (r->outcome == OUTCOME_DEADLOCK)
		return strcmp(steer_deadlock(r), "lost wake-up") ? FINDING_DEADLOCK : FINDING_LOST_WAKEUP;
	if (r->outcome == OUTCOME_MEMORY && strstr(r->text, "double free"))
		return FINDING_DOUBLE_FREE;
	if (steer_left(r))
		return FINDING_USE_AFTER_RETURN;
	if ((r->outcome == OUTCOME_MEMORY && r->block.freed_by) || steer_unmapped(r))
		return FINDING_USE_AFTER_FREE;
	if (steer_null(r))
		return FINDING_NULL_DEREFERENCE;
	return FINDING_KIND_COUNT;
}

static struct finding_place *place_at(struct findings *l, struct finding *f, struct steer_result *r, uint64_t place, uint32_t kind, const char *thread)
{
	static const struct place unknown = { .file = "", .function = "", .linkage = "", .unit = "", .module = "", .ordinal = UINT32_MAX };
	struct source at = { "", "", 0 };
	struct event ev = { .kind = (uint8_t)kind, .place = &unknown };
	places_source(r->places, place, &at);
	struct finding_place *p = finding_place_add(l, f, &ev, thread);
	p->at = finding_spot(l, at.file, at.line, at.function);
	return p;
}

static void stack_of(struct findings *l, struct finding_place *p, struct steer_result *r, const struct steer_thread *t, uint64_t place)
{
	struct source own, callers[CALLERS_MOST];
	p->stack_known = t->frames.count == t->depth;
	unsigned count = places_callers(r->places, place, t->frames.at, t->frames.count, callers, CALLERS_MOST);
	if (!p->at.line && count && !callers[0].line && places_function(r->places, t->frames.at[t->frames.count - 1].entered, &own))
		callers[0] = own;                       /* in a library without lines: where the function that called it begins */
	for (unsigned i = 0; i < count; i++)
		vec_push(&p->stack, finding_spot(l, callers[i].file, callers[i].line, callers[i].function));
}

static void tell_wait(struct findings *l, struct finding *f, struct steer_result *r, const struct steer_thread *t)
{
	char object[256];
	struct finding_place *p = place_at(l, f, r, t->place, t->kind, t->path);
	if (t->kind == EV_JOIN && t->waits_for != NO_PART)
		snprintf(object, sizeof object, "%s", r->threads.at[t->waits_for].path);
	else if ((t->kind == EV_INPUT || t->kind == EV_OUTPUT) && t->object)
		snprintf(object, sizeof object, "descriptor %llu", (unsigned long long)t->object - 1);
	else if (t->kind == EV_INPUT)
		snprintf(object, sizeof object, "a signal or descriptor");
	else
		places_object(r->places, t->object, object, sizeof object);
	p->object = findings_text(l, object);
	stack_of(l, p, r, t, t->place);
	if (!*f->object.name)
		f->object.name = p->object;
}

void tell_waits(struct findings *l, struct finding *f, struct steer_result *r)
{
	uint32_t start = steer_circle(r), at = start;
	finding_places_clear(f);
	f->object.name = "";
	if (start != NO_PART) {
		do {
			tell_wait(l, f, r, &r->threads.at[at]);
			at = r->threads.at[at].waits_for;
		} while (at != start);
	} else {
		for (size_t i = 0; i < r->threads.count; i++)
			if (r->threads.at[i].waits && !r->threads.at[i].usual && r->threads.at[i].kind != EV_JOIN)
				tell_wait(l, f, r, &r->threads.at[i]);
	}
	f->object.memory = MEMORY_LOCK;
}

static const char *path_of(const struct steer_result *r, uint32_t strand_and_one)
{
	return strand_and_one && strand_and_one <= r->threads.count ? r->threads.at[strand_and_one - 1].path : "";
}

/* Where it crashed, if its object says so: the thread may have done things since its last event. */
static uint64_t fault_place(struct steer_result *r, const struct steer_thread *t, uint32_t *kind)
{
	struct source at = { "", "", 0 };
	if (!steer_faulted(r) || !r->fault_place || !places_source(r->places, r->fault_place, &at) || !at.line)
		return t->place;
	*kind = r->fault_kind ? r->fault_kind : *kind;
	return r->fault_place;
}

void tell_crash(struct findings *l, struct finding *f, struct steer_result *r)
{
	const struct steer_thread *t = steer_running(r);
	struct source at;
	char name[160];
	finding_places_clear(f);
	bool reads = r->outcome == OUTCOME_MEMORY && strstr(r->text, "read ") && (t && (t->kind == EV_COPY || t->kind == EV_LIBWRITE));
	uint32_t kind = t ? reads ? EV_LIBREAD : t->kind : 0;
	uint64_t place = t ? fault_place(r, t, &kind) : 0;
	if (t)
		stack_of(l, place_at(l, f, r, place, kind, t->path), r, t, place);
	if (r->outcome == OUTCOME_MEMORY && r->block.freed_by && r->block.freed_place)
		place_at(l, f, r, r->block.freed_place, steer_left(r) ? EV_LEFT : EV_FREE, path_of(r, r->block.freed_by));
	if (steer_unmapped(r))
		place_at(l, f, r, r->block.freed_place, EV_UNMAP, path_of(r, r->block.freed_by));
	if (steer_left(r)) {
		bool local = r->block.freed_place && places_source(r->places, r->block.freed_place, &at);
		snprintf(name, sizeof name, local ? "a local of %.100s" : "memory of a thread that has ended", local ? at.function : "");
		f->object.name = findings_text(l, name);
		f->object.memory = MEMORY_STACK;
		f->object.bytes = local ? r->block.bytes : 0;
		f->object.thread = findings_text(l, path_of(r, r->block.freed_by));
	} else if (r->outcome == OUTCOME_MEMORY && r->block.bytes) {
		f->object.memory = MEMORY_HEAP;
		f->object.bytes = r->block.bytes;
		f->object.thread = findings_text(l, path_of(r, r->block.given_by));
		if (places_source(r->places, r->block.given_place, &at)) {
			f->object.at = finding_spot(l, at.file, at.line, at.function);
			if (*at.file && at.line)
				snprintf(name, sizeof name, "heap %.100s:%u", finding_file_name(at.file), at.line);
			else            /* a library made it */
				snprintf(name, sizeof name, "heap %.100s", *at.function ? at.function : "object");
			f->object.name = findings_text(l, name);
		}
	}
}

void tell_effect(struct findings *l, struct finding *f, struct steer_result *r, bool failed, bool output_differs)
{
	char said[STEER_SAY];
	f->effect = !failed ? output_differs ? EFFECT_OUTPUT : EFFECT_NONE
		: r->outcome == OUTCOME_DEADLOCK || r->outcome == OUTCOME_LIVELOCK ? EFFECT_HANG : r->outcome == OUTCOME_EXIT ? EFFECT_OUTPUT : EFFECT_CRASH;
	f->effect_text = failed ? findings_text(l, steer_say(r, said)) : "";
}

/* ---------------------------------------------------------------- the order */

static bool tell_story(struct findings *l, struct finding *f, const char *path)
{
	struct trace *t;
	struct stat file;
	struct err ignored;
	if (stat(path, &file) < 0 || file.st_size > STORY_BYTES || trace_open(&t, path, &(struct trace_options){ .salvage = true }, &ignored) < 0)
		return false;
	bool told = story_tell(l, f, t, &ignored) == 0;
	trace_close(t);
	return told;
}

void tell_order(struct findings *l, struct finding *f, const struct schedule *log, const char *trace)
{
	if (tell_story(l, f, trace))
		return;
	size_t first = log->steps.count > TURNS_TOLD ? log->steps.count - TURNS_TOLD : 0;
	f->steps_before = first;
	for (size_t i = first; i < log->steps.count; i++) {
		const struct schedule_step *s = &log->steps.at[i];
		if (s->what != STEP_RUN)
			continue;
		const char *said = event_said(s->kind);
		finding_step_add(l, f, log->threads.at[s->thread].path, said ? said : "go on",
			finding_spot(l, s->place.file, s->place.line, s->place.function));
	}
}
