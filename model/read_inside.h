/* model/read_inside.h -- what the files that turn LLVM's bitcode into model/code.h's arrays share. */
#ifndef RADDLE_MODEL_READ_INSIDE_H
#define RADDLE_MODEL_READ_INSIDE_H

#include "base/map.h"
#include "model/code.h"
#include "model/llvm.h"

struct reading {                                /* one unit */
	struct code *code;
	LLVMModuleRef module;
	LLVMTargetDataRef layout;
	uint32_t unit;
	struct map values;                      /* LLVM's value -> ours */
	struct map blocks;                      /* LLVM's block -> ours, of the function being read */
};

uint64_t read_size(struct reading *r, LLVMTypeRef type);       /* 0: it has none */

/* ---- read_value.c ---- */
uint32_t read_new(struct reading *r, LLVMValueRef value, uint8_t op, uint32_t function);
uint32_t read_operand(struct reading *r, LLVMValueRef value);  /* its index; constants are entered when first seen */
void read_operands(struct reading *r, uint32_t into, const LLVMValueRef *from, unsigned count);
void read_step(struct reading *r, LLVMValueRef gep, uint32_t into);
void read_init(struct reading *r, uint32_t global, LLVMValueRef constant, uint64_t offset);

/* ---- read_how.c ---- */
void read_how(LLVMValueRef in, struct value *v);                /* what it computes, if that can be said (enum how) */

/* ---- read_body.c ---- */
void read_body(struct reading *r, LLVMValueRef function, uint32_t index);

#endif
