/* rt/fork.h -- processes made by a raw system call (futex.c stands in front of syscall). */
#ifndef RADDLE_RT_FORK_H
#define RADDLE_RT_FORK_H

#include <stdint.h>

/* syscall(number, ...) of fork, vfork, clone or clone3 returned `result` (-1: errno says why), in parent and child. */
void rt_forked_by_syscall(long number, long result, uint64_t pc);
/* The calling process has become the one of this number, without having been forked by the program. */
void process_is(long pid);
/* This process is about to end by exit_group. */
void rt_exits(int code, uint64_t pc);

#endif
