/* drive/drain.c -- segments of the ring become blocks of a trace file.
 *
 * Everything in the ring may have been scribbled over by the program: each number is checked before it is used.
 *   (1) segments of one lane (thread, nest) are written in the order of their seq; one that is ahead waits;
 *   (2) an object's site tables are handed to the writer before the records of its process;
 *   (3) a process's file is closed once, after the process is dead or recording ended;
 *   (4) nobody waits for ever: when all that is full is ahead of its turn, what should have come before is lost. */
#include "drive/drain.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/file.h"
#include "base/map.h"
#include "base/str.h"
#include "base/vec.h"
#include "drive/facts.h"
#include "drive/moves.h"
#include "drive/object.h"
#include "drive/waits.h"
#include "trace/sites.h"
#include "trace/writer.h"
#include "wire/kinds.h"
#include "wire/tls.h"
#include "wire/version.h"

#define SPARES_UNUSED 256                    /* so many free ones in a row: no thread was given a spare behind them, lowest first */
#define WAKE_EVERY 128                       /* segments freed before those who wait for one are woken */

struct loaded { uint32_t entry; struct object_block block; };

struct recorded {                            /* one process */
	bool open, done;
	uint32_t entry;                      /* in the ring's table */
	pid_t pid;
	struct writer *writer;
	struct sites *sites;                 /* to find the end of a segment that was cut off by death */
	VEC(struct loaded) objects;
	struct map next_seq;                 /* lane -> next expected */
	struct moves moves;
	uint32_t thread_count;
	uint64_t lost;
};

struct place { uint64_t lane; uint32_t seq, segment; };     /* a segment to write; a copy: its head may change meanwhile */

struct drain {
	struct drain_setup setup;
	struct recorded process[RING_PROCESSES];
	VEC(struct place) order;             /* scratch: segments to write */
	uint32_t files;
	uint64_t closed_bytes, closed_events, closed_lost;
	uint32_t closed_threads;
	uint64_t start_ticks, start_time;
	bool turned, stopped;
	bool stuck;                          /* the last look found full segments, none of them the next of its lane */
	char unseen[512];                    /* objects without site tables */
};

static uint64_t ticks(void)
{
	return __builtin_ia32_rdtsc();
}

