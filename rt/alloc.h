/* rt/alloc.h -- who really asked for a block, when somebody asks on behalf of others (new.c). */
#ifndef RADDLE_RT_ALLOC_H
#define RADDLE_RT_ALLOC_H

#include <stdint.h>

/* Code address the next heap event of this thread belongs to, or 0: the caller of malloc or free. */
extern __thread uint64_t alloc_caller __attribute__((tls_model("initial-exec")));

#endif
