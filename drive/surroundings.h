/* drive/surroundings.h -- what runs of a program depend on besides its own file and its arguments: the shared objects they
 * loaded and the environment variables they asked for.  A verdict that is kept for later is bound to them.
 * As text, one line each, sorted:
 *     object HASH PATH        a file it loaded, by a hash of its contents; the vdso and files that are gone are left out
 *     variable HASH NAME      a variable it asked for, by a hash of its value; "-" it was not set
 * Values are hashed: an environment may hold secrets. */
#ifndef RADDLE_DRIVE_SURROUNDINGS_H
#define RADDLE_DRIVE_SURROUNDINGS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buffer.h"
#include "base/map.h"
#include "drive/places.h"

struct surroundings { struct names objects, variables; };       /* paths; names */

void surroundings_objects(struct surroundings *s, const struct places *p);
/* The payload of an EV_OUTCALL: is it a question for an environment variable?  Then it is noted. */
bool surroundings_asked(struct surroundings *s, const char *payload, size_t length);
/* Lines as above, each ended; runtime: with raddle's own runtime. */
void surroundings_print(const struct surroundings *s, bool runtime, struct buffer *out);
void surroundings_add(struct surroundings *s, const char *lines);        /* what they name */
void surroundings_release(struct surroundings *s);

/* Is what one such line (without its end) says still so?  If not: what is otherwise, "library 'liba.so'", into what[]. */
bool surroundings_hold(const char *line, char *what, size_t room);
/* Is this object among those of the lines, or one that lines leave out? */
bool surroundings_has(const char *lines, const char *path);
/* Is each object of the lines as it was, each variable, and is every object loaded now among them?  If not: what[]. */
bool surroundings_same(const char *lines, const struct surroundings *now, char *what, size_t room);

#endif
