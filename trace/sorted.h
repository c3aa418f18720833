/* trace/sorted.h -- blocks of a trace file brought into an order that does not depend on when they were written:
 * INFO, THREAD by uid, then MODULE as they came and DATA by thread, nest, seq, then PLACES.
 * A module loaded over the site table of another begins a new generation: MODULE and DATA of one stand before those of the next. */
#ifndef RADDLE_TRACE_SORTED_H
#define RADDLE_TRACE_SORTED_H

#include "base/err.h"
#include "base/vec.h"
#include "trace/format.h"

struct sorted_block { uint64_t at, bytes; uint32_t generation, rank, thread, nest, seq; };
struct sorted {                                 /* all zero when unused */
	VEC(struct sorted_block) blocks;
	uint32_t generation;
};

void sorted_note(struct sorted *s, const struct block_head *head, uint64_t at); /* about to be written there */
/* Where they do not stand in order, writes the file anew beside itself and renames it; *file is the new one then, at its end.
 * 0, or -1 and why: the file is as it was. */
int  sorted_apply(const struct sorted *s, int *file, const char *path, struct err *why);
void sorted_release(struct sorted *s);

#endif
