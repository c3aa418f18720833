/* drive/steer_result.c -- what came of a steered run, copied out of memory the program could write. */
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/str.h"
#include "drive/environment.h"
#include "drive/object.h"
#include "drive/program.h"
#include "drive/steer_inside.h"
#include "trace/reader.h"
#include "wire/input.h"

#define NULL_PAGE 4096u                 /* addresses below: a null pointer, or a field behind one */

/* ---------------------------------------------------------------- taking */

static void take_text(char *to, const char *from, size_t room)
{
	size_t n = 0;
	for (; n + 1 < room && from[n]; n++)
		to[n] = from[n];
	to[n] = 0;
	for (size_t at = 0, length; to[at]; at += length ? length : 1) {
		length = str_shown(to + at);
		if (!length)
			to[at] = (unsigned char)to[at] < 128 ? ' ' : '?';
	}
}

/* The process's number in the ring; RING_PROCESSES: it is not there. */
static uint32_t process_of(const struct ring *r, int32_t pid)
{
	for (uint32_t i = 0; i < RING_PROCESSES; i++) {
		const struct process_entry *p = ring_process(r, i);
		if (p->state == PROC_LIVE && p->pid == pid)
			return i;
	}
	return RING_PROCESSES;
}

static int scribbled(struct err *why)
{
	err_set(why, "the program has written over the memory it shares with raddle: what it did is not known");
	why->code = 125;
	return -1;
}

/* A live area of that path, or one whose thread has ended, or NULL. */
static const struct thread_area *area_of(const struct ring *r, uint32_t process, const char *path)
{
	const struct thread_area *found = NULL;
	for (uint32_t i = 0, count = ring_area_count(r); i < count; i++) {
		const struct thread_area *a = ring_area(r, i);
		if (a->process == process && a->state != AREA_FREE && strncmp(a->path, path, PATH_BYTES) == 0 &&
			(!found || a->state == AREA_LIVE))
			found = a;
	}
	return found;
}

static void take_area(struct steer_result *r, struct steer_thread *t, const struct thread_area *a)
{
	char name[sizeof a->name];
	take_text(name, a->name, sizeof name);
	t->name = schedule_text(&r->log, name, strlen(name));
	t->depth = a->depth;
	t->held = a->held_count < AREA_HELD ? a->held_count : AREA_HELD;
	for (uint32_t i = 0; i < t->depth && i < AREA_FRAMES; i++)
		vec_push(&t->frames, a->frames[i]);
}

static bool holds(const struct thread_area *a, uint64_t object)
{
	for (uint32_t i = 0; a && i < a->held_count && i < AREA_HELD; i++)
		if (a->held[i] == object)
			return true;
	return false;
}

/* The writer that waits and that this reader stands back for. */
static uint32_t find_writer(const struct steer_result *r, uint32_t reader)
{
	for (uint32_t i = 0; i < r->threads.count; i++)
		if (steer_stands_back(&r->threads.at[reader], &r->threads.at[i]))
			return i;
	return NO_PART;
}

/* Who has what this thread waits for. */
static uint32_t find_holder(const struct steer_result *r, const struct thread_area *const *areas, uint32_t waiter)
{
	const struct steer_thread *t = &r->threads.at[waiter];
	for (uint32_t i = 0; t->waits && i < r->threads.count; i++) {
		if (t->kind == EV_JOIN ? areas[i] && areas[i]->thread == t->object : t->object && holds(areas[i], t->object))
			return i;
	}
	return NO_PART;
}

