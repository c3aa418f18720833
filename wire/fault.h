/* wire/fault.h -- one fault, told to a recorded program by whoever injects it, and what became of it.
 *
 * Stands in the ring's first page at RING_FAULT_AT; `op` FAULT_NONE: none is wanted.  The place is an entry of a group (wire/sites.h) of an object of
 * level full, in one thread, at one execution.  Code of level full asks once a group whether it is that one (raddle_fault_site == its descriptor) and if
 * so sends each value of it through raddle_fault(), and its call through raddle_fault_call():
 *
 *   what = width of the value in bits | nth<<8      (nth: the entry of the group, or FAULT_BRANCH, FAULT_CALL)
 *
 * The thread named counts in `executed` how often it came there; from `first` on, `times` times, the fault is made.  What stands below the line is
 * written by the program, so it is hostile.
 *
 * With `at` the run is one that others part from (wire/serve.h): where it is about to write the record of that number it makes no fault but stands
 * still, and copies of it do, which count on from `first`. */
#ifndef RADDLE_WIRE_FAULT_H
#define RADDLE_WIRE_FAULT_H

#include <stdint.h>

#include "wire/ring.h"

#define RING_FAULT_AT   2048u
#define FAULT_ROOM      1024u
#define FAULT_BRANCH    254u
#define FAULT_CALL      255u
#define FAULT_WHAT(width, nth)  ((uint32_t)(width) | (uint32_t)(nth) << 8)
#define FAULT_WIDTH(what)       ((what) & 0xffu)
#define FAULT_NTH(what)         ((what) >> 8)

enum fault_op {
	FAULT_NONE,
	FAULT_FLIP,      /* bit a, modulo the width, is turned over */
	FAULT_STUCK,     /* bit a, modulo the width, is b */
	FAULT_SET,       /* the value is a */
	FAULT_PERCENT,   /* the value is a percent of what it was */
	FAULT_ADD,       /* the value is a more, a signed */
	FAULT_OLD,       /* as if the instruction were not there: what it gave last time, 0 the first; a store stores what is there already */
	FAULT_SKIP,      /* the call is not made; it gives a, and errno becomes b unless that is 0 */
	FAULT_OTHER,     /* of a branch: another way is taken */
	FAULT_DELAY      /* a nanoseconds pass first */
};

struct fault_order {
	uint32_t op;
	uint32_t nth;
	uint64_t descriptor;            /* offset in the object's sites section */
	uint64_t a, b;
	uint64_t first, times;          /* first: 1, 2, ... */
	uint32_t build_id_bytes;        /* of the object */
	uint8_t build_id[20];
	char path[PATH_BYTES];          /* of the thread */
	uint64_t at;                    /* steered: the number of the record where runs part; 0: none does */
	uint64_t old;                   /* with `at`, FAULT_OLD: what the place gave the last time */
	char room[FAULT_ROOM];          /* the folder a copy goes on in; has what lies in that of the run it parts from */
	/* ---- */
	uint64_t executed, made;        /* how often the thread was there; how often the fault was made */
	uint64_t before, after;         /* the value, the first time */
	uint32_t width;                 /* of it, in bits; 0: there is none */
	uint32_t found;                 /* 1: an object of that build id was loaded */
	char allocator[256];            /* file that has the malloc the program uses */
	uint64_t when, ended;           /* the fault was made the first time; the program was seen to have ended (by raddle): CLOCK_MONOTONIC, ns; 0 not */
};

_Static_assert(sizeof(struct ring_head) <= RING_FAULT_AT && RING_FAULT_AT + sizeof(struct fault_order) <= 4096, "both in the ring's first page");

#endif
