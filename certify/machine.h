/* certify/machine.h -- all threads of a certificate together over one memory: its states, and what can happen in each.
 *
 * Written from the rules of POSIX and of docs/memory-models.md, and not from analyses/check: who checks has to be able to find the other wrong.
 * A state is 32-bit words: where each thread is; how it waits; two words for each lock or the like; each shared byte; whether each block was freed;
 * then stores that wait, each thread's behind their number. */
#ifndef RADDLE_CERTIFY_MACHINE_H
#define RADDLE_CERTIFY_MACHINE_H

#include "certify/certificate.h"

typedef VEC(uint32_t) words;

struct machine {
	const struct certificate *c;
	uint32_t threads, modes, locks, cells, blocks, buffers;         /* where each part of a state begins; */
	uint32_t fixed;                 /* words of a state without stores that wait */
	char trouble[256];              /* "" none: why the certificate does not hold, or cannot be told to */
	bool is_unknown;                /* the latter */
	bool *came_back;                /* or NULL: of each place, whether it is a way back that was come by */
	bool failed;                    /* what was done last is an error of the program: memory that was freed is used */
};

/* What can happen: a deed of a thread; which one: who is woken, made the serial thread, told that number. */
enum happens { HAPPENS_DEED, HAPPENS_STORE, HAPPENS_TIMEOUT };
struct happening { uint8_t how; uint32_t thread, which; };
typedef VEC(struct happening) happenings;

void machine_init(struct machine *m, const struct certificate *c);
void machine_begin(struct machine *m, words *state);
/* What can happen in a state, of all threads; none: it is an end.  Trouble: somebody may be told what the certificate has nothing for. */
void machine_ask(struct machine *m, const words *state, happenings *out);
/* It does, and then whatever nobody notices. */
void machine_take(struct machine *m, words *state, struct happening h);
bool machine_is_over(const struct machine *m, const words *state);      /* a thread has ended the program */
bool machine_waits(const struct machine *m, const words *state, uint32_t thread);       /* it has begun and not ended */
/* Do two threads race here?  The places of their accesses. */
bool machine_races(const struct machine *m, const words *state, uint32_t *one, uint32_t *other);
/* Is whoever can go on at the beginning of a loop, and comes back to it if nobody else does anything? */
bool machine_spins(struct machine *m, const words *state);

#endif
