/* trace/lines.h -- the line tables of the objects of one program: which source line an address of the code belongs to. */
#ifndef RADDLE_TRACE_LINES_H
#define RADDLE_TRACE_LINES_H

#include <stdbool.h>
#include <stdint.h>

#include "trace/reader.h"

#define LINES_INLINED 16u               /* functions one inside the other that are named */

struct lines;
struct line { const char *file, *function; uint32_t line, column; };    /* strings live as long as `struct lines`; function may be NULL */

struct lines *lines_new(void);                  /* never NULL; objects are opened when first asked for */
/* The address lies in module number `index`, which is *m: the same one each time.  False: nothing is known. */
bool lines_find(struct lines *l, uint32_t index, const struct trace_module *m, uint64_t address, struct line *out);
/* The functions the code there was inlined into, innermost first, each with the line it has the call in.  How many there are, at most LINES_INLINED. */
unsigned lines_inlined(struct lines *l, uint32_t index, const struct trace_module *m, uint64_t address, struct line out[LINES_INLINED]);
void lines_free(struct lines *l);               /* NULL is fine */

#endif
