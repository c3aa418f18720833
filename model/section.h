/* model/section.h -- the bitcode raddle cc kept in an executable or shared object: one piece for each unit, unpacked. */
#ifndef RADDLE_MODEL_SECTION_H
#define RADDLE_MODEL_SECTION_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/vec.h"

struct piece { uint8_t *bytes; size_t count; };
struct section { VEC(struct piece) pieces; };

/* 0; or -1 and why: no ELF file, no kept bitcode (a hint says how to keep it), or a piece that is damaged. */
int  section_read(struct section *s, const char *path, struct err *why);
void section_release(struct section *s);

#endif
