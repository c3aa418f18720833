/* drive/facts.h -- what a trace says beside its records: lines of "key value" about a process, its threads and its end.
 * docs/trace-format.md lists the keys.  What the program may have scribbled over is copied and closed before it is read. */
#ifndef RADDLE_DRIVE_FACTS_H
#define RADDLE_DRIVE_FACTS_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/buffer.h"
#include "trace/writer.h"
#include "wire/ring.h"

struct facts_end {
	int status;                      /* as from waitpid; -1 unknown */
	uint64_t ticks, ticks_per_second;
	uint64_t events, lost;
	uint32_t threads;
	const char *stopped;             /* why recording ended before the process did, or NULL */
	bool turned;                     /* the size limit was reached */
	const char *steered;             /* how raddle ended a steered run: "left" its schedule, "hang"; NULL: it did not */
};

/* `total`: a steered run, whose trace is the same each time: no time, no ids of the system.  `w` names addresses, NULL: as they are. */
void facts_process(struct buffer *text, const struct process_entry *shared, const struct writer *w, pid_t pid, char *const *argv, uint32_t level, bool total);
void facts_settings(struct buffer *text, uint32_t model, uint32_t heap);        /* enum steer_model, steer_heap; nothing of the usual ones */
/* Said at a thread's first segment, so that a file that is cut short can still name it. */
void facts_thread_begun(struct buffer *text, const struct segment_head *head);
/* The whole of it. */
void facts_thread(struct buffer *text, const struct thread_area *area, const struct writer *w, bool total);
void facts_end(struct buffer *text, const struct facts_end *end, bool total);

#endif
