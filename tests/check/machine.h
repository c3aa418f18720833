/* tests/check/machine.h -- the abstract machine that runs a program of program.h: its states, and the steps from each.
 * A thread's results so far are a list, the last first; equal lists have equal numbers (history_add), 0 is the empty one. */
#ifndef RADDLE_TESTS_CHECK_MACHINE_H
#define RADDLE_TESTS_CHECK_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tests/check/program.h"

enum model { MODEL_SC, MODEL_TSO, MODEL_PSO };
enum { MAX_BUFFER = 64, MAX_STEPS = 512, STATE_BYTES = 1 << 15 };

struct waiting { int16_t word, value; uint8_t group; bool release; };  /* a store that has not reached memory */

struct thread {
	int pc;
	int reg[MAX_REGISTERS];
	uint32_t results;
	/* Inside `spin`: the results when this iteration and the one before it began; whether this one wrote; whether the one before
	 * this was as the one before it. */
	uint32_t from, before;
	bool has_before, wrote, vain;
	bool woken, passed;     /* from its wait; from the barrier, */
	bool serial, late;      /* as the serial one; its time is up */
	int group;              /* stores after the n-th release fence */
	int buffered;
	struct waiting buffer[MAX_BUFFER];
};

struct state {
	int words[MAX_WORDS];
	int objects[MAX_OBJECTS];       /* mutex: owner + 1; rwlock: readers, or -1 - writer; semaphore: its count; barrier: arrived; once: 1 it
	                                 * runs, 2 it was run */
	uint64_t freed;                 /* words, by their numbers */
	bool failed, ended;             /* an assertion did not hold, or the like; the program has ended by that or by exit() */
	struct thread threads[MAX_THREADS];
};

struct machine { const struct program *program; enum model model; int threads; int body_of[MAX_THREADS]; };

enum { TIMES_OUT = -2 };
/* store: of its buffer, or NONE: its next instruction; woken: by a signal, made the serial thread, chosen; or NONE; or it TIMES_OUT */
struct step { int thread; int store; int woken; };

void machine_begin(struct machine *m, struct state *first);
int machine_steps(const struct machine *m, const struct state *s, struct step *out);    /* how many; MAX_STEPS at most */
void machine_take(const struct machine *m, struct state *s, struct step step);
/* Are two threads about to access a plain word, one of them to store?  *unsure: one is, to a word another has stored to, which is on its way. */
bool machine_races(const struct machine *m, const struct state *s, bool *unsure);
/* Only threads that wait in a loop for what nobody will write can go on. */
bool machine_spins_in_vain(const struct machine *m, const struct state *s);
/* The state as bytes: equal bytes, equal future.  Copies of a plain body are put in order, for they are alike. */
size_t machine_pack(const struct machine *m, const struct state *s, unsigned char *out);
void machine_unpack(const struct machine *m, const unsigned char *bytes, struct state *out);

uint32_t history_add(uint32_t before, int result);
uint32_t history_before(uint32_t history);
int history_last(uint32_t history);

#endif
