/* drive/places.h -- the objects a process had loaded, and what lies at an address of them: source place, variable, module.
 * Made from the ring of a process that ran; nothing is read from disk before somebody asks. */
#ifndef RADDLE_DRIVE_PLACES_H
#define RADDLE_DRIVE_PLACES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "drive/ring.h"
#include "trace/lines.h"

struct places;
struct source { const char *file, *function; uint32_t line; };  /* never NULL, "" unknown; live as long as the places */

struct places *places_new(const struct ring *r, uint32_t process);       /* never NULL */
void places_free(struct places *p);                                     /* NULL is fine */

/* Which object an address lies in: its number there and its index in the ring's table; false: in none. */
bool places_locate(const struct places *p, uint64_t address, uint32_t *module, uint64_t *offset);
const char *places_module_name(const struct places *p, uint32_t module);        /* without directories; unique among them */
const char *places_object_path(const struct places *p, size_t n);       /* of the n-th object; NULL: there is none */
bool places_address(const struct places *p, uint32_t module, uint64_t offset, uint64_t *address);      /* the way back */

/* The source of an event's place: a descriptor (the number of the access in its upper 16 bits) or a return address. */
bool places_source(struct places *p, uint64_t place, struct source *out);
/* The source line a call returns to this address from; false: its object has no line tables, or is gone. */
bool places_line(struct places *p, uint64_t address, struct line *out);
/* The function a descriptor of a frame says was entered, and where it begins. */
bool places_function(struct places *p, uint64_t descriptor, struct source *out);
/* Who called what is at `place`, innermost first: the functions it was inlined into, that of the innermost frame if `place` is in a library it
 * called, then those of the others (frames are handed over outermost first), each with the line of its call, 0 if that is not known.  How many there are, at most `most`. */
unsigned places_callers(struct places *p, uint64_t place, const struct area_frame *frames, size_t count, struct source *out, unsigned most);
/* "queue", "table+8", "0x7f01..."; returns into. */
char *places_object(struct places *p, uint64_t address, char *into, size_t room);

#endif
