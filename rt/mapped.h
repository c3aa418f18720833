/* rt/mapped.h -- files that are mapped and written, too: what a write puts into a file shows in every shared mapping of it.
 * In a replay such a mapping is plain memory (addresses.c), and no write is made.  So the kept input says of each write to a file that was mapped then which file it was and
 * where it was written; a replay puts the bytes, which the program has again, into the memory that stands for the file. */
#ifndef RADDLE_RT_MAPPED_H
#define RADDLE_RT_MAPPED_H

#include "rt/world.h"

struct file_id { uint64_t device, number; };
struct file_write { struct file_id file; uint64_t offset; };    /* piece 0 of the record of such a write */

/* A part of this file is mapped so that others' writes show.  memory: a second mapping of what stands for it in a replay, 0: it is the file itself. */
void mapped_note(const struct file_id *file, uint64_t offset, uint64_t bytes, uint64_t memory);
struct file_id mapped_file(long fd);                            /* all zero: it is none */
/* The call wrote `result` bytes into a file that is mapped: where. */
bool mapped_written(const struct world_call *c, long result, struct file_write *out);
/* A replay: its bytes come to the memory that stands for the file. */
void mapped_show(const struct world_call *c, long result, const struct file_write *w);

#endif
