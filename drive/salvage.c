/* drive/salvage.c -- see salvage.h.
 * What a lane executed stands in three places, in this order: blocks of the trace, the shelf, segments of the ring.  The recorder moves it
 * on by putting it into the next place before it takes it out of the one before, so at every moment each segment is in one of them, or in
 * two that follow each other; its number (seq) says which are the same.
 *   (1) the new trace is made beside the old one, and takes its place when it is whole: whoever kills us loses nothing;
 *   (2) what is left is removed last. */
#include "drive/salvage.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/str.h"
#include "drive/drain_inside.h"
#include "drive/leftover.h"
#include "trace/blocks.h"
#include "wire/tls.h"

#define MOST_WORDS 4096

struct work {
	const char *output;
	struct salvaged *out;
	struct err *why;
	bool failed;
	/* of one recording */
	struct leftover left;
	struct ring ring;
	struct drain *drain;
	struct recorded *process;        /* whose trace is being made */
	bool has_info;
};

/* ---------------------------------------------------------------- what the trace has */

static void take_text(void *with, enum block_type type, uint32_t thread, const void *bytes, size_t count)
{
	struct work *w = with;
	struct err why;
	bool fresh;
	if (type == BLOCK_MODULE)
		drain_keep_object(w->drain, w->process, bytes, count);
	if (type != BLOCK_INFO && type != BLOCK_THREAD)
		return;
	w->has_info |= type == BLOCK_INFO;
	if (type == BLOCK_THREAD) {
		map_put(&w->process->introduced, thread, &fresh);
		w->process->thread_count += fresh;
	}
	if (writer_block(w->process->writer, type, thread, bytes, count, &why) < 0)
		drain_stop(w->drain, &why);
}

static void take_segment(void *with, const struct segment_note *note, const uint8_t *records, size_t bytes)
{
	struct work *w = with;
	drain_take_segment(w->drain, w->process, note, records, bytes);
}

/* ---------------------------------------------------------------- what is on the shelf */

static bool is_new(const struct recorded *p, const struct segment_note *note)
{
	const uint64_t *next = map_get(&p->next_seq, (uint64_t)note->thread << 8 | note->nest);
	return !next || note->seq >= *next;
}

static void take_slot(struct work *w, int slot)
{
	const struct shelf_slot *x = shelf_slot(&w->left.shelf, slot);
	const uint8_t *records = shelf_records(&w->left.shelf, slot);
	size_t at = 0;
	for (uint32_t i = 0; i < x->count && i < SHELF_SEGMENTS; i++) {
		const struct shelf_segment *s = &x->segments[i];
		struct segment_note note = { x->thread, x->nest, s->seq, s->at_seq, s->at_offset, s->start_time, s->end_time };
		if (s->bytes > SHELF_RECORDS - at)
			return;
		if (is_new(w->process, &note))
			drain_take_segment(w->drain, w->process, &note, records + at, s->bytes);
		at += s->bytes;
	}
}

static void take_shelf(struct work *w, uint32_t file)
{
	for (int i = 0; i < (int)SHELF_SLOTS; i++) {
		const struct shelf_slot *x = shelf_slot(&w->left.shelf, i);
		if (x->file == file && x->count && x->nest < NEST_LEVELS)
			take_slot(w, i);
	}
}

/* ---------------------------------------------------------------- one process */

static void name_trace(const struct work *w, uint32_t file, char *path, size_t room)
{
	if (file <= 1)
		snprintf(path, room, "%s", w->output);
	else
		snprintf(path, room, "%s.%u", w->output, file - 1);
}

/* Those whose thread areas are still there are told of, and counted, at the end. */
static void count_gone_threads(struct work *w)
{
	for (uint32_t i = 0, count = ring_area_count(&w->ring); i < count; i++) {
		const struct thread_area *area = ring_area(&w->ring, i);
		bool told = area->state != AREA_FREE && area->process == w->process->entry && map_get(&w->process->introduced, area->thread);
		w->process->thread_count -= told && w->process->thread_count;
	}
}

static void fill(struct work *w, const char *path, uint32_t file, bool ours, bool *whole)
{
	const struct blocks_taker taker = { take_text, take_segment, w };
	struct recorded *p = w->process;
	w->has_info = false;
	*whole = ours && blocks_each(path, &taker);
	if (!w->has_info)
		drain_write_info(w->drain, p);
	count_gone_threads(w);
	take_shelf(w, file);
	drain_find_objects(w->drain);
	drain_close_process(w->drain, p, drain_status_said(ring_process(&w->ring, p->entry)),
		w->ring.head->stopped ? "the recorder was killed" : NULL);
}

