/* drive/drain_inside.h -- what the files of the drain share: the processes it has found and where their files stand. */
#ifndef RADDLE_DRIVE_DRAIN_INSIDE_H
#define RADDLE_DRIVE_DRAIN_INSIDE_H

#include "base/buffer.h"
#include "base/map.h"
#include "base/vec.h"
#include "drive/drain.h"
#include "drive/leftover.h"
#include "drive/moves.h"
#include "drive/object.h"
#include "trace/format.h"
#include "trace/sites.h"
#include "trace/writer.h"

struct loaded { uint32_t entry; struct object_block block; };

struct recorded {                            /* one process */
	bool open, done;
	uint32_t entry;                      /* in the ring's table */
	pid_t pid;
	struct writer *writer;
	struct sites *sites;                 /* to find the end of a segment that was cut off by death */
	VEC(struct loaded) objects;
	struct map next_seq;                 /* lane -> next expected */
	struct map introduced;               /* salvage: threads the trace has been told of */
	struct moves moves;
	uint32_t thread_count;
	uint64_t lost;
};

struct turn { uint64_t lane; uint32_t seq, segment; };     /* a segment to write; a copy: its head may change meanwhile */

struct drain {
	struct drain_setup setup;
	struct recorded process[RING_PROCESSES];
	VEC(struct turn) order;             /* scratch: segments to write */
	uint32_t files;
	uint64_t closed_bytes, closed_events, closed_lost;
	uint32_t closed_threads;
	uint64_t made, written;              /* segments: of all there ever were, how many came into a file */
	uint64_t start_ticks, start_time;
	bool salvage;                        /* of a recording that was killed (drive/salvage.c): what it left is there once or twice, */
	uint64_t end_ticks;                  /* and it ended then, not now */
	bool turned, stopped;
	const char *steered;                 /* as struct facts_end has it */
	bool stuck;                          /* the last look found full segments, none of them the next of its lane */
	char unseen[512];                    /* objects without site tables */
};

/* A steered run, whose trace is the same each time: no time, no ids of the system. */
static inline bool drain_is_total(const struct drain *d)
{
	return d->setup.order == ORDER_TOTAL;
}

/* drain.c */
void drain_stop(struct drain *d, const struct err *why);                /* recording cannot go on; the program can */
void drain_facts(struct drain *d, struct recorded *p, enum block_type type, uint32_t thread, struct buffer *text);  /* releases text */
void drain_find_processes(struct drain *d);                             /* those that appeared since we last looked */
void drain_write_info(struct drain *d, struct recorded *p);             /* what is known of the process from the start */
struct trace_head drain_head(const struct drain *d, pid_t pid);
void drain_close_process(struct drain *d, struct recorded *p, int status, const char *stopped);
int  drain_status_said(const struct process_entry *entry);              /* how it ended, in its own words; -1 if it had no time to say */
void drain_write_thread(struct drain *d, struct recorded *p, const struct thread_area *shared);

/* drain_objects.c */
void drain_find_objects(struct drain *d);
void drain_keep_object(struct drain *d, struct recorded *p, const void *bytes, size_t count);  /* a MODULE block of an earlier file of this recording */
void drain_add_unseen(struct drain *d, const struct recorded *p);       /* its objects without site tables */
void drain_write_places(struct drain *d, struct recorded *p);           /* source lines, while its objects are there to ask; all is flushed */

/* drain_segments.c */
void drain_take_segment(struct drain *d, struct recorded *p, const struct segment_note *note, const uint8_t *records, size_t bytes);
void drain_write_rest(struct drain *d, struct recorded *p);     /* all it left in the ring, whatever state it was in when it died */

#endif
