/* report/finding.c -- see finding.h: findings are filled here; fingerprints are fingerprint.c's. */
#include "report/finding.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "trace/objects.h"

const char *findings_text(struct findings *l, const char *text)
{
	return text && *text ? names_text(&l->texts, names_put(&l->texts, text, strlen(text))) : "";
}

static const struct finding_spot nowhere = { .file = "", .function = "", .module = "", .ordinal = NO_ORDINAL };

struct finding *findings_add(struct findings *l, enum finding_kind kind, enum finding_status status)
{
	struct finding *f = arena_take(&l->arena, sizeof *f);
	*f = (struct finding){ .kind = kind, .status = status, .effect_text = "", .schedule = "", .unwritten = "", .only_after = "", .rule = "", .expected = "", .came = "",
		.assumed = "", .object = { .name = "", .field = "", .thread = "", .at = nowhere } };
	vec_push(&l->all, f);
	return f;
}

struct finding_spot finding_spot(struct findings *l, const char *file, uint32_t line, const char *function)
{
	struct finding_spot s = nowhere;
	s.file = findings_text(l, file);
	s.function = findings_text(l, function);
	s.line = line;
	return s;
}

struct finding_spot finding_spot_of(struct findings *l, const struct place *at)
{
	if (!at)
		return nowhere;
	const struct place *own = place_own(at);
	struct finding_spot s = finding_spot(l, own->file, own->line, own->function);
	s.module = findings_text(l, at->module);
	s.column = own->column;
	s.ordinal = at->ordinal;
	return s;
}

bool finding_spot_own(const struct finding_spot *s)
{
	return s->line && strncmp(s->file, "/usr/", 5);
}

size_t finding_place_home(const struct finding_place *p)
{
	size_t own = 0;
	if (!p->at.line || finding_spot_own(&p->at))
		return 0;
	while (own < p->stack.count && !finding_spot_own(&p->stack.at[own]))
		own++;
	return own < p->stack.count ? own + 1 : 0;
}

enum finding_access finding_access_of(const struct event *ev)
{
	switch (ev->kind) {
	case EV_READ: case EV_LIBREAD: case EV_OUTPUT: return ACCESS_READ;
	case EV_WRITE: case EV_LIBWRITE: case EV_COPY: case EV_INPUT: case EV_FLUSH: return ACCESS_WRITE;
	case EV_ALOAD: return ACCESS_ATOMIC_READ;
	case EV_ASTORE: return ACCESS_ATOMIC_WRITE;
	case EV_RMW: return ACCESS_ATOMIC_UPDATE;
	case EV_CAS: return ev->failed ? ACCESS_ATOMIC_READ : ACCESS_ATOMIC_UPDATE;
	case EV_ALLOC: return ACCESS_ALLOCATE;
	case EV_FREE: return ACCESS_FREE;
	case EV_REALLOC: return ACCESS_REALLOCATE;
	case EV_UNMAP: return ACCESS_UNMAP;
	case EV_LEFT: return ACCESS_LEAVE;
	case EV_LOCK: return (ev->arg & LOCK_FOR_READING) ? ACCESS_READ_LOCK : ACCESS_LOCK;
	case EV_UNLOCK: return ACCESS_UNLOCK;
	case EV_TRYFAIL: return ACCESS_TRY_LOCK;
	case EV_CWAIT: case EV_CWAKE: case EV_FWAIT: return ACCESS_WAIT;
	case EV_CSIGNAL: case EV_FWAKE: return ACCESS_SIGNAL;
	case EV_CBROADCAST: return ACCESS_BROADCAST;
	case EV_SWAIT: return ACCESS_SEMAPHORE_WAIT;
	case EV_SPOST: return ACCESS_SEMAPHORE_POST;
	case EV_JOIN: return ACCESS_JOIN;
	case EV_FORK: return ACCESS_CREATE;
	case EV_BENTER: return ACCESS_BARRIER;
	case EV_LOCKINIT: return ACCESS_INITIALISE;
	case EV_LOCKDEAD: return ACCESS_DESTROY;
	default: return ACCESS_OTHER;
	}
}

struct finding_place *finding_place_add(struct findings *l, struct finding *f, const struct event *ev, const char *thread)
{
	struct finding_place *p = vec_add(&f->places);
	p->at = finding_spot_of(l, ev->place);
	p->thread = findings_text(l, thread);
	p->access = finding_access_of(ev);
	p->bytes = ev->size;
	p->object = p->made_by = "";
	p->made_at = nowhere;
	return p;
}

struct finding_step *finding_step_add(struct findings *l, struct finding *f, const char *thread, const char *text, struct finding_spot at)
{
	struct finding_step *s = vec_add(&f->steps);
	s->thread = findings_text(l, thread);
	s->text = findings_text(l, text);
	s->at = at;
	s->access = ACCESS_OTHER;
	s->place = -1;
	return s;
}

void finding_lock_add(struct findings *l, struct finding_locks *to, const char *name, bool reading, struct finding_spot taken)
{
	vec_push(to, ((struct finding_lock){ findings_text(l, name), reading, taken }));
}

