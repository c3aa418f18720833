/* rt/ghost.h -- threads made without a kernel thread (ghost.c), for those who see the system calls that would make one. */
#ifndef RADDLE_RT_GHOST_H
#define RADDLE_RT_GHOST_H

#include <linux/sched.h>
#include <ucontext.h>

#include "rt/world.h"

/* The call of libc's pthread_create, trapped with these registers: goes on as the new thread, and returns its number in its creator
 * when that has come to rest. */
long ghost_make(const struct clone_args *how, const greg_t *registers);
bool ghost_is_made(void);                     /* the caller is a new thread that has not come to rest */
/* Numbers given to threads so far, put back when some were made that are not handed out yet; each gets its own then. */
int32_t ghost_numbers_keep(void);
void ghost_numbers_back(int32_t numbers);
int32_t ghost_number(const struct strand *s);
/* It asks for what its creator's kernel thread has already: 0 is the answer. */
bool ghost_registers(const struct world_call *c);

#endif
