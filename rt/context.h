/* rt/context.h -- where the kernel thread is: marked, gone back to, left for another stack (switch.S). */
#ifndef RADDLE_RT_CONTEXT_H
#define RADDLE_RT_CONTEXT_H

#include <stdbool.h>
#include <stdint.h>

#define CONTEXT_WORDS  10
#define CONTEXT_THREAD 8                /* which of them is the thread pointer */

bool context_mark(uint64_t where[CONTEXT_WORDS]);               /* false; true when context_back() comes here */
_Noreturn void context_back(const uint64_t where[CONTEXT_WORDS]);
_Noreturn void context_on(void *stack, void (*run)(void));      /* `stack`: its upper end */
void context_call(void *top, void (*run)(void *), void *with);         /* runs it there, and comes back */

#endif
