/* report/story.c -- see story.h.  The trace is read twice: where does it show, and then what led to it. */
#include "report/story.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "trace/event_words.h"
#include "trace/objects.h"

#define AFTER 3u                /* steps told behind the end of a race */
#define NAME_ROOM 256
#define FIRST_OF_RACE (-2)      /* finding_step.place, until it is known which */

/* ---------------------------------------------------------------- which events */

/* A wait is what is waited for. */
static enum finding_access deed(const struct event *ev)
{
	struct event wanted = { .kind = (uint8_t)ev->arg };
	return finding_access_of(ev->kind == EV_BLOCK ? &wanted : ev);
}

static bool in_place(const struct finding_place *p, const char *thread, const struct event *ev)
{
	const struct place *own = place_own(ev->place);
	return own->line == p->at.line && !strcmp(thread, p->thread) && !strcmp(finding_file_name(own->file), finding_file_name(p->at.file)) &&
		(p->at.line || !strcmp(own->function, p->at.function));
}

static bool is_place(const struct finding_place *p, const char *thread, const struct event *ev)
{
	enum finding_access does = deed(ev);
	bool same = does == p->access || (ev->kind == EV_BLOCK && p->access == ACCESS_OTHER);
	return same && in_place(p, thread, ev);
}

static bool is_told(enum event_kind kind)
{
	switch (event_class(kind)) {
	case CLASS_LOCK: return kind != EV_LOCKINIT && kind != EV_LOCKDEAD;
	case CLASS_COND: case CLASS_BARRIER: case CLASS_SEM: case CLASS_SIGNAL: return true;
	case CLASS_THREAD: return kind == EV_FORK || kind == EV_JOIN || kind == EV_END || kind == EV_CANCEL;
	default: return kind == EV_FAILURE;
	}
}

static bool about(const struct finding *f, const char *name)
{
	bool is = *f->object.name && !strcmp(name, f->object.name);
	for (size_t i = 0; i < f->places.count && !is; i++)
		is = *f->places.at[i].object && !strcmp(name, f->places.at[i].object);
	return is;
}

static bool is_own(const struct place *at)
{
	struct finding_spot spot = { .file = place_own(at)->file, .line = place_own(at)->line };
	return finding_spot_own(&spot);
}

/* ---------------------------------------------------------------- where it ends */

/* A thread at the line of a place, which has done nothing since. */
struct stands { bool there, exactly; enum finding_access access; uint64_t object, number; };
struct ending { struct finding *f; struct stands *at; uint64_t count, end, first, near_end, near_first; struct stands near[2]; };

static bool writes(enum finding_access a)
{
	return a != ACCESS_READ && a != ACCESS_ATOMIC_READ;
}

static bool is_atomic(enum finding_access a)
{
	return a == ACCESS_ATOMIC_READ || a == ACCESS_ATOMIC_WRITE || a == ACCESS_ATOMIC_UPDATE;
}

/* The first two places of a race, by whom they are reached: exactly they, or other accesses of their lines that race. */
static void meet(struct ending *e, const struct stands *now, const struct stands *before, size_t i)
{
	if (!before->there || before->object != now->object || e->end)
		return;
	if (now->exactly && before->exactly) {
		e->end = e->count;
		e->first = before->number;
	} else if (!e->near_end && (writes(now->access) || writes(before->access)) && !(is_atomic(now->access) && is_atomic(before->access))) {
		e->near_end = e->count;
		e->near_first = before->number;
		e->near[i] = *now;
		e->near[1 - i] = *before;
	}
}

static void look_for_end(struct ending *e, const char *thread, const struct event *ev)
{
	e->count++;
	if (!kind_is_deed(ev->kind))
		return;
	for (size_t i = 0; i < 2; i++)
		if (!strcmp(e->f->places.at[i].thread, thread))
			e->at[i].there = false;
	for (size_t i = 0; i < 2; i++) {
		const struct finding_place *p = &e->f->places.at[i];
		if (!in_place(p, thread, ev) || !(event_is_access(ev) || is_place(p, thread, ev)))
			continue;
		e->at[i] = (struct stands){ true, is_place(p, thread, ev), deed(ev), ev->object, e->count };
		meet(e, &e->at[i], &e->at[1 - i], i);
	}
}

