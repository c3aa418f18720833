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

/* What the program believes is installed; number 1 to 64. */
bool signal_is_handled(int number);            /* by a function of the program */
void signal_given(int number, struct sigaction *action);
/* Runs this handler of the program's as if the signal had come now, while it was at `pc`. */
void signal_run(const struct sigaction *action, int number, siginfo_t *info, uint64_t pc);

/* libc's sigaction. */
int kernel_sigaction(int number, const struct sigaction *action, struct sigaction *old);

/* ---- signals of a steered program (pending.c) ---- */
struct strand;
void signals_arrived(int number, const siginfo_t *info);        /* from outside; callable anywhere */
void signals_hold(struct strand *to, int number, const siginfo_t *info);       /* it waits for this strand; NULL: whoever takes it */
bool signals_are_held(const struct strand *to, int number);     /* such a one waits already */
bool signals_are_read(int number);                              /* it has one */
void signals_read_from_descriptor(uint64_t set);                /* the program has a signalfd for these */
void signals_forget(int number);              /* one that has arrived was not from outside */
void signals_take_in(void);                   /* what has arrived from outside is there from now on */
/* Sends it to a strand, or to whoever takes it (NULL).  0 or an errno. */
int signals_send(struct strand *to, int number, int code, const union sigval *value);
struct strand *signals_strand(int32_t tid);                     /* NULL: there is none */
/* Waits for one of `set`: its number, or -errno. */
int signals_await(const sigset_t *set, siginfo_t *info, const struct timespec *span, uint64_t pc);

/* In the child of fork: the segments the interrupted levels wrote belong to the parent. */
void signals_forked(void);
/* Control is in the frame at this stack pointer: closes levels that were left without returning. */
void signals_at(uint64_t sp);

/* Does this code run in the memory of a process it does not belong to: the child of vfork, until it execs? (fork.c) */
bool process_is_borrowed(void);

#endif
