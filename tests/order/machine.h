/* tests/order/machine.h -- mutexes and semaphores of runs in which they have more than one life: what may happen to them, and what it does.
 * Lock 0 is recursive, 1 normal or robust (small.robust), 2 a read-write lock, which has one life, 3 as 0, and lies where that lay: an ALLOC between the two gave
 * that memory out again. */
#ifndef MACHINE_H
#define MACHINE_H

#include "tests/order/small.h"

#define LIVES_LOCKS 4

/* holder: thread + 1; died: he has ended with it; torn: it was taken over and not made consistent; bad: and unlocked so; gone: destroyed. */
struct lock_now { unsigned holder : 3, depth : 3, readers : 3, died : 1, torn : 1, bad : 1, gone : 1; };
struct things { struct lock_now lock[LIVES_LOCKS]; int sem[2]; };

struct things things_first(const struct small *s);
/* Can it happen now with the answer it had?  Loosely: with some answer of its kind. */
bool things_may(const struct small *s, const struct things *now, const struct small_event *e, bool loosely);
void things_go(const struct small *s, struct things *now, const struct small_event *e);
uint64_t things_number(const struct things *now);       /* below 2^62 */
struct things things_of(uint64_t number);
/* By which events of the run the section of a mutex began and ended that this try met; -1: by none. */
void things_met(const struct small *s, int try, int *begun, int *ended);
/* Does a mutex or semaphore of it have more than one life, or is given back by one who has it not? */
bool things_second(const struct small *s);
bool things_had(const struct small *s, int e);          /* does its thread have the lock already when it takes it with this? */
/* Is a robust mutex left behind by a thread that ended?  While nobody takes it over a trace does not say that it is robust. */
bool things_left(const struct small *s);

#endif
