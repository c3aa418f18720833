/* trace/moved.h -- addresses of a run whose memory lay somewhere else, brought back to where a trace says it lies.
 *
 * Address randomisation puts modules, stacks and heap to another place in each run.  A table of ranges says where each lay and
 * where it is said to lie; addresses inside one keep their distance from its start.  So are 8-byte values that would be such
 * addresses: a number that happens to look like one is changed too.  Bytes of text, input and output are left alone. */
#ifndef RADDLE_TRACE_MOVED_H
#define RADDLE_TRACE_MOVED_H

#include <stddef.h>
#include <stdint.h>

#include "trace/sites.h"

struct moved;
struct moved_range { uint64_t low, bytes, said; };      /* [low, low + bytes) is said to begin at `said` */

struct moved *moved_new(void);
void moved_free(struct moved *m);               /* NULL is fine */
/* Later ranges win where they overlap earlier ones; one of 0 bytes or that wraps is ignored. */
void moved_add(struct moved *m, const struct moved_range *ranges, size_t count);
uint64_t moved_address(const struct moved *m, uint64_t address);
/* Whole records, in place; `s` knows the site tables where they really lay.  What begins no record is left as it is. */
void moved_records(const struct moved *m, struct sites *s, uint8_t *records, size_t count);
/* The payload of a MODULE block, in place. */
void moved_module(const struct moved *m, uint8_t *bytes, size_t count);

#endif
