/* drive/steer_shared.c -- the memory of wire/steer.h from our side: made, and filled with orders.
 * Offsets are ours and never read back. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/str.h"
#include "drive/steer_inside.h"
#include "wire/input.h"
#include "wire/version.h"

/* Untouched memory costs nothing, and what is mapped must not depend on the run: other mappings would lie elsewhere. */
#define SCRIPT_ROOM     (8u << 20)              /* steps; a longer script makes the memory larger */
#define LOG_ROOM        (32u << 20)             /* words: a switch takes one or two, an answer three */
#define WAYS_ROOM       (16u << 20)
#define EVENTS_ROOM     (16u << 20)
#define FLUSHES_ROOM    (16u << 20)
#define BRIEFS_ROOM     (1u << 20)
#define HANDED_ROOM     (16u << 20)             /* bytes */
#define REALTIME_BASE   1767225600000000000ull  /* virtual time begins with the year 2026, */
#define MONOTONIC_BASE  1000000000000ull        /* 1000 seconds after the machine was started */

static uint64_t strands_at(void) { return 4096; }
static uint64_t log_at(void) { return strands_at() + STEER_STRANDS * sizeof(struct steer_strand); }      /* every run writes it: near the head */
static uint64_t script_at(void) { return log_at() + (uint64_t)LOG_ROOM * sizeof(uint64_t); }

/* ---------------------------------------------------------------- orders */

static void put_step(struct steer_step *to, const struct schedule *s, const struct schedule_step *from, const struct steer_options *o)
{
	*to = (struct steer_step){ .what = from->what, .strand = from->thread, .nth = from->nth, .answer = from->answer };
	if (o->unchecked || o->loose)
		return;
	to->kind = from->kind;
	if (from->place.module != NO_PART && !o->other_build)
		to->place = (uint64_t)s->modules.at[from->place.module].index << 48 | (from->place.offset + 1);
}

static void put_script(struct shared *m, const struct steer_options *o)
{
	const struct schedule *s = o->schedule;
	for (size_t i = 1; s && i < s->threads.count; i++)
		snprintf(shared_strand(m, (uint32_t)i)->path, PATH_BYTES, "%s", s->threads.at[i].path);
	m->head->named = s ? (uint32_t)s->threads.count : 0;
	for (size_t i = 0; s && i < s->steps.count; i++)
		put_step(m->script + i, s, &s->steps.at[i], o);
}

/* Failures come by themselves, or do not; the last ones end nobody. */
bool shared_kills(int number)
{
	static const int others[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS, SIGSTOP, SIGTSTP, SIGTTIN, SIGTTOU, SIGCONT,
		SIGCHLD, SIGURG, SIGWINCH };
	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		if (number == others[i])
			return false;
	return number >= 1 && number <= 64;
}

/* Nobody will kill a replay: it is told when that happened. */
static void put_end(struct steer_head *h, const struct steer_options *o)
{
	const struct schedule *s = o->schedule;
	h->ends_by = 0;
	h->exits_with = s && s->outcome == OUTCOME_EXIT && o->input == INPUT_SERVE ? s->value : 0;
	if (!o->ends_alike || !s || s->outcome != OUTCOME_SIGNAL || o->input != INPUT_SERVE || !s->events || !shared_kills(s->value))
		return;
	h->ends_by = (uint32_t)s->value;
	h->ends_at = s->events;
}

