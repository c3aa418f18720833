/* rt/world.h -- the outside of a steered program: every system call it makes, by whatever way it comes here.
 *
 *   interposed functions of libc (io.c outcall.c futex.c) --\
 *   trapped system calls, also libc's own (dispatch.c) ------+--> world_call() --> point --> kernel --> X.input
 *                                                                                    \--> in a replay: X.input alone
 *
 * What a call is and where it leaves what it brings: calls.c.  What it would wait for: world_wait.c; waiting for it: await.c.  Time: virtual.c.
 * Descriptors: descriptors.c.  Addresses of mappings: addresses.c.  The log of everything that came in: input.c. */
#ifndef RADDLE_RT_WORLD_H
#define RADDLE_RT_WORLD_H

#include <errno.h>
#include <sys/uio.h>

#include "rt/steer.h"
#include "rt/sys.h"

struct world_call {
	long number;
	long a[6];
	uint64_t pc;                          /* where in the program, or in libc, it was made */
	bool by_name;                         /* by a function of libc the program called, not by libc itself */
};

/* ---- what a call is (calls.c) ---- */
enum call_act {
	ACT_UNKNOWN = 0,                      /* made and its result logged; what it leaves in memory is not known */
	ACT_PASS,                             /* made, in a replay too: memory, and what concerns this thread alone */
	ACT_LOG,                              /* made and logged; in a replay answered from the log */
	ACT_TIME,                             /* virtual.c */
	ACT_TIMER,                            /* timers.c */
	ACT_FUTEX,                            /* waits.c */
	ACT_MAP,                              /* addresses.c */
	ACT_TASK,                             /* makes a thread or process */
	ACT_EXEC,
	ACT_EXIT,
	ACT_SIGNAL,                           /* sent to a process or thread by number */
	ACT_STACK,                            /* altstack.c */
	ACT_REFUSE                            /* answered "no such call": what cannot be steered and has older ways to do it */
};

enum call_await {
	AWAIT_NOTHING = 0,                    /* never waits for long */
	AWAIT_IN, AWAIT_OUT,                  /* its first argument is a descriptor */
	AWAIT_POLL, AWAIT_SELECT, AWAIT_EPOLL,
	AWAIT_CHILD, AWAIT_FILE_LOCK, AWAIT_RECORD_LOCK, AWAIT_CONNECT,
	AWAIT_SYSV                            /* semaphores and messages (sysv.c) */
};

#define PIECES_MOST 8

struct piece {                                /* of the program's memory that a call fills */
	void *at;                             /* bytes, or an array of struct iovec when scattered */
	uint64_t most, bytes;                 /* room; what came, known afterwards */
	uint32_t scattered;                   /* number of iovecs */
};

struct call_about {
	uint8_t act, point, await;            /* enum call_act; enum event_kind of the point in front, 0 none; enum call_await */
	struct { uint8_t rule, arg, size; uint16_t bytes; } pieces[3];
};

const struct call_about *call_about(long number);
unsigned call_pieces(const struct world_call *c, struct piece *pieces);                       /* before: where and how much room */
void call_filled(const struct world_call *c, long result, struct piece *pieces, unsigned count);     /* after: how much came */
uint64_t call_output(const struct world_call *c);     /* a hash of the bytes it sends; 0: it sends none */

/* ---- the one door (world.c) ---- */
long world_call(struct world_call *c);        /* -errno on failure */

/* Does the program call, on a strand? */
static inline bool world_wanted(void)
{
	return rt_steered() && own_strand;
}

static inline long world_errno(long result)
{
	if ((unsigned long)result >= -4095ul) {
		errno = (int)-result;
		return -1;
	}
	return result;
}

/* A libc function that is one system call: WORLD(pc, SYS_read, fd, to, bytes) returns as it would. */
#define WORLD(pc, number, ...) world_errno(world_made(pc, number, (long[6]){ __VA_ARGS__ }))
static inline long world_made(uint64_t pc, long number, const long a[6])
{
	struct world_call c = { .number = number, .a = { a[0], a[1], a[2], a[3], a[4], a[5] }, .pc = pc, .by_name = true };
	return world_call(&c);
}

/* One system call of a program's, made in its name. */
static inline long kernel_call(const struct world_call *c)
{
	return rt_syscall(c->number, c->a[0], c->a[1], c->a[2], c->a[3], c->a[4], c->a[5]);
}

long futex_call(struct world_call *c);        /* waits.c */
long map_call(struct world_call *c);          /* addresses.c */
bool map_lends(void);                         /* there is memory a child would share */
bool map_is_lent(uint64_t address);           /* other processes may have this memory too */
bool map_some_lent(void);                     /* some memory is such */
void map_lend(uint64_t at, uint64_t bytes, bool anonymous, bool written);      /* they may from now on; anonymous: if there are any */
/* map.c: mremap did this, and is told; `before`: an rt_alloc_version() of before it. */
void map_moved(uint64_t at, uint64_t bytes, uint64_t to, uint64_t new_bytes, int flags, uint64_t before, uint64_t pc);
bool map_gone(uint64_t address, struct steer_block *out);   /* map.c: a steered thread has unmapped it, and nothing lies there since: by whom and where; else *out is left alone */
long signal_call(struct world_call *c);       /* tasks.c: the three that concern processes */
void task_named(struct world_call *c);
bool task_awaits_threads(const struct world_call *c);   /* libc waits for threads it sent a signal of its own: the kernel's business */
int32_t pid_as_told(void);                    /* what getpid says: in a replay, the number it was then; in a run of a server, the server's */
void tasks_told_in_advance(int32_t pid, int32_t parent);   /* this process is a run of a server: the program knows itself by these */
long own_number(const struct world_call *c);  /* getpid and its like */
long exec_call(struct world_call *c);
long fork_call(struct world_call *c);
long task_made(const struct world_call *c, long pid);
void tasks_told(const struct world_call *c, long result);   /* in a replay: the program learned a number of its own */
long world_logged(struct world_call *c);      /* made and kept, or served, whatever it is */

void world_join(void);                        /* after steer_join() */
void world_forked(void);

/* ---- waiting for the outside (await.c) ---- */
struct awaited {
	enum call_await how;
	int fd;
	short events;
	const struct world_call *call;
	bool known;                           /* answered before, and not asked again until something happened */
	uint32_t last;
	uint64_t asked_epoch, asked_step;
	bool done;                            /* AWAIT_FILE_LOCK: it has it */
	bool waited;                          /* AWAIT_SYSV: it was not ready at once */
	bool patient;                         /* AWAIT_CHILD: it was given the time to end */
};
enum point_answer await_point(enum event_kind kind, struct awaited *w, uint64_t deadline, uint64_t pc);
void await_happened(void);                    /* a strand did something descriptors can notice */
bool fd_blocks(int fd);                       /* it is not set to O_NONBLOCK */

/* ---- trapped calls (dispatch.c) ---- */
void dispatch_start(void);                    /* the process; and this thread */
void dispatch_thread(void);                   /* a new kernel thread */
bool dispatch_is_on(void);
void dispatch_lets_pass(bool all);            /* what is called until this is taken back concerns the kernel alone */

/* ---- time (virtual.c) ---- */
uint64_t time_base(clockid_t clock);          /* virtual time 0 on this clock */
uint64_t time_now(clockid_t clock);           /* nanoseconds, what the program is told */
long time_call(struct world_call *c);         /* ACT_TIME */
uint64_t time_spec(const struct timespec *t); /* nanoseconds, UINT64_MAX when it is too long to count */

#endif
