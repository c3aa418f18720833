/* rt/alloc.h -- who really asked for a block, when somebody asks on behalf of others (new.c). */
#ifndef RADDLE_RT_ALLOC_H
#define RADDLE_RT_ALLOC_H

#include <stddef.h>
#include <stdint.h>

/* Code address the next heap event of this thread belongs to, or 0: the caller of malloc or free. */
extern __thread uint64_t alloc_caller __attribute__((tls_model("initial-exec")));
/* The same of all of them, while libc makes or ends what it keeps for the program in a block of its own (opened.c), or 0. */
extern __thread uint64_t alloc_library __attribute__((tls_model("initial-exec")));

/* While it is not NULL this thread's blocks come from here: the runtime asks libc something, and libc takes memory for that and
 * gives it back; none of it is the program's, whose heap must not depend on it. */
struct alloc_scratch { char *at, *end; };
extern __thread struct alloc_scratch *alloc_scratch __attribute__((tls_model("initial-exec")));

/* Bytes left of the memory that is not the program's heap; threads made in advance (pool.c) are given from it. */
size_t alloc_room_apart(void);

#endif