/* The detector tells one pair of accesses for a pair of lines; those that stand next to each other here may be others of them. */
static void take_near(struct ending *e)
{
	for (size_t i = 0; i < 2; i++) {
		e->f->places.at[i].access = e->near[i].access;
		e->f->places.at[i].at.ordinal = NO_ORDINAL;     /* of the other access; complete_places() knows this one's */
	}
	e->end = e->near_end;
	e->first = e->near_first;
}

/* The number of events up to and with the one at which it shows; and the first access of a race, 0: it is none. */
static int find_end(struct finding *f, struct trace *t, uint64_t *end, uint64_t *first, struct err *why)
{
	struct merged *all;
	struct event ev;
	struct stands at[2] = { 0 };
	struct ending e = { .f = f, .at = at };
	bool race = (f->kind == FINDING_RACE || f->kind == FINDING_WEAK_MEMORY) && f->places.count == 2;
	int got;
	*end = UINT64_MAX;
	*first = 0;
	if (!race)
		return 0;
	if (merged_open(&all, t, why) < 0)
		return -1;
	while ((got = merged_next(all, &ev, why)) > 0 && !e.end)
		look_for_end(&e, trace_thread(t, ev.thread)->path, &ev);
	merged_close(all);
	if (!e.end && e.near_end)
		take_near(&e);
	if (e.end) {
		*end = e.end;
		*first = e.first;
	}
	return got < 0 ? -1 : 0;
}

/* ---------------------------------------------------------------- the line of the program */

/* Of headers of the system and of libraries without lines the program's own that led there is told: by what was inlined where, or by the functions its thread
 * is inside of (`frames`, the payload of FRAMES).  The event's place if there is none. */
static const struct place *home_of(struct trace *t, const struct buffer *frames, const struct event *ev)
{
	const struct place *at = ev->place;
	uint64_t returns = ev->code;
	for (uint32_t i = 0; !is_own(at); i++) {
		const struct place *call = returns ? trace_call_place(t, returns) : NULL;
		at = call ? call : at;
		if (!is_own(at) && !(kind_has_frames(ev->kind) && frames_return(frames->at, frames->count, i, &returns)))
			return ev->place;
	}
	return at;
}

/* ---------------------------------------------------------------- locks a thread holds */

struct held { uint64_t object; const char *name; bool reading; const struct place *taken; };
struct hands { struct held *at; size_t count, room; };          /* a VEC: the last taken last */

static void take(struct hands *h, struct findings *l, const struct objects *o, uint64_t lock, bool reading, const struct place *at)
{
	char name[NAME_ROOM];
	vec_push(h, ((struct held){ lock, findings_text(l, objects_name(o, lock, name, sizeof name)), reading, at }));
}

static void give(struct hands *h, uint64_t lock)
{
	for (size_t i = h->count; i-- > 0;)
		if (h->at[i].object == lock) {
			memmove(&h->at[i], &h->at[i + 1], (h->count - i - 1) * sizeof *h->at);
			h->count--;
			return;
		}
}

static bool takes_lock(const struct event *ev)
{
	return ev->kind == EV_CWAKE || (ev->kind == EV_LOCK && (!ev->result || ev->result == EOWNERDEAD));
}

/* home: of what takes one */
static void note_locks(struct hands *h, struct findings *l, const struct objects *o, const struct event *ev, const struct place *home)
{
	bool done = !ev->result || ev->result == EOWNERDEAD;
	if (ev->kind == EV_LOCK && done)
		take(h, l, o, ev->object, (ev->arg & LOCK_FOR_READING), home);
	else if (ev->kind == EV_UNLOCK && done)
		give(h, ev->object);
	else if (ev->kind == EV_CWAIT)
		give(h, ev->arg);
	else if (ev->kind == EV_CWAKE)
		take(h, l, o, ev->arg, false, home);
}

/* ---------------------------------------------------------------- telling */

