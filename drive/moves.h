/* drive/moves.h -- where the memory of a steered process is said to lie when the system laid it out at random: one place for each
 * part of it, the same in every run, whatever the kernel chose (trace/moved.h does the rest). */
#ifndef RADDLE_DRIVE_MOVES_H
#define RADDLE_DRIVE_MOVES_H

#include <stdint.h>

#include "trace/writer.h"
#include "wire/ring.h"

struct moves {                                  /* all zero when the process is new */
	uint64_t next;                          /* where the next library is said to lie */
};

/* First of all. */
void moves_process(struct moves *m, const struct process_entry *shared, struct writer *w);
/* An object, in the order they were loaded; before anything of it is written. */
void moves_module(struct moves *m, const struct module_entry *module, struct writer *w);

#endif
