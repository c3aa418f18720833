/* model/code.h -- the program as the model sees it: flat arrays that name each other by index, made from the kept bitcode.
 *
 * Everything that has a value, and every instruction, is a `struct value`; index 0 is "a constant that points nowhere".
 * Nothing of LLVM is left here: read.c, in a process of its own, turns bitcode into these arrays and hands them over as
 * bytes; code_restore() looks at every index before anybody uses one.
 *   (1) parameters of a function are param_count values in a row, its instructions another row, in the order of the bitcode;
 *   (2) its blocks are a row; a block ends at a branch, a return, or behind a call that is no intrinsic;
 *   (3) its first block is where it begins;
 *   (4) of a phi, the block control comes from with operand i is from[number + i], and what it brings, if that is an integer, brings[number + i]. */
#ifndef RADDLE_MODEL_CODE_H
#define RADDLE_MODEL_CODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/vec.h"

#define NONE UINT32_MAX

enum op {
	OP_CONSTANT,            /* points nowhere */
	OP_GLOBAL,              /* number = index in globals */
	OP_FUNCTION,            /* number = index in functions */
	OP_ARGUMENT,            /* number = which */
	OP_UNKNOWN,             /* comes from where the model cannot see: an ifunc, a landing pad */
	OP_ALLOCA,              /* bytes, or 0: not known */
	OP_LOAD,                /* operands: pointer */
	OP_STORE,               /* pointer, value */
	OP_RMW,                 /* pointer, value */
	OP_CAS,                 /* pointer, expected, new */
	OP_FENCE,
	OP_STEP,                /* pointer + number (+ some multiple of `bytes`, if not 0); operands: pointer, then the variable ones */
	OP_MIX,                 /* any other computation: may point wherever an operand does, at any distance */
	OP_SAME,                /* operands moved or converted, or one of them chosen: select, casts, parts of aggregates */
	OP_TRUTH,               /* computed, but points nowhere: comparisons, floating point */
	OP_PICK,                /* phi: one of the operands, by the way control came; number = index in from */
	OP_CALL,                /* callee, arguments */
	OP_ASM,                 /* inline assembly: arguments */
	OP_RETURN,              /* value, or nothing */
	OP_BRANCH,              /* condition; ends its block */
	OP_END                  /* unconditional: jump, unreachable, resume */
};

enum value_flag {
	VALUE_ATOMIC = 1,
	VALUE_VOLATILE = 2,
	VALUE_INVOKE = 4,       /* a call that may also come back by exception */
	VALUE_LEAVES = 8,       /* OP_END: unreachable or resume, the function is left here */
	VALUE_RANGE = 8,        /* OP_MIX, OP_TRUTH: the standard library asks it of places in one range (RANGE_MARK of wire/sites.h) */
	VALUE_ORDERS = 16,      /* OP_TRUTH: which of two numbers or addresses is lower */
	VALUE_DECIDES = 64,     /* OP_BRANCH: by a truth, to the first block if it holds; a switch does not */
	VALUE_SWITCHES = 128,   /* OP_BRANCH: to block i of those that follow (i > 0) if the operand, of `bytes` bits, is cases[number + i - 1]; else to the first */
	VALUE_ADDRESS = 32      /* OP_TRUTH, OP_SAME: of an address, not of a number; OP_SAME: makes a number of it */
};

/* What a computation does to an integer, where that may be done in any order (update.h).  SUB: the second operand is taken from the first. */
enum sum { SUM_NONE, SUM_ADD, SUM_SUB, SUM_MUL, SUM_AND, SUM_OR, SUM_XOR, SUM_SMIN, SUM_SMAX, SUM_UMIN, SUM_UMAX,
	SUM_WIDTH,              /* made wider or narrower */
	SUM_CHOICE };           /* select */

/* What a TRUTH, SAME or MIX computes of its first operand and the constant `number`, `bytes` bits of them. */
enum how {
	HOW_UNSAID,
	HOW_KEEP, HOW_TRUNC, HOW_ZERO_EXTEND, HOW_SIGN_EXTEND, HOW_AND, HOW_OR, HOW_XOR, HOW_ADD,
	HOW_EQ, HOW_NE, HOW_UGT, HOW_UGE, HOW_ULT, HOW_ULE, HOW_SGT, HOW_SGE, HOW_SLT, HOW_SLE,
	HOW_BOTH,               /* two truths: operands 0 and 1 */
	HOW_EITHER, HOW_EITHER_LAST     /* operands 0 and 1; 0 and 2 */
};