struct story {
	struct findings *l;
	struct finding *f;
	struct trace *t;
	struct objects *objects;
	struct hands *hands;                    /* by thread */
	struct buffer *frames;                  /* by thread: the payload of its last FRAMES */
	VEC(const struct place *) homes;        /* by step; NULL: as it is */
	struct event last;                      /* deed of the turn that goes on; its step, if it was told */
	bool has_last, last_told;
	uint64_t steps;                         /* told in all */
	struct event partner;                   /* the second place of a finding that has but one; kind 0: none */
	uint64_t first;                         /* number of the first access of a race, from 1; 0 none */
	struct event first_is;                  /*   it; kind 0: it has not come yet */
	bool first_kept;                        /*   its step is steps.at[0], and stays */
	const struct place *read_at;            /* what it wrote was read there by another thread before the second access, by that thread: */
	uint32_t read_by;
	bool waiting;                           /* the thread of the first place waits for the condition the finding is about */
};

static void drop_first(struct story *s)
{
	struct finding *f = s->f;
	s->first_kept |= f->steps.at[0].place == FIRST_OF_RACE;
	size_t at = s->first_kept;
	vec_release(&f->steps.at[at].locks);
	memmove(&f->steps.at[at], &f->steps.at[at + 1], (f->steps.count - at - 1) * sizeof *f->steps.at);
	memmove(&s->homes.at[at], &s->homes.at[at + 1], (s->homes.count - at - 1) * sizeof *s->homes.at);
	f->steps.count--;
	s->homes.count--;
}

static struct finding_step *step_of(struct story *s, uint32_t thread, const char *text, struct finding_spot at, const struct place *home,
	enum finding_access access)
{
	const struct hands *h = &s->hands[thread];
	if (s->f->steps.count == STORY_STEPS)
		drop_first(s);
	struct finding_step *step = finding_step_add(s->l, s->f, trace_thread(s->t, (struct thread_id){ thread })->path, text, at);
	step->access = access;
	vec_push(&s->homes, home);
	for (size_t i = h->count; i-- > 0;)
		finding_lock_add(s->l, &step->locks, h->at[i].name, h->at[i].reading, finding_spot_of(s->l, h->at[i].taken));
	s->steps++;
	return step;
}

static void copy_locks(struct finding_place *p, const struct finding_step *s)
{
	vec_clear(&p->locks);
	for (size_t i = 0; i < s->locks.count; i++)
		vec_push(&p->locks, s->locks.at[i]);
	p->locks_known = true;
}

static bool is_marked(const struct finding *f, size_t place)
{
	for (size_t i = 0; i < f->steps.count; i++)
		if (f->steps.at[i].place == (int)place)
			return true;
	return false;
}

/* Is it the crash the finding is about?  Its first place says where. */
static bool is_crash(const struct story *s, const struct event *ev)
{
	const struct finding *f = s->f;
	return ev->kind == EV_FAILURE && (f->kind == FINDING_NULL_DEREFERENCE || f->kind == FINDING_CRASH) && f->places.count &&
		f->places.at[0].at.line && !strcmp(f->places.at[0].thread, trace_thread(s->t, ev->thread)->path);
}

static void add_step(struct story *s, const struct event *ev)
{
	char words[WORDS_ROOM];
	bool fails = ev->kind == EV_FAILURE && s->has_last && s->last.thread.i == ev->thread.i, crash = is_crash(s, ev);
	const struct event *there = fails ? &s->last : ev;                                     /* where it was, not who noticed */
	struct finding_spot at = crash ? s->f->places.at[0].at : finding_spot_of(s->l, there->place);
	const struct place *home = crash ? NULL : home_of(s->t, &s->frames[ev->thread.i], there);
	struct finding_step *step = step_of(s, ev->thread.i, event_words(words, s->t, s->objects, ev), at, home, deed(ev));
	if (!crash)
		return;
	step->place = 0;
	copy_locks(&s->f->places.at[0], step);
}

static bool is_needed(const struct story *s, const struct event *ev)
{
	char name[NAME_ROOM];
	const char *thread = trace_thread(s->t, ev->thread)->path;
	if (is_told(ev->kind))
		return true;
	for (size_t i = 0; i < s->f->places.count; i++)
		if (is_place(&s->f->places.at[i], thread, ev))
			return true;
	bool touches = event_is_access(ev) || kind_gives_back(ev->kind);
	return touches && about(s->f, objects_name(s->objects, ev->object, name, sizeof name));
}

