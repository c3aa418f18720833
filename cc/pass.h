/* cc/pass.h -- what the files of the compiler plugin share.
 *
 * One compiled module at a time goes through, in this order:
 *   pass.c     numbers the sites of every function, has the module as it is kept (bitcode.c), then per function:
 *   clone.c      more bodies: the clean one runs when nobody records, the recorded one or the steered one otherwise
 *   split.c      what groups cannot describe, taken apart: very wide and masked vectors, shared returns of tail calls
 *   expand.c     small memory copies become loads and stores; large ones and modelled library calls become hooks
 *   asked.c      instructions that answer otherwise each time, and numbers of threads used as data, are named by hooks
 *   filter.c     which accesses nobody else can see
 *   group.c      the recorded body's accesses, gathered into groups (access.c describe.c) and written inline (write.c frame.c)
 *   fault.c      level full: its values and calls can be replaced at one place
 *   steer.c      the steered body's accesses become calls of the runtime
 *   left.c       and so does the end of locals others may have
 *   rounds.c     and rounds of loops nothing else is seen of
 *   atomic.c     atomic operations become calls of the runtime
 *   table.c    the site tables (wire/sites.h) and the constructor that announces them.
 * bytes.c has the byte strings and maps all of them use. */
#ifndef RADDLE_CC_PASS_H
#define RADDLE_CC_PASS_H

#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>
#include <llvm-c/Target.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "wire/fault.h"
#include "wire/hooks.h"
#include "wire/kinds.h"
#include "wire/ring.h"
#include "wire/sites.h"
#include "wire/tls.h"

struct bytes { uint8_t *at; size_t count, room; };

void bytes_add(struct bytes *b, const void *from, size_t count);
void bytes_varint(struct bytes *b, uint64_t value);
void bytes_signed(struct bytes *b, int64_t value);      /* zigzag */

/* value -> value (or index), open addressing; keys are LLVM handles, never NULL. */
struct vmap { void **key; uint64_t *value; size_t count, room; };
void vmap_set(struct vmap *m, const void *key, uint64_t value);
bool vmap_get(const struct vmap *m, const void *key, uint64_t *value);
void vmap_release(struct vmap *m);

struct table;                                           /* table.c */

struct unit {                                           /* one module on its way through */
	LLVMModuleRef module;
	LLVMContextRef context;
	LLVMTargetDataRef layout;
	LLVMBuilderRef builder;
	LLVMTypeRef i1, i8, i32, i64, pointer, nothing;
	LLVMValueRef tls;                               /* raddle_tls */
	unsigned site_kind;                             /* metadata kind "raddle.site" */
	unsigned kept_kind;                             /* metadata kind "raddle.kept": of a local somebody may have when it is gone (left.c) */
	bool main_is_called;                            /* by the program itself, or its address is taken: it may return, and the program go on */
	uint32_t level;                                 /* enum run_mode compiled in */
	bool full;                                      /* results of all instructions are recorded, and what nobody else can see */
	unsigned number_kind;                           /* metadata kind "raddle.number": of every instruction in its function, if full */
	struct table *table;
	struct ways *ways;                              /* of all its switches (ways.c) */
};

struct function {                                       /* one function on its way through */
	struct unit *unit;
	LLVMValueRef clean;                             /* the one the program calls, with the clean body */
	LLVMValueRef value;                             /* the one this body is in; may be the same */
	uint32_t index;                                 /* in the table */
	LLVMValueRef cursor;                            /* alloca i64, promoted to a register afterwards */
	LLVMValueRef depth;                             /* stack depth at entry, or NULL: frames are not kept */
	LLVMBasicBlockRef *body;                        /* blocks of the recorded body */
	size_t body_count;
	bool flow;                                      /* ENTER and LEAVE are recorded */
	struct steered *steered;                        /* recorded body: the one beside it, or NULL */
};

/* ---- table.c ---- */
struct table *table_new(struct unit *u, const char *unit_name);
uint32_t table_function(struct table *t, LLVMValueRef function);
void table_stands_for(struct table *t, LLVMValueRef copy, LLVMValueRef function);    /* places in the copy are the function's */
uint32_t table_string(struct table *t, const char *text, size_t length);
uint32_t table_place(struct table *t, LLVMValueRef instruction);          /* index; a place is always found */
uint32_t table_relative(struct table *t, LLVMValueRef global);
/* Adds a descriptor; returns its address as a constant. */
LLVMValueRef table_descriptor(struct table *t, const struct bytes *descriptor);
void table_finish(struct table *t);                     /* emits the unit and the constructor; frees t */

/* ---- ways.c ---- */
void ways_release(struct unit *u);

