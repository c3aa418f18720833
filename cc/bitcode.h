/* cc/bitcode.h -- the module as it was just before instrumentation, kept in the object for the program model. */
#ifndef RADDLE_CC_BITCODE_H
#define RADDLE_CC_BITCODE_H

#include <llvm-c/Core.h>

struct unit;

/* Adds a section BITCODE_SECTION that is not loaded at run time: "RDBC", u32 stored bytes, u64 bitcode bytes, then the
 * bitcode compressed with zstd; padded to 8.  No debug information is kept: it is in the object.
 * RADDLE_BITCODE=0 in the environment leaves it out. */
void bitcode_keep(struct unit *u);

unsigned range_kind(LLVMModuleRef module);      /* the kind of metadata that keeps RANGE_MARK; range.c */

#endif