/* The last thing of a turn is told, if it is the program's own and not about its own stack. */
static void end_turn(struct story *s)
{
	const struct object *o = event_is_access(&s->last) ? objects_at(s->objects, s->last.object) : NULL;
	bool private = o && o->kind == OBJECT_STACK && o->thread.i == s->last.thread.i;
	if (!s->last_told && !private && *place_own(s->last.place)->file)
		add_step(s, &s->last);
	s->last_told = true;
}

/* What is known of a place by its file's short name alone is known in full from the first event there. */
static void complete_places(struct story *s, const struct event *ev)
{
	const struct place *own = place_own(ev->place);
	for (size_t i = 0; i < s->f->places.count; i++) {
		struct finding_place *p = &s->f->places.at[i];
		if (!strchr(p->at.file, '/') && *p->at.function && !strcmp(p->at.function, own->function) &&
		    !strcmp(p->at.file, finding_file_name(own->file)))
			p->at.file = findings_text(s->l, own->file);
		if (p->at.ordinal == NO_ORDINAL && is_place(p, trace_thread(s->t, ev->thread)->path, ev)) {
			p->at.ordinal = ev->place->ordinal;
			p->at.column = own->column;
			p->bytes = ev->size ? ev->size : p->bytes;
		}
	}
}

/* Is it an access to the object, and where that is known to what the finding is about in it? */
static bool is_accessed(const struct story *s, const struct event *ev)
{
	char name[NAME_ROOM];
	const struct finding_object *o = &s->f->object;
	size_t length = strlen(o->name);
	if (!(ev->kind == EV_READ || ev->kind == EV_WRITE || event_class(ev->kind) == CLASS_ATOMIC) || !length)
		return false;
	objects_name(s->objects, ev->object, name, sizeof name);
	if (strncmp(name, o->name, length) || (name[length] && name[length] != '+'))
		return false;
	return !o->bytes || strtoull(name[length] ? name + length : "0", NULL, 10) == o->offset;
}

/* What the program calls what it accesses there. */
static void note_field(struct story *s, const struct event *ev)
{
	struct finding_object *o = &s->f->object;
	const char *thread = trace_thread(s->t, ev->thread)->path;
	if (*o->field || !ev->name)
		return;
	for (size_t i = 0; i < s->f->places.count; i++)
		if (is_place(&s->f->places.at[i], thread, ev) && is_accessed(s, ev)) {
			const char *name = trace_shown(s->t, ev->name);
			o->field = strcmp(name, o->name) ? findings_text(s->l, name) : "";
			return;
		}
}

/* The signal that came before the wait, the write that made the pointer null. */
static bool is_partner(const struct story *s, const struct event *ev)
{
	char name[NAME_ROOM];
	const struct finding *f = s->f;
	bool fits = f->kind == FINDING_LOST_WAKEUP ? ev->kind == EV_CSIGNAL || ev->kind == EV_CBROADCAST :
		f->kind == FINDING_NULL_DEREFERENCE && (ev->kind == EV_WRITE || ev->kind == EV_ASTORE) && !ev->arg;
	return fits && !s->waiting && f->places.count == 1 && strcmp(trace_thread(s->t, ev->thread)->path, f->places.at[0].thread) &&
		about(f, objects_name(s->objects, ev->object, name, sizeof name));
}

/* A signal that comes while it waits is no lost one: it woke another. */
static void note_waiting(struct story *s, const struct event *ev)
{
	char name[NAME_ROOM];
	if ((ev->kind == EV_CWAIT || ev->kind == EV_CWAKE) && s->f->kind == FINDING_LOST_WAKEUP && s->f->places.count &&
		!strcmp(trace_thread(s->t, ev->thread)->path, s->f->places.at[0].thread) && about(s->f, objects_name(s->objects, ev->object, name, sizeof name)))
		s->waiting = ev->kind == EV_CWAIT;
}

/* Who is made there, by the line of the program. */
static void note_made(struct story *s, const struct event *ev)
{
	const struct place *home = home_of(s->t, &s->frames[ev->thread.i], ev);
	const char *path = ev->object < trace_thread_count(s->t) ? trace_thread(s->t, (struct thread_id){ (uint32_t)ev->object })->path : "";
	for (size_t i = 0; i < s->f->places.count; i++) {
		struct finding_place *p = &s->f->places.at[i];
		if (*p->made_by && !finding_spot_own(&p->made_at) && is_own(home) && !strcmp(p->thread, path))
			p->made_at = finding_spot_of(s->l, home);
	}
}