/* ---- pass.c ---- */
LLVMValueRef unit_hook(struct unit *u, const char *name, LLVMTypeRef result, LLVMTypeRef *params, unsigned count, LLVMTypeRef *type);
LLVMValueRef unit_tls(struct unit *u, unsigned offset);   /* address of a field of raddle_tls, at the builder's place */
LLVMValueRef unit_number(struct unit *u, uint64_t value); /* i64 constant */
void unit_before(struct unit *u, LLVMValueRef instruction);
void unit_after(struct unit *u, LLVMValueRef instruction);
void unit_at(struct unit *u, LLVMValueRef before, LLVMValueRef line_of);
uint32_t site_ordinal(struct unit *u, LLVMValueRef instruction);
uint32_t result_ordinal(struct unit *u, LLVMValueRef instruction);     /* RESULT_ORDINAL and its number in its function */
uint32_t site_name(struct unit *u, LLVMValueRef pointer); /* string + 1 of the variable behind it, or 0 */
void unit_unlikely(struct unit *u, LLVMValueRef branch);  /* to its first successor */
LLVMValueRef unit_bits(struct unit *u, LLVMValueRef value);   /* as i64, or NULL if it does not fit */
LLVMValueRef unit_unbits(struct unit *u, LLVMValueRef bits, LLVMTypeRef type);

bool function_is_watched(LLVMValueRef function);          /* all that happens in it; not so declarations */

/* ---- clone.c ---- */
/* Gives f a recorded body beside the clean one.  false: the function cannot be copied and is recorded in place. */
bool clone_body(struct function *f);
/* Gives `to` a copy of `from`'s body, in a function of its own if that can be, and makes `from` go on there in MODE_STEER.
 * map: instruction of `from` -> its copy. */
void clone_again(const struct function *from, struct function *to, struct vmap *map);

/* ---- left.c ---- */
void left_mark(struct unit *u, LLVMValueRef function);    /* before any body is written */
bool rounds_waits_unseen(LLVMValueRef function);         /* rounds.c: it has inline assembly, writes only its thread sees, or no end */
void left_at(const struct function *f, LLVMValueRef in);  /* in the steered body: does a marked local begin or end here? */
void left_on_return(const struct function *f, LLVMValueRef in);        /* the function is left in front of `in` */
void left_on_landing(const struct function *f, LLVMBasicBlockRef block);        /* an exception comes to it; written where the builder stands */
void left_on_jump(const struct function *f);              /* longjmp does */

/* ---- filter.c ---- */
void filter_nothing(void);                                /* from now on everything is recorded: level full */
bool filter_is_private(LLVMValueRef pointer);             /* nobody else can see what is there */
bool filter_is_own(LLVMValueRef pointer);                 /* that is so, and it may be a thread-local variable */
bool filter_hands_over(LLVMValueRef call);                /* may an argument point to what others can see? */
bool filter_branch_matters(LLVMValueRef condition);       /* may depend on a recorded read */
bool filter_call_is_quiet(LLVMValueRef call);             /* no event can happen inside and it touches nothing shared */
bool filter_is_of_runtime(const char *name);               /* the runtime, and what it stands in front of: these do themselves what has to be done */
bool filter_call_is_inline(LLVMValueRef call);            /* an intrinsic or assembly: certainly no instrumented code */

/* ---- split.c ---- */
void split_body(struct function *f);

/* ---- expand.c ---- */
void expand_memory(struct function *f);

/* ---- known.c ---- */
void known_callees(struct unit *u, LLVMValueRef function);        /* last of all: its calls through pointers find models of library functions */
LLVMValueRef library_site(struct function *f, LLVMValueRef call, const char *name);       /* descriptor of a call whose hook notes what it does */

/* ---- asked.c ---- */
uint32_t asked_by(LLVMValueRef instruction);              /* enum asked: what it asks that decides the run */
void asked_note(struct function *f, LLVMValueRef instruction);    /* a hook in front of it, if it asks something */

/* ---- group.c ---- */
void group_body(struct function *f);

/* ---- steer.c ---- */
struct steered;
struct steered *steer_start(const struct function *recorded);     /* while it has no groups yet */
void steer_finish(struct steered *s);                     /* when it has them; frees s */

/* ---- atomic.c ---- */
bool atomic_is(LLVMValueRef instruction);
LLVMValueRef atomic_site(struct function *f, LLVMValueRef instruction);   /* its descriptor */
void atomic_expand(struct unit *u, LLVMValueRef function);        /* operations on floating point, first of all */
/* Replaces the instruction by its hook; `guarded`: only when somebody records (clean bodies). */
void atomic_replace(struct function *f, LLVMValueRef instruction, LLVMValueRef site, bool guarded);

#endif