static void put_head(struct shared *m, const struct steer_options *o)
{
	struct steer_head *h = m->head;
	h->version = WIRE_STEER_VERSION;
	h->policy = o->policy;
	h->seed = o->seed;
	h->depth = o->depth;
	h->switching = o->switching;
	h->heap = o->heap;
	h->time = o->time;
	h->model = o->model;
	h->prompt = o->prompt;
	h->late_strand = o->late.thread;
	h->late_nth = o->late.nth;
	h->lingers = o->lingers;
	h->length = o->length;
	h->max_steps = o->max_steps;
	h->bound = o->bound;
	h->states = o->states;
	h->loose = o->loose;
	h->stop_at = o->stop_at;
	h->realtime_base = REALTIME_BASE;
	h->monotonic_base = MONOTONIC_BASE;
	h->input = o->input;
	h->apart = o->apart;
	put_end(h, o);
	h->input_fd = o->input_fd;
	h->strands_at = strands_at();
	h->script_at = script_at();
	h->script_count = m->script_count;
	h->log_at = m->log_at;
	h->log_room = LOG_ROOM;
	h->ways_at = m->ways_at;
	h->ways_room = m->ways_room;
	h->events_at = m->events_at;
	h->events_room = m->events_room;
	h->flushes_at = m->flushes_at;
	h->flushes_room = m->flushes_room;
	h->runs = m->runs;
	h->go_on_with = o->go_on_with;
	h->turn_count = o->turn_count;
	memcpy(h->turns, o->turns, sizeof h->turns);
	h->briefs_at = m->briefs_at;
	h->briefs_room = BRIEFS_ROOM;
	h->briefs_done = 0;
	h->restart_refused = 0;
	h->handed_at = m->handed_at;
	h->handed_room = m->handed_room;
	h->handed_areas = o->trace_of != NULL;
	h->last_begun = m->runs <= 1 && !o->stays;
	h->handed = h->handed_taken = 0;
	h->handed_waits = 0;
	h->stays = o->stays;
	h->keep_at = o->keep_at ? o->keep_at : UINT64_MAX;
	h->bytes = m->bytes;
	h->magic = STEER_MAGIC;
}

/* Rooms beyond ways and events that were asked for stay untouched. */
static void lay_out(struct shared *m, uint64_t script_room)
{
	m->script_room = script_room;
	m->log_at = log_at();
	m->log_room = LOG_ROOM;
	m->ways_at = script_at() + script_room * sizeof(struct steer_step);
	m->events_at = m->ways_at + WAYS_ROOM * sizeof(struct steer_ways);
	m->flushes_at = m->events_at + EVENTS_ROOM * sizeof(struct steer_event);
	m->briefs_at = m->flushes_at + FLUSHES_ROOM * sizeof(struct steer_flush);
	m->handed_at = m->briefs_at + BRIEFS_ROOM * sizeof(struct steer_brief);
	m->bytes = m->handed_at + HANDED_ROOM;
}

int shared_make(struct shared *m, const struct steer_options *o, struct err *why)
{
	uint64_t steps = o->schedule ? o->schedule->steps.count : 0;
	lay_out(m, steps > SCRIPT_ROOM ? steps : SCRIPT_ROOM);
	m->fd = memfd_create("raddle-steer", 0);
	if (m->fd < 0 || ftruncate(m->fd, (off_t)m->bytes) < 0)
		return err_set(why, "cannot make memory to steer through: %s", str_error(errno));
	m->fd = ring_move_high(m->fd);
	m->head = mmap(NULL, m->bytes, PROT_READ | PROT_WRITE, MAP_SHARED, m->fd, 0);
	if (m->head == MAP_FAILED) {
		close(m->fd);
		return err_set(why, "cannot map memory to steer through: %s", str_error(errno));
	}
	m->script = (struct steer_step *)((char *)m->head + script_at());
	m->log = (uint64_t *)((char *)m->head + m->log_at);
	shared_order(m, o);
	return 0;
}

void shared_order(struct shared *m, const struct steer_options *o)
{
	m->script_count = o->schedule ? o->schedule->steps.count : 0;
	check(m->script_count <= m->script_room);
	m->ways_room = o->ways < WAYS_ROOM ? o->ways : WAYS_ROOM;
	m->events_room = o->events < EVENTS_ROOM ? o->events : EVENTS_ROOM;
	m->flushes_room = m->ways_room ? FLUSHES_ROOM : 0;
	m->runs = o->runs < BRIEFS_ROOM ? o->runs : BRIEFS_ROOM;
	m->handed_room = m->runs > 1 && (o->races || o->trace_of) ? HANDED_ROOM : 0;
	put_script(m, o);
	put_head(m, o);
}

void shared_release(struct shared *m)
{
	munmap(m->head, m->bytes);
	close(m->fd);
}

struct steer_strand *shared_strand(const struct shared *m, uint32_t i)
{
	check(i < STEER_STRANDS);
	return (struct steer_strand *)((char *)m->head + strands_at()) + i;
}
