/* analyses/epa/pace.c -- see pace.h. */
#include "analyses/epa/pace.h"

#include <string.h>

#include "base/map.h"
#include "trace/codec.h"
#include "trace/steered.h"

#define NEVER UINT64_MAX

struct stamp { uint64_t time, events; };                /* how many the thread has made by then */

struct paced {                                          /* a thread */
	char path[PATH_BYTES];
	bool broken;
	uint64_t events, solid;                         /* solid: without those that hang on scheduling alone */
	VEC(struct stamp) stamps;                       /* rising in both */
	uint64_t aimed, called;                         /* its event that is of interest; its first that is a call of the function; NEVER */
};

struct pace {
	struct trace *trace;
	struct sites *sites;
	struct names_book *book;
	const char *function;
	const char *path;                               /* of whom, and which of its solid events, is of interest */
	uint64_t aim;
	VEC(struct paced) threads;
	struct map of_uid;                              /* -> index + 1 */
	struct map calls;                               /* number of a site + 1 -> 1 + which of its events is a call of the function; 1 + RAW_EVENTS: none */
};

struct pace *pace_new(struct trace *t, struct sites *s, struct names_book *book, const char *function)
{
	struct pace *p = mem_take(sizeof *p);
	*p = (struct pace){ .trace = t, .sites = s, .book = book, .function = function };
	return p;
}

static void forget(struct pace *p)
{
	for (size_t i = 0; i < p->threads.count; i++)
		vec_release(&p->threads.at[i].stamps);
	vec_clear(&p->threads);
	map_release(&p->of_uid);
}

void pace_free(struct pace *p)
{
	if (!p)
		return;
	forget(p);
	vec_release(&p->threads);
	map_release(&p->calls);
	mem_free(p);
}

void pace_begin(struct pace *p, const char *path, uint64_t event)
{
	forget(p);
	p->path = path;
	p->aim = event;
}

bool pace_is_passed_over(const uint8_t *record)
{
	switch (record[6] & 127) {
	case EV_BLOCK: case EV_KEYFRAME: case EV_TIME: case EV_MODULE: case EV_LOST: case EV_FRAMES: case EV_SHUT: case EV_OPENED: case EV_FLUSH:
		return record[7] & 0x80;
	default:
		return false;
	}
}

/* ---- records come ---- */

static struct paced *paced_of(struct pace *p, const struct segment_head *head)
{
	uint64_t *index = map_put(&p->of_uid, head->thread, NULL);
	if (!*index) {
		struct paced *t = vec_add(&p->threads);
		*index = p->threads.count;
		t->called = t->aimed = NEVER;
		memcpy(t->path, head->path, PATH_BYTES - 1);
	}
	return &p->threads.at[*index - 1];
}

static void stamp(struct paced *t, uint64_t time)
{
	struct stamp *last = t->stamps.count ? &t->stamps.at[t->stamps.count - 1] : NULL;
	if (!time || (last && time < last->time))
		return;
	if (last && (last->events == t->events || last->time == time))
		return;
	vec_push(&t->stamps, ((struct stamp){ time, t->events }));
}

static bool is_call(struct pace *p, const struct event *e)
{
	if (e->kind != EV_ENTER && e->kind != EV_CALL)
		return false;
	uint32_t place = book_place(p->book, e->place, e->name);        /* the book may move for it */
	return place_is_function(p->book, place, e->kind == EV_CALL, p->function);
}

/* Which of the record's events is a call of the function; RAW_EVENTS: none. */
static uint64_t call_in(struct pace *p, const struct site *site, const uint8_t *record, size_t bytes, unsigned most)
{
	struct event all[RAW_EVENTS];
	uint64_t *known = map_put(&p->calls, site->number + 1ull, NULL);
	if (*known)
		return *known - 1 < most ? *known - 1 : RAW_EVENTS;
	unsigned count = raw_events(p->trace, p->sites, record, bytes, NULL, all);
	uint64_t found = RAW_EVENTS;
	for (unsigned i = 0; i < count && found == RAW_EVENTS; i++)
		if (is_call(p, &all[i]))
			found = i;
	*known = found + 1;
	return found < most ? found : RAW_EVENTS;
}

