/* model/read_inside.h -- what the files that turn LLVM's bitcode into model/code.h's arrays share. */
#ifndef RADDLE_MODEL_READ_INSIDE_H
#define RADDLE_MODEL_READ_INSIDE_H

#include "base/map.h"
#include "model/code.h"
#include "model/llvm.h"

struct reading {                                /* one unit */
	struct code *code;
	LLVMContextRef context;
	LLVMModuleRef module;
	LLVMTargetDataRef layout;
	uint32_t unit;
	struct map values;                      /* LLVM's value -> ours */
	struct map blocks;                      /* LLVM's block -> ours, of the function being read; of read_lift(): only those control can come to */
	bool lifted;                            /* by read_lift() */
	unsigned range_kind;                    /* of metadata: annotations, RANGE_MARK among them */
	unsigned ordinal_kind;                  /* lifted: of metadata, where an instruction keeps its ordinal */
	struct map site_counts;                 /* lifted: function -> how many there were */
};

uint64_t read_size(struct reading *r, LLVMTypeRef type);       /* 0: it has none */

/* ---- read_value.c ---- */
uint32_t read_new(struct reading *r, LLVMValueRef value, uint8_t op, uint32_t function);
uint32_t read_operand(struct reading *r, LLVMValueRef value);  /* its index; constants are entered when first seen */
void read_operands(struct reading *r, uint32_t into, const LLVMValueRef *from, unsigned count);
void read_step(struct reading *r, LLVMValueRef gep, uint32_t into);
void read_init(struct reading *r, uint32_t global, LLVMValueRef constant, uint64_t offset);

/* ---- read_how.c ---- */
unsigned read_bits(LLVMValueRef v);                             /* of an integer or pointer; 0: it is neither */
bool read_constant(LLVMValueRef v, int64_t *number);            /* an integer of up to 64 bits, or null */
void read_how(LLVMValueRef in, struct value *v);                /* what it computes, if that can be said (enum how) */

/* ---- read_lift.c ---- */
void read_lift(struct reading *r);                              /* before anything is read; what cannot be lifted is left as it is */
uint32_t read_ordinal(struct reading *r, LLVMValueRef in);      /* lifted: as it was; NONE: it is no site, or was not there */

void read_reach(struct reading *r, LLVMValueRef function);      /* enters the blocks that are to be read in r->blocks: lifted, those control can come to; else all */
unsigned read_ways(const struct reading *r, LLVMValueRef last, unsigned *first);       /* how many successors control can take, from this one on; last: NULL, none */

/* ---- read_body.c ---- */
bool read_is_named(LLVMValueRef callee, const char *prefix);
bool read_is_site(LLVMValueRef in);                             /* does it count among the ordinals of its function? */
void read_body(struct reading *r, LLVMValueRef function, uint32_t index);

#endif