static uint64_t now_ns(clockid_t clock)
{
	struct timespec t;
	clock_gettime(clock, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

struct drain *drain_new(const struct drain_setup *setup)
{
	struct drain *d = mem_take(sizeof *d);
	d->setup = *setup;
	d->start_ticks = ticks();
	d->start_time = now_ns(CLOCK_MONOTONIC);
	return d;
}

static uint64_t ticks_per_second(const struct drain *d)
{
	uint64_t ns = now_ns(CLOCK_MONOTONIC) - d->start_time;
	return ns ? (uint64_t)((double)(ticks() - d->start_ticks) * 1e9 / (double)ns) : 0;
}

/* Recording cannot go on; the program can. */
static void stop(struct drain *d, const struct err *why)
{
	if (d->stopped)
		return;
	d->stopped = true;
	__atomic_store_n(&d->setup.ring->head->stopped, 1, __ATOMIC_SEQ_CST);
	fprintf(stderr, "raddle: recording stopped, the program goes on: %s\n", why->text);
}

/* ---------------------------------------------------------------- a process's file */

/* A steered run, whose trace is the same each time: no time, no ids of the system. */
static bool is_total(const struct drain *d)
{
	return d->setup.order == ORDER_TOTAL;
}

static void put_facts(struct drain *d, struct recorded *p, enum block_type type, uint32_t thread, struct buffer *text)
{
	struct err why;
	if (p->writer && writer_block(p->writer, type, thread, text->at, text->count, &why) < 0)
		stop(d, &why);
	buffer_release(text);
}

static void write_info(struct drain *d, struct recorded *p)
{
	struct buffer text = { 0 };
	facts_process(&text, ring_process(d->setup.ring, p->entry), p->pid, d->setup.argv, d->setup.level, is_total(d));
	put_facts(d, p, BLOCK_INFO, 0, &text);
}

static void open_file(struct drain *d, struct recorded *p)
{
	char path[4096];
	struct err why;
	struct trace_head head = { .order = d->setup.order, .level = d->setup.level, .flags = d->setup.trace_flags,
		.pid = (uint32_t)p->pid, .start_realtime = now_ns(CLOCK_REALTIME),
		.start_ticks = d->start_ticks, .ticks_per_second = 0 };
	if (d->files == 0)
		snprintf(path, sizeof path, "%s", d->setup.output);
	else
		snprintf(path, sizeof path, "%s.%u", d->setup.output, d->files);
	d->files++;
	p->sites = sites_new();
	file_keep_old(path);
	if (writer_open(&p->writer, path, &head, &why) < 0) {
		p->writer = NULL;
		stop(d, &why);
		return;
	}
	if (d->setup.moves)
		moves_process(&p->moves, ring_process(d->setup.ring, p->entry), p->writer);
	write_info(d, p);
}

/* A process that appeared since we last looked. */
static void find_new_processes(struct drain *d)
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

/* ---------------------------------------------------------------- objects */

static bool has_object(const struct recorded *p, uint32_t entry)
{
	for (size_t i = 0; i < p->objects.count; i++)
		if (p->objects.at[i].entry == entry)
			return true;
	return false;
}

static void add_object(struct drain *d, struct recorded *p, uint32_t index)
{
	struct module_entry m = *ring_module(d->setup.ring, index);
	struct err why;
	m.path[sizeof m.path - 1] = 0;
	if (m.build_id_bytes > sizeof m.build_id)
		m.build_id_bytes = 0;
	struct loaded *object = vec_add(&p->objects);
	object->entry = index;
	struct object_load load = { m.path, m.base, m.low, m.high, m.build_id, m.build_id_bytes };
	object_block(&object->block, &load);
	const struct object_block *b = &object->block;
	if (d->setup.moves && p->writer)
		moves_module(&p->moves, &m, p->writer);
	if (b->sites && (sites_add(p->sites, b->sites_address, b->sites, b->sites_bytes, false, &why) < 0 ||
		(p->writer && writer_sites(p->writer, b->sites_address, b->sites, b->sites_bytes, &why) < 0)))
		fprintf(stderr, "raddle: cannot use the site tables of '%s': %s\n", m.path, why.text);
	if (p->writer && writer_block(p->writer, BLOCK_MODULE, 0, b->bytes, b->count, &why) < 0)
		stop(d, &why);
}

static void find_new_objects(struct drain *d)
{
	uint32_t count = __atomic_load_n(&d->setup.ring->head->next_module, __ATOMIC_ACQUIRE);
	if (count > RING_MODULES)
		count = RING_MODULES;
	for (uint32_t i = 0; i < count; i++) {
		const struct module_entry *m = ring_module(d->setup.ring, i);
		uint32_t process = m->process;
		if (__atomic_load_n(&m->state, __ATOMIC_ACQUIRE) != 1 || process >= RING_PROCESSES || !d->process[process].open ||
			has_object(&d->process[process], i))
			continue;
		add_object(d, &d->process[process], i);
	}
}

/* ---------------------------------------------------------------- segments */

static const struct segment_head *head_at(const struct drain *d, uint32_t segment)
{
	return (const struct segment_head *)ring_segment(d->setup.ring, segment);
}

/* Where the records of a segment end: as its writer said, or, when it died, at the first zero header. */
static size_t records_end(struct recorded *p, const uint8_t *segment, const struct segment_head *head)
{
	if (head->used >= SEGMENT_HEAD && head->used <= SEGMENT_BYTES)
		return head->used;
	size_t at = SEGMENT_HEAD;
	while (at + 8 <= SEGMENT_BYTES && *(const uint64_t *)(segment + at)) {
		struct site *site;
		size_t bytes = record_bytes(p->sites, segment + at, SEGMENT_BYTES - at, &site);
		if (!bytes)
			break;
		at += bytes;
	}
	return at;
}

static uint64_t lane_key(const struct segment_head *head)
{
	return (uint64_t)head->thread << 8 | (head->nest & 255);
}

static bool is_thread_itself(uint64_t lane)  /* and no signal handler on it */
{
	return (lane & 255) == 0;
}

static bool keeps_last(const struct drain *d)
{
	return d->turned || d->setup.trace_flags & TRACE_LAST;
}

/* Is it the next of its lane?  In a flight recorder the ones before it may be gone.  In a stream a segment is full before its
 * successor exists: who is ahead of his turn look after look waits for one that will never come. */
static bool is_next(struct drain *d, struct recorded *p, const struct place *at)
{
	const uint64_t *next = map_get(&p->next_seq, at->lane);
	uint64_t wanted = next ? *next : 0;
	if (keeps_last(d))
		return at->seq >= wanted;
	if (d->stuck && at->seq > wanted)
		p->lost++;
	return d->stuck || at->seq == wanted;
}

static void introduce_thread(struct drain *d, struct recorded *p, const struct segment_head *head)
{
	struct buffer text = { 0 };
	facts_thread_begun(&text, head);
	put_facts(d, p, BLOCK_THREAD, head->thread, &text);
}

static void write_segment(struct drain *d, struct recorded *p, uint32_t segment)
{
	const uint8_t *bytes = ring_segment(d->setup.ring, segment);
	struct segment_head head = *head_at(d, segment);
	struct err why;
	if (head.nest >= NEST_LEVELS) {          /* nothing the runtime would write */
		p->lost++;
		return;
	}
	struct segment_note note = { head.thread, head.nest, head.seq, head.at_seq, head.at_offset, head.start_time, head.end_time };
	size_t end = records_end(p, bytes, &head);
	bool first;
	*map_put(&p->next_seq, lane_key(&head), &first) = head.seq + 1ull;
	if (first && head.nest == 0 && p->writer)
		introduce_thread(d, p, &head);
	if (!p->writer || end <= SEGMENT_HEAD)
		return;
	if (writer_records(p->writer, &note, bytes + SEGMENT_HEAD, end - SEGMENT_HEAD, &why) < 0)
		stop(d, &why);
}

static int by_lane(const void *a, const void *b)
{
	const struct place *x = a, *y = b;
	if (x->lane != y->lane)
		return x->lane < y->lane ? -1 : 1;
	return x->seq < y->seq ? -1 : x->seq > y->seq;
}

static void add_place(struct drain *d, uint32_t segment)
{
	const struct segment_head *head = head_at(d, segment);
	struct place at = { lane_key(head), head->seq, segment };
	vec_push(&d->order, at);
}

static void sort_by_lane(struct drain *d)
{
	if (d->order.count)
		qsort(d->order.at, d->order.count, sizeof *d->order.at, by_lane);
}

static void free_segment(struct drain *d, uint32_t segment)
{
	const struct segment_head *head = head_at(d, segment);
	if (head->area < RING_THREADS) {
		struct thread_area *area = ring_area(d->setup.ring, head->area);
		if (area->thread == head->thread)
			__atomic_fetch_sub(&area->segments, 1, __ATOMIC_RELAXED);
	}
	ring_free_segment(d->setup.ring, segment);
}

static void write_thread(struct drain *d, struct recorded *p, const struct thread_area *shared);

/* Threads that ended and whose last segment is written give their area back.  Those of a steered run are few, and what they held is
 * asked for at its end. */
static void free_areas(struct drain *d)
{
	if (is_total(d))
		return;
	for (uint32_t i = 0, count = ring_area_count(d->setup.ring); i < count; i++) {
		struct thread_area *area = ring_area(d->setup.ring, i);
		uint32_t process = area->process;
		if (__atomic_load_n(&area->state, __ATOMIC_ACQUIRE) != AREA_DEAD || area->segments != 0 || process >= RING_PROCESSES ||
			!d->process[process].open)
			continue;
		write_thread(d, &d->process[process], area);
		__atomic_store_n(&area->state, AREA_FREE, __ATOMIC_RELEASE);
	}
}

static uint64_t bytes_so_far(const struct drain *d)
{
	uint64_t bytes = d->closed_bytes;
	for (uint32_t i = 0; i < RING_PROCESSES; i++)
		if (d->process[i].open && d->process[i].writer)
			bytes += writer_bytes(d->process[i].writer);
	return bytes;
}

/* The files are large enough: from now on only the last of what happens is kept. */
static void turn_into_flight_recorder(struct drain *d)
{
	char size[STR_NUMBER], kept[STR_NUMBER];
	uint64_t ring = d->setup.ring->ordinary * (uint64_t)SEGMENT_BYTES;
	d->turned = true;
	__atomic_store_n(&d->setup.ring->head->mode, RING_LAST, __ATOMIC_SEQ_CST);
	fprintf(stderr, "raddle: the trace has reached %s, the most it may take (see --max-size); "
		"from here on only the last %s are kept\n", str_bytes(size, d->setup.max_size), str_bytes(kept, ring));
}

unsigned drain_step(struct drain *d)
{
	struct ring *r = d->setup.ring;
	unsigned written = 0;
	if (keeps_last(d)) {
		find_new_processes(d);
		return 0;
	}
	vec_clear(&d->order);
	for (uint32_t i = 0, unused = 0; i < r->segment_total && unused < SPARES_UNUSED; i++) {
		uint32_t state = __atomic_load_n(ring_state(r, i), __ATOMIC_ACQUIRE);
		unused = state == SEG_FREE && i >= r->ordinary ? unused + 1 : 0;
		if (state == SEG_FULL)
			add_place(d, i);
	}
	find_new_processes(d);
	find_new_objects(d);
	sort_by_lane(d);
	for (size_t i = 0; i < d->order.count; i++) {
		uint32_t segment = d->order.at[i].segment, process = head_at(d, segment)->process;
		if (process >= RING_PROCESSES || !d->process[process].open) {
			ring_free_segment(r, segment);
			continue;
		}
		if (!is_next(d, &d->process[process], &d->order.at[i]))
			continue;
		write_segment(d, &d->process[process], segment);
		free_segment(d, segment);
		if (++written % WAKE_EVERY == 0)
			ring_wake_writers(r);
	}
	d->stuck = d->order.count && !written && !d->stuck;
	if (written)
		ring_wake_writers(r);
	free_areas(d);
	if (written && !d->stopped && bytes_so_far(d) > d->setup.max_size)
		turn_into_flight_recorder(d);
	return written;
}

/* ---------------------------------------------------------------- the end of a process */

static void write_thread(struct drain *d, struct recorded *p, const struct thread_area *shared)
{
	struct thread_area a = *shared;
	struct buffer text = { 0 };
	facts_thread(&text, &a, p->writer, is_total(d));
	put_facts(d, p, BLOCK_THREAD, a.thread, &text);
	p->thread_count++;
	p->lost += a.lost;
}

static void write_threads(struct drain *d, struct recorded *p)
{
	for (uint32_t i = 0, count = ring_area_count(d->setup.ring); i < count; i++) {
		struct thread_area *area = ring_area(d->setup.ring, i);
		if (area->state == AREA_FREE || area->process != p->entry)
			continue;
		write_thread(d, p, area);
		__atomic_store_n(&area->state, AREA_FREE, __ATOMIC_RELEASE);
	}
}

/* A flight recorder may have kept an old segment of a thread and taken later ones: what counts is the unbroken end. */
static bool reaches_the_end(const struct drain *d, size_t i)
{
	for (; i + 1 < d->order.count; i++) {
		const struct place *at = &d->order.at[i], *next = at + 1;
		if (next->lane != at->lane)
			return true;
		if (next->seq != at->seq + 1 && is_thread_itself(at->lane))
			return false;
	}
	return true;
}

/* Everything the process left in the ring, whatever state it was in when it died. */
static void write_rest(struct drain *d, struct recorded *p)
{
	struct ring *r = d->setup.ring;
	struct err why;
	vec_clear(&d->order);
	for (uint32_t i = 0; i < r->segment_total; i++) {
		uint32_t state = __atomic_load_n(ring_state(r, i), __ATOMIC_ACQUIRE);
		if ((state == SEG_OWNED || state == SEG_KEPT || state == SEG_FULL) && head_at(d, i)->process == p->entry)
			add_place(d, i);
	}
	sort_by_lane(d);
	for (size_t i = 0; i < d->order.count; i++) {
		if (i && d->order.at[i].lane != d->order.at[i - 1].lane && writer_flush(p->writer, &why) < 0)
			stop(d, &why);           /* that lane is complete: no need to hold it back */
		if (!keeps_last(d) || reaches_the_end(d, i))
			write_segment(d, p, d->order.at[i].segment);
		if (keeps_last(d))
			ring_forget_segment(r, d->order.at[i].segment);
		ring_free_segment(r, d->order.at[i].segment);
	}
}

static void write_end(struct drain *d, struct recorded *p, int status, const char *stopped)
{
	struct buffer text = { 0 };
	struct err why;
	if (writer_flush(p->writer, &why) < 0)
		stop(d, &why);
	facts_end(&text, &(struct facts_end){ .status = status, .ticks = ticks(), .ticks_per_second = ticks_per_second(d),
		.events = writer_events(p->writer), .lost = p->lost, .threads = p->thread_count,
		.stopped = d->stopped ? "the file could not grow" : stopped, .turned = d->turned }, is_total(d));
	put_facts(d, p, BLOCK_END, 0, &text);
}

static void add_unseen(struct drain *d, const struct recorded *p);

static void close_process(struct drain *d, struct recorded *p, int status, const char *stopped)
{
	struct err why;
	p->open = false;
	p->done = true;
	if (!p->writer)
		goto release;
	add_unseen(d, p);
	write_rest(d, p);
	write_threads(d, p);
	write_end(d, p, status, stopped);
	d->closed_bytes += writer_bytes(p->writer);
	d->closed_events += writer_events(p->writer);
	d->closed_threads += p->thread_count;
	d->closed_lost += p->lost;
	if (writer_close(p->writer, &why) < 0)
		stop(d, &why);
release:
	for (size_t i = 0; i < p->objects.count; i++)
		free(p->objects.at[i].block.bytes);
	vec_release(&p->objects);
	sites_free(p->sites);
	map_release(&p->next_seq);
}

void drain_process_ended(struct drain *d, pid_t pid, int status)
{
	while (drain_step(d) > 0)
		;
	find_new_objects(d);
	for (uint32_t i = 0; i < RING_PROCESSES; i++)
		if (d->process[i].open && d->process[i].pid == pid)
			close_process(d, &d->process[i], status, NULL);
}

/* How it ended, in its own words; -1 if it had no time to say. */
static int status_said(const struct process_entry *entry)
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
			drain_process_ended(d, pid, status_said(ring_process(d->setup.ring, d->process[i].entry)));
	}
}

