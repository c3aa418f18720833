/* model/model.h -- the program without running it.  One model is made from a program and, if wanted, shared objects it uses, all
 * built by raddle cc; what else there is, the model knows by name only (library.h) or not at all. */
#ifndef RADDLE_MODEL_MODEL_H
#define RADDLE_MODEL_MODEL_H

#include "model/code.h"
#include "model/depend.h"
#include "model/pointers.h"

struct model;

/* AS_BUILT: instruction by instruction.  LIFTED: locals that stay in their function are values, wherever they were kept, and code control cannot come to is left
 * out; sites are the same, but for those that are gone so. */
enum model_view { MODEL_AS_BUILT, MODEL_LIFTED };

/* 0; or -1 and why: an object cannot be read, has no bitcode, or damaged one. */
int  model_open(struct model **out, const char *const *paths, size_t count, enum model_view view, struct err *why);
void model_close(struct model *m);                      /* NULL is fine */
const struct code *model_code(const struct model *m);

/* Computed when first asked for. */
const struct pointers *model_pointers(struct model *m);         /* what points where, who calls whom */
struct depend *model_depend(struct model *m, const uint8_t *recorded);  /* a new one, see depend_new() */

/* Is a variable of this name zero when the program begins, every one there is? */
bool model_begins_zero(const struct model *m, const char *name);

/* ---- sites ---- */
/* A site is the value of its instruction.  NONE: the program has none of this name. */
uint32_t model_site(struct model *m, const char *unit, const char *linkage, uint32_t ordinal);

/* A call of a function of the library that runs no code of the program and comes back: what it does happens because the call does. */
bool model_calls_library(struct model *m, uint32_t site);
/* Such calls by line.  Bitcode has no lines, site tables do; of what these functions do the runtime tells the line, and no site. */
void model_note_call(struct model *m, uint32_t site, const char *file, uint32_t line);          /* others are not kept */
uint32_t model_call_at(const struct model *m, const char *file, uint32_t line, uint32_t nth);   /* from 0; NONE: there are no more */

#endif