void finding_places_clear(struct finding *f)
{
	for (size_t i = 0; i < f->places.count; i++) {
		vec_release(&f->places.at[i].stack);
		vec_release(&f->places.at[i].locks);
	}
	vec_clear(&f->places);
}

static void finding_release(struct finding *f)
{
	finding_places_clear(f);
	for (size_t i = 0; i < f->steps.count; i++)
		vec_release(&f->steps.at[i].locks);
	vec_release(&f->places);
	vec_release(&f->steps);
}

void findings_release(struct findings *l)
{
	for (size_t i = 0; i < l->all.count; i++)
		finding_release(l->all.at[i]);
	vec_release(&l->all);
	names_release(&l->texts);
	arena_release(&l->arena);
}

/* ---------------------------------------------------------------- words */

const char *finding_kind_word(enum finding_kind kind)
{
#define K(name, word, said, many, count, text) word,
	static const char *const words[] = { FINDING_KINDS(K) };
#undef K
	check(kind < FINDING_KIND_COUNT);
	return words[kind];
}

const char *finding_kind_said(enum finding_kind kind)
{
#define K(name, word, said, many, count, text) said,
	static const char *const words[] = { FINDING_KINDS(K) };
#undef K
	check(kind < FINDING_KIND_COUNT);
	return words[kind];
}

const char *finding_kind_text(enum finding_kind kind)
{
#define K(name, word, said, many, count, text) text,
	static const char *const words[] = { FINDING_KINDS(K) };
#undef K
	check(kind < FINDING_KIND_COUNT);
	return words[kind];
}

const char *finding_status_word(enum finding_status status)
{
	static const char *const words[] = { "confirmed", "not-reproduced", "speculative", "infeasible", "predicted" };
	check(status < FINDING_STATUS_COUNT);
	return words[status];
}

const char *finding_effect_word(enum finding_effect effect)
{
	static const char *const words[] = { "none", "crash", "hang", "output-differs" };
	check(effect < FINDING_EFFECT_COUNT);
	return words[effect];
}

const char *finding_access_word(enum finding_access access)
{
#define A(name, word, does, done) word,
	static const char *const words[] = { FINDING_ACCESSES(A) };
#undef A
	check(access < FINDING_ACCESS_COUNT);
	return words[access];
}

const char *finding_access_does(enum finding_access access)
{
#define A(name, word, does, done) does,
	static const char *const words[] = { FINDING_ACCESSES(A) };
#undef A
	check(access < FINDING_ACCESS_COUNT);
	return words[access];
}

const char *finding_access_done(enum finding_access access)
{
#define A(name, word, does, done) done,
	static const char *const words[] = { FINDING_ACCESSES(A) };
#undef A
	check(access < FINDING_ACCESS_COUNT);
	return words[access];
}

const char *finding_file_name(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash && slash[1] ? slash + 1 : path;
}

char *finding_where(const struct finding_spot *at, char into[FINDING_PLACE_ROOM])
{
	if (*at->file && at->line)
		snprintf(into, FINDING_PLACE_ROOM, "%s:%" PRIu32, finding_file_name(at->file), at->line);
	else if (*at->function)
		snprintf(into, FINDING_PLACE_ROOM, "%s", at->function);
	else
		snprintf(into, FINDING_PLACE_ROOM, "an unknown place");
	return into;
}

/* Does the thread of `p` have what is waited for, or is it that thread? */
static bool has(const struct finding_place *p, const char *object)
{
	bool it = !strcmp(p->thread, object);
	for (size_t i = 0; i < p->locks.count && !it; i++)
		it = !strcmp(p->locks.at[i].name, object);
	return it;
}

bool finding_is_circle(const struct finding *f)
{
	size_t count = f->places.count;
	for (size_t i = 0; i < count; i++)
		if (!has(&f->places.at[(i + 1) % count], finding_place_object(f, &f->places.at[i])))
			return false;
	return count > 0;
}

void finding_sort_circle(struct finding *f)
{
	for (size_t i = 0; i + 1 < f->places.count; i++)
		for (size_t k = i + 1; k < f->places.count; k++)
			if (has(&f->places.at[k], finding_place_object(f, &f->places.at[i]))) {
				struct finding_place next = f->places.at[k];
				f->places.at[k] = f->places.at[i + 1];
				f->places.at[i + 1] = next;
				for (size_t s = 0; s < f->steps.count; s++)     /* they are numbered by their places */
					f->steps.at[s].place = f->steps.at[s].place == (int)k ? (int)i + 1 :
						f->steps.at[s].place == (int)i + 1 ? (int)k : f->steps.at[s].place;
				break;
			}
}

bool finding_place_waits(const struct finding *f, const struct finding_place *p)
{
	bool wakes = p->access == ACCESS_SIGNAL || p->access == ACCESS_BROADCAST || p->access == ACCESS_SEMAPHORE_POST;
	return f->kind == FINDING_DEADLOCK || (f->kind == FINDING_LOST_WAKEUP && !wakes);
}

const char *finding_place_does(const struct finding *f, const struct finding_place *p)
{
	return finding_place_waits(f, p) ? "waits for" : finding_access_does(p->access);
}

const char *finding_place_object(const struct finding *f, const struct finding_place *p)
{
	return *p->object ? p->object : f->object.name;
}
