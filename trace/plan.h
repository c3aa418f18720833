/* trace/plan.h -- how the foretelling coder walks one record of a site: a row of steps, one per slot, in program order.
 *
 * Steps read and write a small file of registers: register 0 is always 0, step i leaves what it saw in register i + 1.
 * A value step knows the address it belongs to as register + distance, because an access may be counted from an earlier one.
 *   (1) steps with a slot cover each byte of the payload at most once; `gaps` are the bytes they leave, zero in any record
 *       the runtime writes;
 *   (2) a step names registers of earlier steps only. */
#ifndef RADDLE_TRACE_PLAN_H
#define RADDLE_TRACE_PLAN_H

#include "trace/sites.h"
#include "wire/ring.h"

#define PLAN_STEPS 120u
#define PLAN_WORDS (GROUP_MAX / 8)

/* Values of 8 and 4 bytes have kinds of their own: the coder is compiled once for each. */
enum step_kind { STEP_ADDRESS, STEP_VALUE8, STEP_VALUE4, STEP_VALUE, STEP_PLAIN, STEP_WAY, STEP_NOTE, STEP_NOTE_CONST };

struct step {
	uint64_t last, stride, delta;   /* what was seen here before in this block */
	int64_t distance;               /* VALUE, NOTE: from the register to the address */
	uint64_t bits;                  /* NOTE_CONST: the value */
	uint16_t at;                    /* offset in the payload */
	uint8_t kind, size, base;       /* base: the register the address is counted from */
	uint8_t from;                   /* NOTE: the register that holds the value */
	uint8_t shift;                  /* VALUE, NOTE: log2 of the size */
};

struct plan {
	const struct site *site;
	uint16_t step_count, gap_count, coded;  /* coded: steps that have a slot */
	struct { uint16_t word; uint64_t mask; } gaps[PLAN_WORDS];
	struct step steps[];
};

/* The plan of a group, made once and kept with the site; NULL: a descriptor too strange to plan for. */
const struct plan *plan_of(struct sites *s, struct site *site);

#endif
