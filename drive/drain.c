/* drive/drain.c -- from the ring to trace files: processes come and go, each with a file.  Segments and objects: drain_*.c.
 *
 * Everything in the ring may have been scribbled over by the program: each number is checked before it is used.
 *   (1) segments of one lane (thread, nest) are written in the order of their seq; one that is ahead waits;
 *   (2) an object's site tables are handed to the writer before the records of its process;
 *   (3) a process's file is closed once, after the process is dead or recording ended;
 *   (4) nobody waits for ever: when all that is full is ahead of its turn, what should have come before is lost. */
#include "drive/drain_inside.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>

#include "base/clock.h"
#include "base/file.h"
#include "drive/facts.h"
#include "wire/kinds.h"
#include "wire/steer.h"

static uint64_t ticks(void)
{
	return __builtin_ia32_rdtsc();
}

static uint64_t time_of_day(void)
{
	struct timespec t;
	clock_gettime(CLOCK_REALTIME, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

struct drain *drain_new(const struct drain_setup *setup)
{
	struct drain *d = mem_take(sizeof *d);
	d->setup = *setup;
	d->start_ticks = ticks();
	d->start_time = clock_ns();
	if (setup->leftover) {
		struct leftover_notes *n = setup->leftover->notes;
		n->start_ticks = n->last_ticks = d->start_ticks;
		n->start_time = d->start_time;
		n->start_realtime = time_of_day();
		n->level = setup->level;
		n->trace_flags = setup->trace_flags;
	}
	return d;
}

static uint64_t ticks_per_second(const struct drain *d)
{
	uint64_t now = clock_ns(), ns = now > d->start_time ? now - d->start_time : 0;
	return ns ? (uint64_t)((double)(ticks() - d->start_ticks) * 1e9 / (double)ns) : 0;
}

/* Recording cannot go on; the program can. */
void drain_stop(struct drain *d, const struct err *why)
{
	if (d->stopped)
		return;
	d->stopped = true;
	__atomic_store_n(&d->setup.ring->head->stopped, 1, __ATOMIC_SEQ_CST);
	fprintf(stderr, "raddle: recording stopped, the program goes on: %s\n", why->text);
}

/* ---------------------------------------------------------------- a process's file */

void drain_facts(struct drain *d, struct recorded *p, enum block_type type, uint32_t thread, struct buffer *text)
{
	struct err why;
	if (p->writer && writer_block(p->writer, type, thread, text->at, text->count, &why) < 0)
		drain_stop(d, &why);
	buffer_release(text);
}

void drain_write_info(struct drain *d, struct recorded *p)
{
	struct buffer text = { 0 };
	facts_process(&text, ring_process(d->setup.ring, p->entry), p->writer, p->pid, d->setup.argv, d->setup.level, drain_is_total(d));
	facts_settings(&text, d->setup.model, d->setup.heap);
	drain_facts(d, p, BLOCK_INFO, 0, &text);
}

struct trace_head drain_head(const struct drain *d, pid_t pid)
{
	uint32_t more = TRACE_TRIES | (drain_is_total(d) ? TRACE_POINTS | TRACE_CALLS : 0);
	return (struct trace_head){ .order = d->setup.order, .level = d->setup.level, .flags = d->setup.trace_flags | more,
		.pid = (uint32_t)pid, .start_realtime = time_of_day(), .start_ticks = d->start_ticks, .ticks_per_second = 0 };
}

/* Before the file is there: what is called so until then is another recording's. */
static void note_file(struct drain *d, const struct recorded *p, bool done)
{
	if (!d->setup.leftover)
		return;
	if (done)
		__atomic_store_n(&d->setup.leftover->notes->process[p->entry].done, 1, __ATOMIC_RELEASE);
	else
		__atomic_store_n(&d->setup.leftover->notes->process[p->entry].file, d->files, __ATOMIC_RELEASE);
}

static void open_file(struct drain *d, struct recorded *p)
{
	char path[4096];
	struct err why;
	struct trace_head head = drain_head(d, p->pid);
	if (d->setup.sink) {
		d->setup.sink->broken |= d->files++ > 0;
		return;
	}
	if (d->files == 0)
		snprintf(path, sizeof path, "%s", d->setup.output);
	else
		snprintf(path, sizeof path, "%s.%u", d->setup.output, d->files);
	d->files++;
	note_file(d, p, false);
	p->sites = sites_new();
	file_keep_old(path);
	if (writer_open(&p->writer, path, &head, &why) < 0) {
		p->writer = NULL;
		drain_stop(d, &why);
		return;
	}
	if (d->setup.leftover)
		writer_shelf(p->writer, &d->setup.leftover->shelf, d->files);
	if (d->setup.moves)
		moves_process(&p->moves, ring_process(d->setup.ring, p->entry), p->writer);
	drain_write_info(d, p);
}

/* A process that appeared since we last looked. */
void drain_find_processes(struct drain *d)
{
	for (uint32_t i = 0; i < RING_PROCESSES; i++) {
		struct recorded *p = &d->process[i];
		const struct process_entry *entry = ring_process(d->setup.ring, i);
		if (p->open || p->done || __atomic_load_n(&entry->state, __ATOMIC_ACQUIRE) != PROC_LIVE)
			continue;
		p->open = true;
		p->entry = i;
		p->pid = entry->pid;
		open_file(d, p);
	}
}

/* ---------------------------------------------------------------- the end of a process */

void drain_write_thread(struct drain *d, struct recorded *p, const struct thread_area *shared)
{
	struct thread_area a = *shared;
	struct buffer text = { 0 };
	facts_thread(&text, &a, p->writer, drain_is_total(d));
	drain_facts(d, p, BLOCK_THREAD, a.thread, &text);
	p->thread_count++;
	p->lost += a.lost;
}

static void write_threads(struct drain *d, struct recorded *p)
{
	for (uint32_t i = 0, count = ring_area_count(d->setup.ring); i < count; i++) {
		struct thread_area *area = ring_area(d->setup.ring, i);
		if (area->state == AREA_FREE || area->process != p->entry)
			continue;
		drain_write_thread(d, p, area);
		__atomic_store_n(&area->state, AREA_FREE, __ATOMIC_RELEASE);
	}
}

static void write_end(struct drain *d, struct recorded *p, int status, const char *stopped)
{
	struct buffer text = { 0 };
	struct err why;
	if (writer_flush(p->writer, &why) < 0)
		drain_stop(d, &why);
	drain_write_places(d, p);
	facts_end(&text, &(struct facts_end){ .status = status, .ticks = d->salvage ? d->end_ticks : ticks(), .ticks_per_second = ticks_per_second(d),
		.events = writer_events(p->writer), .lost = p->lost, .threads = p->thread_count,
		.stopped = d->stopped ? "the file could not grow" : stopped, .turned = d->turned, .steered = d->steered }, drain_is_total(d));
	drain_facts(d, p, BLOCK_END, 0, &text);
}

/* How many segments its threads have filled, as far as any of theirs is left to say it. */
static uint64_t segments_made(const struct recorded *p)
{
	uint64_t made = 0;
	for (size_t i = 0; i < p->next_seq.room; i++)
		made += p->next_seq.cells[i].used ? p->next_seq.cells[i].value : 0;
	return made;
}

/* What is known of a process at its end, to who wanted its records. */
static void tell_sink(struct drain *d, const struct recorded *p)
{
	struct drain_sink *k = d->setup.sink;
	for (uint32_t i = 0, count = ring_area_count(d->setup.ring); i < count; i++) {
		struct thread_area *area = ring_area(d->setup.ring, i);
		if (area->state != AREA_FREE && area->process == p->entry)
			k->thread(k->with, area);
	}
	uint32_t modules = d->setup.ring->head->next_module;
	for (uint32_t i = 0; i < modules && i < RING_MODULES; i++)
		if (ring_module(d->setup.ring, i)->state && ring_module(d->setup.ring, i)->process == p->entry)
			k->module(k->with, ring_module(d->setup.ring, i));
	k->broken |= p->lost > 0;
}

void drain_close_process(struct drain *d, struct recorded *p, int status, const char *stopped)
{
	struct err why;
	p->open = false;
	p->done = true;
	if (d->setup.sink && p->entry == 0) {
		drain_write_rest(d, p);
		tell_sink(d, p);
	}
	if (!p->writer)
		goto release;
	drain_add_unseen(d, p);
	drain_write_rest(d, p);
	write_threads(d, p);
	write_end(d, p, status, stopped);
	d->made += segments_made(p);
	d->closed_bytes += writer_bytes(p->writer);
	d->closed_events += writer_events(p->writer);
	d->closed_threads += p->thread_count;
	d->closed_lost += p->lost;
	if (writer_close(p->writer, &why) < 0)
		drain_stop(d, &why);
	note_file(d, p, true);
release:
	for (size_t i = 0; i < p->objects.count; i++)
		free(p->objects.at[i].block.bytes);
	vec_release(&p->objects);
	sites_free(p->sites);
	map_release(&p->next_seq);
	map_release(&p->introduced);
}

void drain_process_ended(struct drain *d, pid_t pid, int status)
{
	while (drain_step(d) > 0)
		;
	if (!d->setup.sink)
		drain_find_objects(d);
	for (uint32_t i = 0; i < RING_PROCESSES; i++)
		if (d->process[i].open && d->process[i].pid == pid)
			drain_close_process(d, &d->process[i], status, NULL);
}

void drain_was_ended(struct drain *d, uint32_t outcome)
{
	d->steered = outcome == OUTCOME_LEFT ? "left" : outcome == OUTCOME_LIVELOCK ? "hang" : NULL;
}

int drain_status_said(const struct process_entry *entry)
{
	switch (__atomic_load_n(&entry->end_kind, __ATOMIC_ACQUIRE)) {
	case EV_EXIT:    return W_EXITCODE(entry->end_value & 255, 0);
	case EV_FAILURE: return W_EXITCODE(0, entry->end_value & 127);
	default:         return -1;
	}
}

void drain_collect_gone(struct drain *d, bool all)
{
	for (uint32_t i = 0; i < RING_PROCESSES; i++) {
		pid_t pid = d->process[i].pid;
		if (d->process[i].open && (all || (kill(pid, 0) < 0 && errno == ESRCH)))
			drain_process_ended(d, pid, drain_status_said(ring_process(d->setup.ring, d->process[i].entry)));
	}
}

void drain_finish(struct drain *d, struct drain_totals *totals)
{
	drain_find_processes(d);
	if (!d->setup.sink)
		drain_find_objects(d);
	for (uint32_t i = 0; i < RING_PROCESSES; i++)
		if (d->process[i].open)
			drain_close_process(d, &d->process[i], -1, "recording was ended while the process ran");
	*totals = (struct drain_totals){ .events = d->closed_events, .bytes = d->closed_bytes,
		.lost = d->closed_lost, .files = d->files, .threads = d->closed_threads, .turned = d->turned, .stopped = d->stopped };
	double times = d->written && d->made > d->written ? (double)d->made / (double)d->written : 1;
	totals->happened = (double)d->closed_events * times;
	const struct ring_head *h = d->setup.ring->head;
	totals->no_room = h->lost_threads + h->lost_processes + h->lost_modules;
	snprintf(totals->unseen, sizeof totals->unseen, "%s", d->unseen);
	vec_release(&d->order);
	mem_free(d);
}

uint64_t drain_segments(const struct drain *d)
{
	return d->written;
}

bool drain_any_open(const struct drain *d)
{
	for (uint32_t i = 0; i < RING_PROCESSES; i++)
		if (d->process[i].open)
			return true;
	return false;
}

bool drain_saw_any(const struct drain *d)
{
	return d->files > 0;
}