struct value {
	uint8_t op, flags;
	uint8_t sum;            /* enum sum: MIX, SAME, CALL and RMW of integers */
	uint8_t width;          /* its bytes, where it is an integer of 1, 2, 4 or 8; else 0 */
	uint32_t function;      /* it belongs to, or NONE */
	uint32_t block;         /* instructions; else NONE */
	uint32_t ordinal;       /* site number in its function (wire/sites.h), or NONE */
	uint32_t operand_at, operand_count;
	uint32_t bytes;         /* LOAD STORE RMW CAS: size of the access; STEP: stride; ALLOCA: size; a switch: bits; CALL of llvm.mem*: bytes, 0 not known; with `how`: bits */
	uint8_t how;            /* enum how */
	uint8_t spare[3];
	int64_t number;
};

struct block { uint32_t function, first, count, next_at, next_count; };         /* instructions; successors in `next` */

enum function_flag { FUNCTION_DEFINED = 1, FUNCTION_LOCAL = 2, FUNCTION_VARARG = 4, FUNCTION_INTRINSIC = 8,
	FUNCTION_UNWATCHED = 16,                /* its accesses make no events: no_sanitize("thread"), naked */
	FUNCTION_EXPORTED = 32 };               /* code outside can name it (exports.h) */

struct function {
	uint32_t name, unit;                    /* name: offset in strings */
	uint32_t flags;
	uint32_t value;                         /* its OP_FUNCTION */
	uint32_t param_at, param_count;
	uint32_t first, count;                  /* its instructions */
	uint32_t block_at, block_count;
	uint32_t site_at, site_count;           /* `sites`: the value of each ordinal; NONE: of a local that was lifted (read_lift.c), or of code control cannot come to */
	uint32_t same;                          /* link.c: next definition of the same name, or NONE */
	uint32_t leader;                        /* link.c: first definition of this name, or itself */
};

enum global_flag { GLOBAL_DEFINED = 1, GLOBAL_LOCAL = 2, GLOBAL_CONSTANT = 4, GLOBAL_THREAD = 8,
	GLOBAL_ZERO = 16,                       /* all of it is zero when the program begins */
	GLOBAL_EXPORTED = 32 };                 /* code outside can name it (exports.h) */

struct global {
	uint32_t name, unit, flags;
	uint32_t leader;                        /* link.c: the one all of this name stand for */
	uint64_t bytes;
};

struct brought { int64_t number; uint32_t bits; };              /* an integer a phi is given that way; bits 0: it is none, or not known */
struct init { uint32_t global, value; uint64_t offset; };       /* what a global holds at first, where it points somewhere */
struct alias { uint32_t name, unit, value; };                   /* another name for a function or variable */
struct compiled { uint32_t name, object; };                     /* name: source file as given to the compiler */

#define CODE_ARRAYS(A) \
	A(struct value, values) A(uint32_t, operands) A(struct block, blocks) A(uint32_t, next) A(struct function, functions) \
	A(struct global, globals) A(struct init, inits) A(struct alias, aliases) A(struct compiled, units) A(uint32_t, sites) \
	A(uint32_t, from) A(struct brought, brings) A(int64_t, cases) A(char, strings)

struct code {
#define A(type, name) VEC(type) name;
	CODE_ARRAYS(A)
#undef A
};

void code_release(struct code *c);
/* All of it as bytes into a file, and back.  -1 and why: the bytes are not what code_save() writes, or an index is wild. */
int  code_save(const struct code *c, int fd);
int  code_restore(struct code *c, int fd, struct err *why);

static inline const char *code_text(const struct code *c, uint32_t offset) { return c->strings.at + offset; }
static inline const uint32_t *code_operands(const struct code *c, const struct value *v) { return c->operands.at + v->operand_at; }

const char *op_word(uint8_t op);

/* ---- link.c ---- */
void code_link(struct code *c);                 /* names that mean the same thing, across units */
uint32_t code_behind(const struct code *c, uint32_t value);     /* what an alias stands for, through aliases of aliases */

#endif
