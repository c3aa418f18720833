/* rt/rt.h -- the inside of the runtime: what its own files may use of each other.
 *
 * Rules of the room, because this code runs inside somebody else's program:
 *   (1) libc only; no malloc, no stdio, no lock on the way of an event; nothing here is visible to the program but what
 *       wire/hooks.h, wire/modelled.h and wire/interposed.h name, raddle_tls, and operator new and delete (new.c);
 *   (2) errno is as the real call left it when an interposed function returns;
 *   (3) code that may run while the program holds any lock of libc calls real functions only through rt_real();
 *   (4) an interposed function does its real work first and foremost: off (mode MODE_OFF), it is one test and a jump;
 *   (5) release-like operations are recorded before they happen, acquire-like ones after: a recorded order never
 *       contradicts causality;
 *   (6) a record that cannot be kept is counted in area->lost, never dropped silently. */
#ifndef RADDLE_RT_H
#define RADDLE_RT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "wire/kinds.h"
#include "wire/ring.h"
#include "wire/tls.h"

#define RT_EXPORT __attribute__((visibility("default")))
#define rt_likely(x)   __builtin_expect(!!(x), 1)
#define rt_unlikely(x) __builtin_expect(!!(x), 0)

extern RT_EXPORT __thread struct raddle_tls raddle_tls __attribute__((tls_model("initial-exec")));

/* Is this thread being recorded, at sync level or above, and is it the program that calls (not the runtime)? */
static inline bool rt_on(void)
{
	return raddle_tls.mode != MODE_OFF && raddle_tls.inside == 0;
}

/* The runtime enters and leaves its own business: what it calls meanwhile is not recorded. */
static inline void rt_enter(void) { raddle_tls.inside++; }
static inline void rt_leave(void) { raddle_tls.inside--; }

/* ---- records (record.c) ---- */
#define RT_PC ((uint64_t)__builtin_return_address(0))

/* Writes one control record.  object and pc are cut to 48 bits; time is taken inside. */
void rt_event(enum event_kind kind, uint64_t object, uint64_t arg, uint64_t version, int result, uint64_t pc);
/* The same with the next version of operations on `of`, which is taken first (rt_version). */
void rt_event_next(enum event_kind kind, uint64_t object, uint64_t arg, uint64_t of, int result, uint64_t pc);
/* The same with bytes behind it; more than `limit` bytes are cut (RECORD_CUT), more than PAYLOAD_MAX split (RECORD_MORE).
 * `touched` goes into arg. */
void rt_event_bytes(enum event_kind kind, uint64_t object, uint64_t touched, uint64_t version, const void *bytes,
	size_t count, size_t limit, uint64_t pc);
/* One plain access of a steered run (READ or WRITE), after it was made; what, site: wire/hooks.h. */
void rt_tell_frames(void);                       /* before a record of an access: where the thread is, if that changed */
void rt_access_event(enum event_kind kind, uint64_t address, uint64_t bits, uint32_t what, const void *site);
/* The same for an access of any other size: its bytes stand in memory now. */
void rt_touch_event(enum event_kind kind, const void *address, uint64_t bytes, uint32_t nth, const void *site);
/* Next place in the order of operations on the object at this address.  Call it while the operation is exclusive
 * (lock held), before a release-like one, after an acquire-like one. */
uint64_t rt_points(enum event_kind kind);       /* of a record about to be written: what stands above its number, wire/ring.h */
uint64_t rt_version(uint64_t object);
uint64_t rt_next_number(void);                   /* steered: what the next record gets */
/* Next place in the one order of all heap and mapping events. */
uint64_t rt_alloc_version(void);

/* ---- what the recorder and key frames know of this thread (thread.c) ---- */
void rt_held_push(uint64_t lock);          /* after acquiring */
void rt_held_pop(uint64_t lock);           /* before releasing; not an error if absent; steered: what another thread took is given back for it */
void rt_held_lost(uint64_t lock);          /* steered: other threads that had it have it no more: their owner died, or it is made anew */
void rt_wait_begin(enum event_kind kind, uint64_t object, uint64_t pc);   /* about to block: also writes EV_BLOCK */
void rt_wait_ends(void);                                                 /* the wait that has begun has a deadline */
void rt_wait_end(void);

