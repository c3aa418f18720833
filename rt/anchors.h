/* rt/anchors.h -- where the memory a process begins with lies. */
#ifndef RADDLE_RT_ANCHORS_H
#define RADDLE_RT_ANCHORS_H

#include "wire/ring.h"

/* What is to be said of the first thread's stack, where the kernel puts it to another place each time: a part of it of a size that
 * does not depend on where that is. */
void anchors_of_stack(uint64_t stack_at, uint64_t *low, uint64_t *bytes);
void anchors_note(struct process_entry *p, char **argv);       /* argv as the kernel put it on the stack; NULL: not known */

extern uint64_t anchors_main_top __attribute__((visibility("hidden")));  /* above main's frame; 0: main runs where the system put it */

#endif