static void note_frames(struct story *s, const struct event *ev)
{
	struct buffer *frames = &s->frames[ev->thread.i];
	frames->count = 0;
	if (frames_innermost(ev))
		buffer_add(frames, ev->bytes, ev->byte_count);
}

static void tell(struct story *s, const struct event *ev)
{
	if (!kind_is_deed(ev->kind)) {
		objects_note(s->objects, ev);
		if (ev->kind == EV_FRAMES)
			note_frames(s, ev);
		return;
	}
	if (s->has_last && s->last.thread.i != ev->thread.i)
		end_turn(s);
	bool freed = kind_gives_back(ev->kind);
	if (!freed)
		objects_note(s->objects, ev);           /* what is freed is still called by its name here */
	note_locks(&s->hands[ev->thread.i], s->l, s->objects, ev, takes_lock(ev) ? home_of(s->t, &s->frames[ev->thread.i], ev) : NULL);
	complete_places(s, ev);
	note_field(s, ev);
	note_waiting(s, ev);
	if (ev->kind == EV_FORK)
		note_made(s, ev);
	if (is_partner(s, ev))
		s->partner = *ev;
	s->last_told = is_needed(s, ev);
	if (s->last_told)
		add_step(s, ev);
	if (freed)
		objects_note(s->objects, ev);
	s->last = *ev;
	s->last.bytes = NULL;                           /* gone with the next event */
	s->last.byte_count = 0;
	s->has_last = true;
}

/* The first access of a race, and who reads between the two what it wrote. */
static void note_first(struct story *s, const struct event *ev, uint64_t number)
{
	bool reads = ev->kind == EV_READ || ev->kind == EV_ALOAD || ev->kind == EV_RMW || ev->kind == EV_CAS;
	if (number == s->first) {
		s->first_is = *ev;
		if (s->last_told && s->f->steps.count)
			s->f->steps.at[s->f->steps.count - 1].place = FIRST_OF_RACE;
	} else if (s->first_is.kind && !s->read_at && reads && writes(deed(&s->first_is)) && ev->thread.i != s->first_is.thread.i &&
		ev->object < s->first_is.object + s->first_is.size && s->first_is.object < ev->object + ev->size) {
		s->read_at = ev->place;
		s->read_by = ev->thread.i;
	}
}

/* The second access may come because of what the first one wrote: then it cannot come before it. */
static void tell_only_after(struct story *s, const struct event *second)
{
	char text[600], at[300];
	if (!s->read_at || s->read_by != second->thread.i || second->place == s->read_at)
		return;
	snprintf(text, sizeof text, "%s comes first here; %s read what it wrote (%s) before its own access, which may depend on that: the other order is not shown",
		trace_thread(s->t, s->first_is.thread)->path, trace_thread(s->t, second->thread)->path, place_short(s->read_at, at, sizeof at));
	s->f->only_after = findings_text(s->l, text);
}

static bool is_same_line(const struct finding_spot *s, const struct finding_spot *p)
{
	return s->line == p->line && !strcmp(finding_file_name(s->file), finding_file_name(p->file));
}

/* In a header of the system the line says little: the lines of the program that led there are the same, too, where both are known. */
static bool is_at(const struct finding_step *s, const struct place *home, const struct finding_place *p)
{
	size_t own = finding_place_home(p);
	if (!is_same_line(&s->at, &p->at) || !own || !home || !is_own(home))
		return is_same_line(&s->at, &p->at);
	return is_same_line(&(struct finding_spot){ .file = place_own(home)->file, .line = place_own(home)->line }, &p->stack.at[own - 1]);
}

/* The last step up to the end that is a place is that place. */
static void mark(struct story *s, size_t behind)
{
	struct finding *f = s->f;
	for (size_t i = f->places.count; i-- > 0;) {
		struct finding_place *p = &f->places.at[i];
		for (size_t k = is_marked(f, i) ? 0 : behind; k-- > 0;) {
			struct finding_step *step = &f->steps.at[k];
			bool same = !strcmp(step->thread, p->thread) && (step->access == p->access || p->access == ACCESS_OTHER);
			if (same && step->place < 0 && is_at(step, s->homes.at[k], p)) {
				step->place = (int)i;
				copy_locks(p, step);
				break;
			}
		}
	}
}