static int take_threads(struct steer_result *r, const struct shared *m, const struct ring *ring, uint32_t process, struct err *why)
{
	uint32_t count = m->head->strand_count;
	int result = count && count <= STEER_STRANDS ? 0 : scribbled(why);
	const struct thread_area **areas = mem_take(result ? 1 : count * sizeof *areas);
	for (uint32_t i = 0; result == 0 && i < count; i++) {
		struct steer_strand s = *shared_strand(m, i);
		s.path[PATH_BYTES - 1] = 0;
		if (!schedule_is_path(s.path) || (i == 0) != (strcmp(s.path, "T_0") == 0) || (i && schedule_thread(&r->log, s.path) != NO_PART)) {
			result = scribbled(why);
			break;
		}
		struct steer_thread *t = vec_add(&r->threads);
		*t = (struct steer_thread){ .name = "", .state = s.state <= STRAND_ENDED ? s.state : STRAND_NONE, .done = s.done,
			.kind = s.kind < EV_COUNT ? s.kind : 0, .waits = s.waits && s.state == STRAND_AT_POINT, .object = s.object,
			.place = s.place, .deadline = s.deadline, .how = (uint32_t)s.how, .waits_for = NO_PART };
		areas[i] = process < RING_PROCESSES && t->state != STRAND_NONE ? area_of(ring, process, s.path) : NULL;
		if (areas[i])
			take_area(r, t, areas[i]);
		if (i)
			schedule_thread_add(&r->log, s.path, t->name);
		else
			r->log.threads.at[0].name = t->name;
		t->path = r->log.threads.at[i].path;
	}
	for (uint32_t i = 0; result == 0 && i < count; i++)
		r->threads.at[i].waits_for = find_writer(r, i) != NO_PART ? find_writer(r, i) : find_holder(r, areas, i);
	mem_free(areas);
	return result;
}

static uint32_t module_number(struct steer_result *r, uint32_t index)
{
	for (uint32_t i = 0; i < r->log.modules.count; i++)
		if (r->log.modules.at[i].index == index)
			return i;
	return schedule_module_add(&r->log, places_module_name(r->places, index), index);
}

static void take_place(struct steer_result *r, struct schedule_step *step, uint64_t place)
{
	uint32_t index;
	if (place && places_locate(r->places, place & RECORD_ADDRESS_MASK, &index, &step->place.offset))
		step->place.module = module_number(r, index);
}

/* Is it a step that could follow those before it?  done[] is the last event each thread is known to have come to. */
static bool step_is_sound(const struct steer_result *r, const struct steer_step *s, const uint64_t *done)
{
	if (s->what < STEP_RUN || s->what > STEP_FLUSH || (s->what == STEP_ANSWER && s->answer > ANSWER_SPURIOUS) || s->strand >= r->threads.count || s->nth == 0 ||
		s->nth > SCHEDULE_NTH_MAX || s->kind >= EV_COUNT || (s->kind && !event_word(s->kind)))
		return false;
	return s->what == STEP_FLUSH ? s->nth <= done[s->strand] && s->answer <= SCHEDULE_PART_MAX : s->nth > done[s->strand];
}

static bool was_killed(const struct steer_result *r)
{
	return r->outcome == OUTCOME_SIGNAL && shared_kills(r->value);
}

static bool has_open_turn(const struct steer_result *r, uint32_t thread, const uint64_t *done)
{
	return thread < r->threads.count && r->threads.at[thread].done > done[thread] && r->threads.at[thread].done <= SCHEDULE_NTH_MAX;
}

/* A turn is written when it is over; the last one is where the run ended.  Who is killed in the middle of a switch has written an
 * answer to an event that did not come, or is not yet called the running one, and what its last event was is not certain. */
static void take_last_turn(struct steer_result *r, uint32_t running, const uint64_t *done)
{
	struct schedule *log = &r->log;
	while (log->steps.count && log->steps.at[log->steps.count - 1].what == STEP_ANSWER &&
		log->steps.at[log->steps.count - 1].nth > r->threads.at[log->steps.at[log->steps.count - 1].thread].done)
		log->steps.count--;
	uint32_t last = running;
	for (uint32_t i = 0; i < r->threads.count && !has_open_turn(r, last, done); i++)
		last = i;
	if (!has_open_turn(r, last, done))
		return;
	const struct steer_thread *t = &r->threads.at[last];
	struct schedule_step *step = schedule_step_add(log, STEP_RUN, last, t->done);
	if (t->state == STRAND_RUNNING && t->kind && event_word(t->kind) && !was_killed(r)) {
		step->kind = (uint8_t)t->kind;
		take_place(r, step, t->place);
	}
}