static uint64_t events_of(struct pace *p, const struct site *site, const uint8_t *record, size_t bytes, const struct raw_death *death)
{
	struct event all[RAW_EVENTS];
	if (!site)
		return control_events(p->sites, record);
	return death ? raw_events(p->trace, p->sites, record, bytes, death, all) : site->event_count;
}

static void one_record(struct pace *p, struct paced *t, const struct site *site, const uint8_t *record, size_t bytes, const struct raw_death *death)
{
	uint64_t events = events_of(p, site, record, bytes, death), w[RECORD_WORDS];
	if (!site) {
		memcpy(w, record, sizeof w);
		if (number_word(record[6] & 127) == 3)
			stamp(t, w[3]);
	}
	if (site && p->function && t->called == NEVER) {
		uint64_t at = call_in(p, site, record, bytes, (unsigned)(events < RAW_EVENTS ? events : RAW_EVENTS));
		if (at < RAW_EVENTS)
			t->called = t->events + at;
	}
	uint64_t solid = pace_is_passed_over(record) ? 0 : events;
	if (p->aim - t->solid < solid && !strcmp(p->path, t->path))
		t->aimed = t->events + (p->aim - t->solid);
	t->events += events;
	t->solid += solid;
}

void pace_segment(struct pace *p, const struct segment_head *head, bool own, const uint8_t *records, size_t bytes, const struct raw_death *death)
{
	struct paced *t = paced_of(p, head);
	struct site *site;
	size_t room = bytes, used;
	if (own)
		stamp(t, head->start_time);
	for (const uint8_t *at = records; room && !t->broken; at += used, room -= used) {
		used = record_bytes(p->sites, at, room, &site);
		t->broken = used == 0;                  /* the program wrote over it: a trace ends there, too */
		if (used)
			one_record(p, t, site, at, used, used == room ? death : NULL);
	}
	if (own)
		stamp(t, head->end_time);
}

/* ---- what is asked ---- */

uint64_t pace_events(const struct pace *p)
{
	uint64_t all = 0;
	for (size_t i = 0; i < p->threads.count; i++)
		all += p->threads.at[i].events;
	return all;
}

static uint64_t between(uint64_t from, uint64_t to, uint64_t x, uint64_t low, uint64_t high)
{
	return high > low ? from + (uint64_t)((double)(to - from) * ((double)(x - low) / (double)(high - low))) : from;
}

/* When the thread was about to make this event. */
static uint64_t time_of(const struct paced *t, uint64_t event)
{
	size_t i = 0;
	if (!t->stamps.count)
		return 0;
	while (i + 1 < t->stamps.count && t->stamps.at[i + 1].events <= event)
		i++;
	const struct stamp *s = &t->stamps.at[i];
	if (event <= s->events || i + 1 == t->stamps.count)
		return s->time;
	return between(s->time, s[1].time, event, s->events, s[1].events);
}

static uint64_t events_by(const struct paced *t, uint64_t time)
{
	size_t i = 0;
	if (!t->stamps.count || t->stamps.at[0].time > time)
		return 0;
	while (i + 1 < t->stamps.count && t->stamps.at[i + 1].time <= time)
		i++;
	const struct stamp *s = &t->stamps.at[i];
	return i + 1 == t->stamps.count ? t->events : between(s->events, s[1].events, time, s->time, s[1].time);
}

static uint64_t before(const struct pace *p, const struct paced *own, uint64_t event)
{
	uint64_t time = time_of(own, event), all = event;
	for (size_t i = 0; i < p->threads.count; i++)
		if (&p->threads.at[i] != own)
			all += events_by(&p->threads.at[i], time);
	return all;
}

uint64_t pace_aimed(const struct pace *p)
{
	for (size_t i = 0; i < p->threads.count; i++)
		if (p->threads.at[i].aimed != NEVER)
			return before(p, &p->threads.at[i], p->threads.at[i].aimed);
	return 0;
}

bool pace_called(const struct pace *p, uint64_t *before_it)
{
	bool any = false;
	for (size_t i = 0; i < p->threads.count; i++) {
		const struct paced *t = &p->threads.at[i];
		if (t->called == NEVER)
			continue;
		uint64_t at = before(p, t, t->called);
		if (!any || at < *before_it)
			*before_it = at;
		any = true;
	}
	return any;
}