/* A thread that is about to be created: given to the child by its creator. */
struct rt_birth {
	uint32_t uid;
	uint32_t ordinal;
	uint32_t parent;
	uint32_t mode;
	char parent_path[PATH_BYTES];
};
/* Fills *birth for a child of the calling thread and returns its uid. */
uint32_t rt_birth_prepare(struct rt_birth *birth);
/* The child's place in the spawn tree, PATH_BYTES. */
void rt_birth_path(const struct rt_birth *birth, char *path);
void rt_find_own_memory(void);                  /* where its stack lies, as long as libc can tell */
bool rt_in_own_stack(uint64_t at);              /* of the calling thread */
extern uint64_t thread_arguments_at;           /* the program's, and above them what else the kernel put on the first stack */
void thread_memory(uint64_t *low, uint64_t *bytes);     /* its stack, the thread-local block above it too unless it is the first; 0 bytes: not known */
bool thread_stack_ends(uint64_t at, uint64_t sp);       /* with the stack pointer there, an access to `at` is one behind its end */
bool thread_stack_has(const void *p);           /* of the calling thread, as far as it is known */
/* In the child: gives it an area and a segment, writes BEGIN, STACK and TLS.  top: above all that the program's functions will have on its stack; 0 the
 * first thread's. */
void rt_thread_frames(uint64_t low, uint64_t bytes);    /* before it begins: where its frames lie, if not on the stack libc knows of */
void rt_thread_begin(const struct rt_birth *birth, uint64_t start_routine, uint64_t top);
void rt_thread_announce(void);                  /* the first thread's BEGIN, STACK and TLS in a run of a server (serve.c) */
/* In the ending thread, as late as possible: writes END (how: 0 return, 1 exit, 2 cancel) and closes its segment. */
void rt_thread_end(int how);
uint32_t rt_uid(void);                     /* of the calling thread, 0 if it has none */

/* Signal handlers write into a segment of their own (signal.c). */
struct rt_nest { uint64_t cursor; uint32_t current, kept, nest, inside, taking; };
void rt_nest_begin(struct rt_nest *save);
void rt_nest_end(const struct rt_nest *save);

/* In the child of fork: throws away what belonged to the parent, becomes a process of its own (process.c). */
void rt_process_forked(uint64_t pc);
void rt_process_ends(enum event_kind kind, int value);     /* notes how it ended: EV_EXIT code, EV_FAILURE signal */

/* ---- real functions (real.c) ----  looked up once by dlsym(RTLD_NEXT), or __real_ names in a static program.
 * REAL(pthread_mutex_lock)(m) calls libc's. */
bool  rt_is_ours(const void *function);                 /* it lies in the runtime; not in a static program */
void *rt_real(const char *name, const char *version);      /* aborts with the name if there is none */
void *new_stand_in(const char *name), *guard_stand_in(const char *name);        /* what to call where there is none; or NULL */
void rt_real_all(void);                                    /* looks all of them up, so that nobody waits for the loader later */
/* Defining an interposed function:  INTERPOSE(int, pthread_mutex_lock, (pthread_mutex_t *m)) { ... }
 * Its name must also stand in wire/interposed.h, from which a static link takes its --wrap options.
 * INTERPOSE_STREAM is for functions of streams: they are called as code nobody watches is (called.c). */
#define RT_CALLED __attribute__((section("raddle_called"))) __attribute__((zero_call_used_regs("all-gpr")))  /* no rests of ours in registers: state.h */
#ifdef RADDLE_STATIC
#define REAL(name) ({ extern __typeof__(name) __real_##name; &__real_##name; })
#define INTERPOSE_STREAM(type, name, params) type __wrap_##name params; type __wrap_##name params
#else
struct real_site { const char *name; void *real; };        /* one for each REAL() in the runtime; rt_real_all() fills them */
#define REAL(name) ((__typeof__(&name))({ \
	static struct real_site site_ __attribute__((section("raddle_reals"), used)) = { #name, NULL }; \
	void *p_ = __atomic_load_n(&site_.real, __ATOMIC_RELAXED); \
	if (rt_unlikely(!p_)) { p_ = rt_real(#name, NULL); __atomic_store_n(&site_.real, p_, __ATOMIC_RELAXED); } p_; }))
#define INTERPOSE_STREAM(type, name, params) RT_EXPORT type name params; RT_EXPORT type name params
#endif
#define INTERPOSE(type, name, params) RT_CALLED INTERPOSE_STREAM(type, name, params)

/* One line to standard error by a plain write(2), prefixed "raddle: ". */
void rt_say(const char *text);
_Noreturn void rt_fatal(const char *text);

#endif