static void take_log(struct steer_result *r, const struct shared *m)
{
	uint64_t count = m->head->log_count, *done = mem_take((r->threads.count + 1) * sizeof *done);
	r->log_lost = m->head->log_lost;
	if (count > m->log_room) {
		r->log_lost += count - m->log_room;
		count = m->log_room;
	}
	struct steer_step s;
	struct { uint64_t place; uint32_t kind; } *last = mem_take((r->threads.count + 1) * sizeof *last);
	int again;
	for (uint64_t i = 0, length; i < count; i += length) {
		length = logged_take(m->log + i, count - i, &s, &again);
		if (again && s.strand < r->threads.count) {
			s.place = last[s.strand].place;
			s.kind = last[s.strand].kind;
		}
		if (!length || !step_is_sound(r, &s, done)) {
			r->log_lost += count - i;
			r->log_damaged = true;
			break;
		}
		struct schedule_step *step = schedule_step_add(&r->log, s.what, s.strand, s.nth);
		step->kind = (uint8_t)s.kind;
		step->answer = s.answer;
		take_place(r, step, s.place);
		if (s.what == STEP_RUN) {
			done[s.strand] = s.nth;
			last[s.strand].place = s.place;
			last[s.strand].kind = s.kind;
		}
	}
	if (!r->log_lost)
		take_last_turn(r, m->head->running, done);
	mem_free(last);
	mem_free(done);
}

/* Who is killed may have counted events for the thread and not yet for the run. */
static void count_steps(struct steer_result *r)
{
	uint64_t count = 0;
	for (size_t i = 0; i < r->threads.count; i++)
		count += r->threads.at[i].done;
	for (size_t i = 0; i < r->log.steps.count; i++)
		count += r->log.steps.at[i].what == STEP_FLUSH;
	r->steps = count;
}

static void take_ways(struct steer_result *r, const struct shared *m)
{
	const struct steer_ways *ways = (const struct steer_ways *)((const char *)m->head + m->ways_at);
	for (uint64_t i = 0; i < r->steps && i < m->ways_room; i++) {
		if (i && !(ways[i].go | ways[i].timeout | ways[i].spurious | ways[i].flush))
			return;                                  /* not written: reading on would make memory real for nothing */
		vec_push(&r->ways, ways[i]);
	}
}

static void take_flushes(struct steer_result *r, const struct shared *m)
{
	const struct steer_flush *list = (const struct steer_flush *)((const char *)m->head + m->flushes_at);
	uint64_t count = m->head->flushes_count;
	for (uint64_t i = 0; i < count && i < m->flushes_room; i++)
		if (list[i].strand < r->threads.count)
			vec_push(&r->flushes, list[i]);
}

static void take_early(struct steer_result *r, const struct steer_head *h)
{
	for (uint32_t i = 0; i < h->early_count && i < STEER_EARLY; i++)
		vec_push(&r->early, h->early[i]);
}

static void take_briefs(struct steer_result *r, const struct shared *m)
{
	const struct steer_brief *briefs = (const struct steer_brief *)((const char *)m->head + m->briefs_at);
	uint64_t most = m->runs ? m->runs - 1 : 0, count = m->head->briefs_done < most ? m->head->briefs_done : most;
	for (uint64_t i = 0; i < count; i++)
		vec_push(&r->before, briefs[i]);
	r->restart_refused = m->head->restart_refused;
	r->keep_refused = m->head->keep_refused;
}

static void take_events(struct steer_result *r, const struct shared *m)
{
	const struct steer_event *events = (const struct steer_event *)((const char *)m->head + m->events_at);
	for (uint64_t i = 0; i < r->steps && i < m->events_room; i++) {
		struct steer_event e = i ? events[i] : (struct steer_event){ .kind = EV_BEGIN };        /* T_0 begins before it is steered */
		if (e.strand >= r->threads.count || e.kind == 0 || e.kind >= EV_COUNT)
			return;
		vec_push(&r->events, e);
	}
}

