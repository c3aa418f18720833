/* analyses/epa/names.h -- what threads, places and memory are called, the same in every run of one program.
 *
 * One struct names_book serves all runs that are compared: equal things have equal numbers, whatever their addresses were.
 *   memory   (kind, thread that made it, place, n-th of that thread at that place) for heap and mappings; (kind, thread) for a
 *            stack and a thread-local block; (module, where it begins in it) for a global; (module) for the rest of one
 *   place    unit, function, ordinal of the site, source line, and the variable or callee named there
 * Number 0 is nobody.  Two runs may be made canonical at the same time: what gives numbers, and book_hash(), goes under a lock; the rest is for
 * when they are made. */
#ifndef RADDLE_EPA_NAMES_H
#define RADDLE_EPA_NAMES_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyses/epa/pieces.h"
#include "base/map.h"
#include "base/vec.h"
#include "trace/event.h"

enum named_kind { NAMED_NOBODY, NAMED_HEAP, NAMED_MAP, NAMED_STACK, NAMED_TLS, NAMED_GLOBAL, NAMED_MODULE, NAMED_ARGUMENTS, NAMED_STRINGS,
	NAMED_THREAD };

struct named {
	enum named_kind kind;
	uint32_t text;                  /* NAMED_GLOBAL: its name; NAMED_MODULE: the file's; else the thread's path */
	uint32_t place;                 /* HEAP, MAP: where it was made */
	uint64_t nth;                   /* HEAP, MAP: 1, 2, ... of that thread there; GLOBAL: where it begins in its module */
};

struct named_place {
	uint32_t file, function, variable;      /* texts; variable: or callee, "" none */
	uint32_t line;
	uint32_t own;                           /* the whole identity, as a text */
	uint32_t linkage;                       /* the function, as the linker knows it */
};

struct names_book {
	pthread_mutex_t lock;
	struct names texts;
	struct map things;                      /* hash -> index in thing, or the next hash */
	VEC(struct named) thing;                /* [0] nobody */
	VEC(uint64_t) hash;                     /* of each: the same in every book */
	struct map places;                      /* text of the identity -> index in place */
	VEC(struct named_place) place;          /* [0] nowhere */
	struct pieces pieces;                   /* of what these runs did */
};

void book_open(struct names_book *b);
void book_close(struct names_book *b);
uint32_t book_text(struct names_book *b, const char *text);
uint32_t book_thing(struct names_book *b, struct named what);                              /* its number, given now if it is new */
uint32_t book_place(struct names_book *b, const struct place *at, const char *variable);   /* the same */
uint64_t book_hash(struct names_book *b, uint32_t thing, uint64_t offset);                 /* of the name, in any book */
const char *book_say(const struct names_book *b, uint32_t text);

/* "balance+4", "heap bank.c:41#2 of T_0_1+16", "stack of T_0-88"; or the number where thing is 0.  size: of the number, in bytes, 0 an address.
 * Returns into. */
char *book_name(const struct names_book *b, uint32_t thing, uint64_t offset, unsigned size, char *into, size_t room);
char *book_where(const struct names_book *b, uint32_t place, char *into, size_t room);     /* "bank.c:41"; "" unknown */

bool name_is_function(const char *name, const char *given);        /* the same, or the same as C++ has it: "_ZN4shop3payEi", "shop::pay", "shop::pay(int)" */
/* Is the function this place is in, or the one it calls, that? */
bool place_is_function(const struct names_book *b, uint32_t place, bool call, const char *given);

#endif