static void make_trace(struct work *w, uint32_t file)
{
	char path[4096], fresh[4096 + 32];
	struct trace_head head = { 0 };
	struct recorded *p = w->process;
	bool whole = false;
	name_trace(w, file, path, sizeof path);
	snprintf(fresh, sizeof fresh, "%s.new", w->left.path);
	bool ours = blocks_head(path, &head) && head.pid == (uint32_t)p->pid && head.start_ticks == w->left.notes->start_ticks;
	if (!ours) {
		head = drain_head(w->drain, p->pid);
		head.start_realtime = w->left.notes->start_realtime;
	}
	p->sites = sites_new();
	if (writer_open(&p->writer, fresh, &head, w->why) < 0) {
		p->writer = NULL;
		w->failed = true;
		return;
	}
	fill(w, path, file, ours, &whole);
	if (whole || w->drain->stopped) {
		unlink(fresh);
		return;
	}
	if (!ours)
		file_keep_old(path);
	if (rename(fresh, path) < 0) {
		err_set(w->why, "cannot write '%s': %s", path, str_error(errno));
		w->failed = true;
		unlink(fresh);
	}
	w->drain->files++;
}

/* ---------------------------------------------------------------- one recording */

static struct drain *begin(struct work *w, char **argv)
{
	const struct leftover_notes *n = w->left.notes;
	struct drain_setup setup = { .ring = &w->ring, .output = w->output, .argv = argv, .level = n->level,
		.max_size = UINT64_MAX, .trace_flags = n->trace_flags & (TRACE_LAST | TRACE_NO_VALUES) };
	struct drain *d = drain_new(&setup);
	size_t count = 0;
	for (const char *word = n->words; *word && count < MOST_WORDS; word += strlen(word) + 1)
		argv[count++] = (char *)word;
	d->salvage = true;
	d->start_ticks = n->start_ticks;
	d->start_time = n->start_time;
	d->end_ticks = n->last_ticks;
	d->turned = w->ring.head->mode == RING_LAST && !(n->trace_flags & TRACE_LAST);
	return d;
}

/* The number of the last trace that was begun. */
static uint32_t last_file(const struct leftover_notes *n)
{
	uint32_t last = 0;
	for (uint32_t i = 0; i < RING_PROCESSES; i++)
		if (n->process[i].file <= RING_PROCESSES && n->process[i].file > last)
			last = n->process[i].file;
	return last;
}

static void make_traces(struct work *w)
{
	uint32_t last = last_file(w->left.notes);
	for (uint32_t i = 0; i < RING_PROCESSES; i++) {
		const struct process_entry *entry = ring_process(&w->ring, i);
		uint32_t file = w->left.notes->process[i].file;
		w->process = &w->drain->process[i];
		w->process->done = true;
		if (entry->state != PROC_LIVE || w->left.notes->process[i].done || w->failed || w->drain->stopped)
			continue;
		w->process->entry = i;
		w->process->pid = entry->pid;
		w->process->open = true;
		make_trace(w, file && file <= RING_PROCESSES ? file : ++last);
	}
}

static void salvage_one(struct work *w)
{
	static char *argv[MOST_WORDS + 1];
	struct drain_totals totals;
	memset(argv, 0, sizeof argv);
	w->drain = begin(w, argv);
	make_traces(w);
	bool no_room = w->drain->stopped;
	w->out->cut |= w->ring.head->stopped;
	drain_finish(w->drain, &totals);
	if (no_room) {
		err_set(w->why, "'%s' was not salvaged: there is no room for it", w->output);
		err_hint(w->why, "make room and run it again: nothing is lost");
		w->failed = true;
	}
	w->out->events += totals.events;
	w->out->threads += totals.threads;
	w->out->files += totals.files;
	w->out->recordings += !w->failed;
}

static void take_one(void *with, const char *path)
{
	struct work *w = with;
	if (w->failed)
		return;
	int is = leftover_open(&w->left, &w->ring, path, w->why);
	w->failed = is < 0;
	w->out->running += is == 1;
	if (is == 2)
		unlink(path);
	if (is)
		return;
	salvage_one(w);
	if (!w->failed)
		leftover_remove(&w->left);
	leftover_close(&w->left);
	ring_release(&w->ring);
}

int salvage(const char *output, struct salvaged *out, struct err *why)
{
	struct work *w = mem_take(sizeof *w);
	*out = (struct salvaged){ 0 };
	*w = (struct work){ .output = output, .out = out, .why = why };
	leftover_each(output, take_one, w);
	int result = w->failed ? -1 : 0;
	mem_free(w);
	return result;
}

bool salvage_is_there(const char *output)
{
	return leftover_each(output, NULL, NULL) > 0;
}