/* What the program said it ended with, held against what the kernel says. */
static void take_outcome(struct steer_result *r, const struct steer_head *h, int child)
{
	uint32_t said = h->outcome;
	take_text(r->text, h->text, sizeof r->text);
	r->value = h->value;
	r->address = h->address;
	r->fault = h->fault <= FAULT_SENT ? h->fault : FAULT_UNTOLD;
	r->fault_kind = h->fault_kind < EV_COUNT ? h->fault_kind : 0;
	r->fault_place = h->fault_place;
	r->block = h->block;
	if (h->pid == child && WIFSIGNALED(r->status)) {
		r->value = WTERMSIG(r->status);
		if (said == OUTCOME_NONE || said == OUTCOME_EXIT || said == OUTCOME_SIGNAL || said > OUTCOME_UNSUPPORTED) {
			r->outcome = OUTCOME_SIGNAL;
			if (r->value == SIGSEGV && r->fault == FAULT_UNTOLD)    /* nothing but a stack keeps the runtime's handler from running */
				r->fault = FAULT_STACK;
			return;
		}
	}
	if (said > OUTCOME_EXIT && said <= OUTCOME_UNSUPPORTED && said != OUTCOME_SIGNAL) {
		r->outcome = said;
		return;
	}
	r->outcome = WIFSIGNALED(r->status) ? OUTCOME_SIGNAL : OUTCOME_EXIT;
	r->value = WIFSIGNALED(r->status) ? WTERMSIG(r->status) : WEXITSTATUS(r->status);
	if (r->outcome == OUTCOME_EXIT)
		r->text[0] = 0;
}

int result_take(struct steer_result *r, const struct shared *m, const struct ring *ring, int child, struct err *why)
{
	const struct steer_head *h = m->head;
	if (h->pid == 0 || (h->strand_count == 0 && h->steps == 0))    /* killed, or failed, before its first thread had begun */
		return 1;
	uint32_t process = process_of(ring, h->pid);
	r->steps = h->steps;
	r->switches = h->switches;
	r->clock = h->clock;
	r->hurried = h->hurried;
	r->script_used = h->script_next < m->script_count ? h->script_next : m->script_count;
	r->switched_by = h->switched_by <= SWITCH_GHOST ? h->switched_by : SWITCH_AUTO;
	r->dispatched = m->head->dispatched != 0;
	r->input_lost = m->head->input_lost != 0;
	r->lent = m->head->lent != 0;
	r->unknown_call = m->head->input_unknown;
	take_text(r->outside, h->outside, sizeof r->outside);
	r->places = places_new(ring, process);
	take_outcome(r, h, child);
	if (take_threads(r, m, ring, process, why) < 0)
		return -1;
	take_log(r, m);
	if (was_killed(r))
		count_steps(r);
	take_ways(r, m);
	take_flushes(r, m);
	take_early(r, h);
	take_briefs(r, m);
	take_events(r, m);
	return 0;
}

uint64_t steer_log_hash(const struct steer_result *r)
{
	uint64_t hash = steer_mix(0, r->steps);
	for (size_t i = 0; i < r->log.steps.count; i++) {
		const struct schedule_step *s = &r->log.steps.at[i];
		hash = steer_mix_step(hash, s->what, s->thread, s->nth, s->answer);
	}
	return hash;
}

const struct steer_thread *steer_running(const struct steer_result *r)
{
	for (size_t i = 0; i < r->threads.count; i++)
		if (r->threads.at[i].state == STRAND_RUNNING)
			return &r->threads.at[i];
	return NULL;
}

void steer_result_release(struct steer_result *r)
{
	for (size_t i = 0; i < r->threads.count; i++)
		vec_release(&r->threads.at[i].frames);
	vec_release(&r->threads);
	vec_release(&r->ways);
	vec_release(&r->flushes);
	vec_release(&r->early);
	vec_release(&r->before);
	vec_release(&r->events);
	schedule_release(&r->log);
	places_free(r->places);
	race_list_release(&r->races);
	race_row_release(&r->races_before);
	memset(r, 0, sizeof *r);
}

/* ---------------------------------------------------------------- events by function */

uint32_t functions_count(struct functions *f, struct places *p, const struct steer_event *e, const char **name)
{
	bool fresh;
	uint64_t *kept = map_put(&f->of_place, e->place, &fresh);
	if (fresh) {
		struct source at;
		const char *function = places_source(p, e->place, &at) ? at.function : "";
		uint32_t id = names_put(&f->names, function, strlen(function));
		*map_put(&f->of_place, e->place, NULL) = id;
		kept = map_get(&f->of_place, e->place);
	}
	if (name)
		*name = names_text(&f->names, (uint32_t)*kept);
	uint64_t *count = map_put(&f->counts, (uint64_t)e->strand << 44 | (uint64_t)e->kind << 32 | *kept, NULL);
	return (uint32_t)++*count;
}