/* What ended the run was not done any more, and is no event: the threads that wait, the use of what was freed. */
static void add_ends(struct story *s)
{
	struct finding *f = s->f;
	char text[NAME_ROOM * 2];
	bool crash = f->kind == FINDING_USE_AFTER_FREE || f->kind == FINDING_USE_AFTER_RETURN || f->kind == FINDING_DOUBLE_FREE || f->kind == FINDING_NULL_DEREFERENCE || f->kind == FINDING_CRASH;
	for (size_t i = 0; i < f->places.count; i++) {
		struct finding_place *p = &f->places.at[i];
		if (is_marked(f, i) || !(finding_place_waits(f, p) || (crash && i == 0)))
			continue;
		snprintf(text, sizeof text, "%s %s", finding_place_does(f, p), finding_place_object(f, p));
		for (uint32_t t = 0; t < trace_thread_count(s->t); t++)
			if (!strcmp(trace_thread(s->t, (struct thread_id){ t })->path, p->thread)) {
				struct finding_step *step = step_of(s, t, text, p->at, NULL, p->access);
				step->place = (int)i;
				copy_locks(p, step);
			}
	}
}

/* Of steps that end the run findings_finish() knows where their places come home to. */
static void come_home(struct story *s)
{
	for (size_t i = 0; i < s->f->steps.count; i++) {
		struct finding_step *step = &s->f->steps.at[i];
		if (s->homes.at[i])
			step->at = finding_spot_of(s->l, s->homes.at[i]);
	}
}

static void clear_steps(struct finding *f)
{
	for (size_t i = 0; i < f->steps.count; i++)
		vec_release(&f->steps.at[i].locks);
	vec_clear(&f->steps);
	f->steps_before = 0;
	f->only_after = "";
}

static int tell_until(struct story *s, uint64_t end, struct err *why)
{
	struct merged *all;
	struct event ev;
	uint64_t number = 0, at_end = 0;
	int got;
	if (merged_open(&all, s->t, why) < 0)
		return -1;
	while ((got = merged_next(all, &ev, why)) > 0 && (number < end || s->steps < at_end + AFTER)) {
		tell(s, &ev);
		if (++number < end && s->first)
			note_first(s, &ev, number);
		if (number == end)
			at_end = s->steps;
		if (number == end && s->first)
			tell_only_after(s, &ev);
	}
	merged_close(all);
	if (got == 0 && s->has_last)
		end_turn(s);
	if (got < 0)
		return -1;
	if (s->partner.kind)
		finding_place_add(s->l, s->f, &s->partner, trace_thread(s->t, s->partner.thread)->path);
	s->f->steps_before = s->steps - s->f->steps.count;
	for (size_t i = 0; i < s->f->steps.count; i++)
		s->f->steps.at[i].place = s->f->steps.at[i].place == FIRST_OF_RACE ? -1 : s->f->steps.at[i].place;
	mark(s, number > end && at_end > s->f->steps_before ? at_end - s->f->steps_before : s->f->steps.count);
	add_ends(s);
	come_home(s);
	s->f->steps_before = s->steps - s->f->steps.count;
	return 0;
}

int story_tell(struct findings *l, struct finding *f, struct trace *t, struct err *why)
{
	struct story s = { .l = l, .f = f, .t = t };
	uint64_t end;
	if (find_end(f, t, &end, &s.first, why) < 0)
		return -1;
	clear_steps(f);
	s.objects = objects_new(t);
	s.hands = mem_take((trace_thread_count(t) + 1) * sizeof *s.hands);
	s.frames = mem_take((trace_thread_count(t) + 1) * sizeof *s.frames);
	int got = tell_until(&s, end, why);
	for (uint32_t i = 0; i < trace_thread_count(t); i++) {
		vec_release(&s.hands[i]);
		buffer_release(&s.frames[i]);
	}
	mem_free(s.hands);
	mem_free(s.frames);
	vec_release(&s.homes);
	objects_free(s.objects);
	return got;
}
