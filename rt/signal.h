/* rt/signal.h -- what signal.c, failure.c and fork.c know of each other. */
#ifndef RADDLE_RT_SIGNAL_H
#define RADDLE_RT_SIGNAL_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

/* Is this a signal whose default action is a failure of the program: SEGV BUS FPE ILL ABRT TRAP? */
bool signal_is_failure(int number);
/* What stands in the kernel for SIG_DFL of such a signal while the program is recorded (failure.c). */
void on_failure(int number, siginfo_t *info, void *context);
void failure_install(int number);

/* libc's sigaction. */
int kernel_sigaction(int number, const struct sigaction *action, struct sigaction *old);

/* In the child of fork: the segments the interrupted levels wrote belong to the parent. */
void signals_forked(void);
/* Control is in the frame at this stack pointer: closes levels that were left without returning. */
void signals_at(uint64_t sp);

/* Does this code run in the memory of a process it does not belong to: the child of vfork, until it execs? (fork.c) */
bool process_is_borrowed(void);

#endif