void drain_finish(struct drain *d, struct drain_totals *totals)
{
	find_new_processes(d);
	find_new_objects(d);
	for (uint32_t i = 0; i < RING_PROCESSES; i++)
		if (d->process[i].open)
			close_process(d, &d->process[i], -1, "recording was ended while the process ran");
	*totals = (struct drain_totals){ .events = d->closed_events, .bytes = d->closed_bytes,
		.lost = d->closed_lost, .files = d->files, .threads = d->closed_threads, .turned = d->turned, .stopped = d->stopped };
	const struct ring_head *h = d->setup.ring->head;
	totals->no_room = h->lost_threads + h->lost_processes + h->lost_modules;
	snprintf(totals->unseen, sizeof totals->unseen, "%s", d->unseen);
	vec_release(&d->order);
	mem_free(d);
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

/* ---------------------------------------------------------------- for the user */

static const char *name_in(void *process, uint64_t address, uint64_t *offset)
{
	const struct recorded *p = process;
	const char *name = NULL;
	for (size_t i = 0; i < p->objects.count && !name; i++)
		name = object_symbol(&p->objects.at[i].block, address, offset);
	return name;
}

void drain_print_waits(struct drain *d)
{
	find_new_processes(d);
	find_new_objects(d);
	for (uint32_t i = 0; i < RING_PROCESSES; i++)
		if (d->process[i].open)
			waits_print(d->setup.ring, i, name_in, &d->process[i]);
}

static bool is_expected(const char *name)
{
	static const char *const known[] = { "libraddle-rt.so", "libc.so", "libm.so", "ld-linux", "libgcc_s", "linux-vdso" };
	for (size_t i = 0; i < sizeof known / sizeof *known; i++)
		if (str_starts(name, known[i]))
			return true;
	return false;
}

static void add_unseen(struct drain *d, const struct recorded *p)
{
	for (size_t i = 0; i < p->objects.count; i++) {
		struct module_entry m = *ring_module(d->setup.ring, p->objects.at[i].entry);
		m.path[sizeof m.path - 1] = 0;
		const char *slash = strrchr(m.path, '/'), *name = slash ? slash + 1 : m.path;
		size_t used = strlen(d->unseen);
		if (p->objects.at[i].block.sites || is_expected(name) || !*name || strstr(d->unseen, name))
			continue;
		snprintf(d->unseen + used, sizeof d->unseen - used, "%s%s", used ? ", " : "", name);
		for (char *at = d->unseen + used; *at; at++)
			if ((unsigned char)*at < ' ' || *at == 127)
				*at = '?';
	}
}