void functions_release(struct functions *f)
{
	map_release(&f->of_place);
	map_release(&f->counts);
	names_release(&f->names);
}

/* ---------------------------------------------------------------- the log as a schedule that stands alone */

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash ? slash + 1 : path;
}

static void name_steps(struct steer_result *r)
{
	for (size_t i = 0; i < r->log.steps.count; i++) {
		struct schedule_place *p = &r->log.steps.at[i].place;
		struct source source;
		uint64_t address;
		if (p->module == NO_PART || !places_address(r->places, r->log.modules.at[p->module].index, p->offset, &address) ||
			!places_source(r->places, address, &source))
			continue;
		const char *file = base_name(source.file);
		p->file = schedule_text(&r->log, file, strlen(file));
		p->function = schedule_text(&r->log, source.function, strlen(source.function));
		p->line = source.line;
	}
}

/* How-many-th event of its kind in its function by its thread each step ends with. */
static void count_here(struct steer_result *r)
{
	struct functions f = { 0 };
	size_t step = 0;
	uint64_t *done = mem_take((r->threads.count + 1) * sizeof *done);
	for (size_t i = 0; i < r->events.count; i++) {
		const struct steer_event *e = &r->events.at[i];
		if (e->kind == EV_FLUSH)
			continue;
		uint32_t here = functions_count(&f, r->places, e, NULL);
		done[e->strand]++;
		while (step < r->log.steps.count && r->log.steps.at[step].what != STEP_RUN)
			step++;
		if (step < r->log.steps.count && r->log.steps.at[step].thread == e->strand && r->log.steps.at[step].nth == done[e->strand])
			r->log.steps.at[step++].here = here;
	}
	mem_free(done);
	functions_release(&f);
}

static void expect_waits(struct steer_result *r)
{
	char object[256];
	for (uint32_t i = 0; r->outcome == OUTCOME_DEADLOCK && i < r->threads.count; i++) {
		const struct steer_thread *t = &r->threads.at[i];
		if (!t->waits || !event_word(t->kind))
			continue;
		if (t->kind == EV_JOIN)
			object[0] = 0;
		else
			places_object(r->places, t->object, object, sizeof object);
		if (strncmp(object, "0x", 2) == 0 && !r->fixed_addresses)
			object[0] = 0;
		struct schedule_wait w = { .thread = i, .kind = (uint8_t)t->kind, .object = schedule_text(&r->log, object, strlen(object)),
			.holder = t->waits_for };
		vec_push(&r->log.waits, w);
	}
}

void steer_complete(struct steer_result *r, const struct steer_options *o)
{
	struct schedule *s = &r->log;
	struct err why;
	char path[4096], *whole, id[OBJECT_BUILD_ID];
	if (program_find(o->path ? o->path : o->argv[0], path, sizeof path, &why) == 0) {
		whole = realpath(path, NULL);
		s->program = schedule_text(s, whole ? whole : path, strlen(whole ? whole : path));
		object_build_id(path, id);
		s->build_id = schedule_text(s, id, strlen(id));
		free(whole);
	}
	for (int i = 0; o->argv[i]; i++)
		vec_push(&s->arguments, schedule_text(s, o->argv[i], strlen(o->argv[i])));
	environment_note(s, o->input == INPUT_NONE ? -1 : o->input_fd);
	s->policy = o->policy;
	s->seed = o->seed;
	s->depth = o->depth;
	s->switching = o->switching;
	s->heap = o->heap;
	s->time = o->time;
	s->model = o->model;
	s->fixed_addresses = r->fixed_addresses;
	s->max_steps = o->max_steps;
	s->bound = o->bound;
	if (r->outcome != OUTCOME_LEFT && r->outcome != OUTCOME_UNSUPPORTED) {
		s->outcome = r->outcome;
		s->value = r->value;
		s->text = schedule_text(s, r->text, strlen(r->text));
	}
	s->events = r->steps <= SCHEDULE_NTH_MAX ? r->steps : 0;
	name_steps(r);
	count_here(r);
	expect_waits(r);
}

/* ---------------------------------------------------------------- in words */

