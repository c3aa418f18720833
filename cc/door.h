/* cc/door.h -- between the plugin's C and the thin C++ that LLVM demands (door.cpp). */
#ifndef RADDLE_CC_DOOR_H
#define RADDLE_CC_DOOR_H

#include <llvm-c/Types.h>
#include <stddef.h>

#include "cc/notes.h"

#ifdef __cplusplus
extern "C" {
#endif

/* C side, called by the door. */
int instrument_module(LLVMModuleRef module);    /* 1 if the module was changed */
void range_mark(LLVMModuleRef module);          /* cc/range.c */
int instrument_full(void);                      /* 1: level full */
int instrument_at_start(void);                  /* 1: before optimisation (--raddle-source), 0: after it */

/* C++ side: what llvm-c cannot do. */
LLVMBasicBlockRef door_split_before(LLVMValueRef instruction);    /* the new block that starts with it */
LLVMBasicBlockRef door_split_edge(LLVMBasicBlockRef from, LLVMBasicBlockRef to);    /* the new block between them */
void door_return_at_once(LLVMValueRef ret, LLVMBasicBlockRef from);    /* a copy of it instead of from's jump to it */
void door_switch_for_goto(LLVMValueRef function, int falls);    /* instead of each computed goto; falls: where there is no label the program ends */
/* A copy, local to the module, named after the original with the suffix; `seen` is told of each instruction and its copy. */
LLVMValueRef door_copy_function(LLVMValueRef function, LLVMValueRef original, const char *suffix,
	void (*seen)(void *with, LLVMValueRef from, LLVMValueRef to), void *with);
LLVMModuleRef door_bare_copy(LLVMModuleRef module);    /* without debug information and names of what is local to a function */
LLVMMemoryBufferRef door_bitcode(LLVMModuleRef module);
int door_can_go_on(LLVMValueRef function);      /* can another be handed its arguments as they came? */
void door_go_on_in(LLVMBasicBlockRef block, LLVMValueRef function);    /* ends the block: return function(our own arguments) */
void door_lines_only(LLVMValueRef function);    /* and scopes of its debug information, unless it is compiled for debugging */
void door_put_in_front(LLVMValueRef function, LLVMValueRef bytes);    /* of its code, if others can come by its address */
void door_take_from_loader(LLVMValueRef function);    /* where its address is taken: its code's, not that of a stub in front of it */
void door_make_cold(LLVMValueRef function);     /* rarely run: small rather than fast */
const char *door_word_of(LLVMValueRef instruction);     /* "fmul": what it does */
int door_is_dso_local(LLVMValueRef global);     /* its address minus one of ours is known to the linker */
int door_touches_no_memory(LLVMValueRef call);  /* and does not throw */
const char *door_assembly(LLVMValueRef assembly, size_t *length);       /* its text; lives as long as it does */
void door_set_incoming(LLVMValueRef phi, unsigned index, LLVMBasicBlockRef block);

#ifdef __cplusplus
}
#endif
#endif
