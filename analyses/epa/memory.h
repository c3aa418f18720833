/* analyses/epa/memory.h -- what lies at an address of one run, and what a value points to, by names every run has (names.h).
 *
 * Hand over every event in merged order with memory_note(); what an event frees is named before it is noted.
 *   (1) a thread's stack and thread-local block are there from its own first word on: when it was created another one may still have lived there.  Its handle,
 *       which its creator holds by then, has its name at once;
 *   (2) memory given back keeps its name until it is given out again, and for a thread that has not heard of who has it then, ever: it heard of those it made itself, read a
 *       pointer to, or got one from a function nobody watches.  So a stale pointer is the same stale pointer in each run, and whether an address is given out again is told nobody;
 *   (3) a pointer read from memory is what was written there (by value), whoever lives at that address now;
 *   (4) a value is a pointer if it lies in an object, one past its end, or in a loaded file; other values are numbers;
 *   (5) two numbers of four bytes side by side are no pointer, whatever address they happen to spell: arrays of them are copied and read by eight bytes.
 *       (A pointer copied half by half is one by (4) no more: its halves are such numbers.) */
#ifndef RADDLE_EPA_MEMORY_H
#define RADDLE_EPA_MEMORY_H

#include "analyses/epa/names.h"
#include "trace/objects.h"

struct spot { uint32_t thing; uint64_t offset; };       /* thing 0: nothing known there, offset is the number itself */

struct memory;
int  memory_open(struct memory **out, struct trace *t, struct names_book *b, struct err *why);    /* 0, or -1 and why */
void memory_close(struct memory *m);                    /* NULL is fine */

struct spot memory_at(struct memory *m, uint64_t address);
struct spot memory_value(struct memory *m, uint64_t value);     /* of 8 bytes, from a register */
struct spot memory_read(struct memory *m, struct thread_id by, uint64_t address, uint64_t value);
struct spot memory_wrote(struct memory *m, struct thread_id by, uint64_t address, uint64_t value);
void memory_wrote_half(struct memory *m, uint64_t address, uint32_t value);     /* four bytes */
struct spot memory_register(struct memory *m, struct thread_id by, uint64_t value);     /* the result of an instruction, an argument */
struct spot memory_result(struct memory *m, struct thread_id by, const char *name, uint64_t value);     /* the same, of the instruction or function called that */
struct spot memory_thread(struct memory *m, uint64_t index);    /* the other thread of an event */
struct spot memory_child(struct memory *m, struct thread_id parent);    /* the thread it made just now, by its path alone */
uint32_t memory_place(struct memory *m, const struct event *ev);

void memory_note(struct memory *m, const struct event *ev);
bool memory_is_foreign(const struct memory *m, uint64_t code);  /* code of a file that was not built with raddle */

#endif