int steer_program_code(const struct steer_result *r)
{
	switch (r->interrupted ? OUTCOME_EXIT : r->outcome) {
	case OUTCOME_MEMORY:   return 128 + SIGSEGV;
	case OUTCOME_ASSERT:   return 128 + SIGABRT;
	case OUTCOME_DEADLOCK:
	case OUTCOME_LIVELOCK: return 128 + SIGKILL;
	default:               return steer_exit_code(r);
	}
}

int steer_exit_code(const struct steer_result *r)
{
	if (r->interrupted)
		return 130;
	switch (r->outcome) {
	case OUTCOME_EXIT:        return r->value & 255;
	case OUTCOME_SIGNAL:      return 128 + (r->value & 127);
	case OUTCOME_LEFT:        return 124;
	case OUTCOME_ASSUME:      return 0;
	case OUTCOME_UNSUPPORTED: return 125;
	default:                  return 1;
	}
}

static const char *outcome_name(const struct steer_result *r)
{
	switch (r->outcome) {
	case OUTCOME_DEADLOCK:    return "deadlock";
	case OUTCOME_LIVELOCK:    return "livelock";
	case OUTCOME_LEFT:        return "left its schedule";
	case OUTCOME_MEMORY:      return "memory error";
	case OUTCOME_ASSUME:      return "an assumption did not hold";
	case OUTCOME_ASSERT:      return "assertion failed";
	case OUTCOME_UNSUPPORTED: return "cannot be steered";
	default:                  return "unknown";
	}
}

void steer_result_is_late(struct steer_result *r, unsigned max_seconds)
{
	if (!WIFSIGNALED(r->status) || WTERMSIG(r->status) != SIGKILL)
		return;
	r->outcome = OUTCOME_LIVELOCK;
	r->late = true;
	snprintf(r->text, sizeof r->text, "still running after %u second%s", max_seconds, max_seconds == 1 ? "" : "s");
}

bool steer_null(const struct steer_result *r)
{
	return r->outcome == OUTCOME_SIGNAL && (r->value == SIGSEGV || r->value == SIGBUS) && (r->fault == FAULT_AT || r->fault == FAULT_DENIED) &&
		r->address < NULL_PAGE;
}

bool steer_faulted(const struct steer_result *r)
{
	return r->outcome == OUTCOME_SIGNAL && r->fault != FAULT_UNTOLD && r->fault != FAULT_SENT &&
		(r->value == SIGSEGV || r->value == SIGBUS || r->value == SIGFPE || r->value == SIGILL);
}

bool steer_left(const struct steer_result *r)
{
	return r->outcome == OUTCOME_MEMORY && r->block.memory == STEER_LOCAL && r->block.freed_by;
}

bool steer_unmapped(const struct steer_result *r)
{
	return r->outcome == OUTCOME_SIGNAL && r->value == SIGSEGV && (r->fault == FAULT_AT || r->fault == FAULT_DENIED) && r->block.freed_by;
}

/* What a fatal signal came from, where its name does not say that. */
static const char *fault_name(const struct steer_result *r)
{
	static const char *const names[] = { "", "wild pointer", "access not permitted", "wild or misaligned pointer", "stack overflow", "sent, no fault" };
	if (r->value == SIGSEGV)
		return steer_null(r) ? "null pointer" : steer_unmapped(r) ? "unmapped memory" : names[r->fault];
	return r->fault == FAULT_SENT && (r->value == SIGBUS || r->value == SIGFPE || r->value == SIGILL) ? names[FAULT_SENT] : "";
}

char *steer_say(const struct steer_result *r, char *into)
{
	const char *more = r->outcome == OUTCOME_DEADLOCK ? steer_deadlock(r) : r->outcome == OUTCOME_SIGNAL && !*r->text ? fault_name(r) : r->text;
	if (r->interrupted) {
		snprintf(into, STEER_SAY, "interrupted");
		return into;
	}
	int n = r->outcome == OUTCOME_EXIT ? snprintf(into, STEER_SAY, "exit %d", r->value) :
		r->outcome == OUTCOME_SIGNAL ? snprintf(into, STEER_SAY, "signal %d (%s)", r->value, strsignal(r->value)) :
		snprintf(into, STEER_SAY, "%s", outcome_name(r));
	if (*more && n > 0 && n < STEER_SAY)
		snprintf(into + n, (size_t)(STEER_SAY - n), ": %s", more);
	return into;
}
