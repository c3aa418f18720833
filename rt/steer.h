/* rt/steer.h -- a steered run as the files of the runtime see it (what is shared with raddle: wire/steer.h).
 *
 * A thread of the program is a *strand*.  One strand runs at a time.  In front of each visible event it calls a point:
 *
 *   steer_point(kind, object, place)             an operation that never blocks
 *   steer_point_until(&ask)                      one that may: ask.ways says, whenever it is asked, which answers are possible
 *
 * and when the call returns, the strand was chosen: the operation happens now, will not block, and nobody else runs before
 * the strand's next point.  Interposed functions therefore keep their shape: a point in front, then the same calls of libc as
 * in a recorded run, on the real objects, with libc's own results.  Only what libc cannot be asked without blocking (who waits
 * at a condition variable or a barrier) is modelled beside it.
 *
 * Files: steer.c points; script.c script and log; buffer.c stores that wait; strands.c who there is; policy.c who is next; baton.c and ghost.c how the next one comes to run. */
#ifndef RADDLE_RT_STEER_H
#define RADDLE_RT_STEER_H

#include <signal.h>
#include <time.h>

#include "rt/rt.h"
#include "wire/steer.h"

struct strand;

#define STEP_NS     100u                      /* virtual time one event takes */
#define STRAND_NAME 16u                       /* bytes, the zero included, as the kernel has it */
struct robust_list_head;

#define WAY(answer) (1u << (answer))
#define WAY_GO      WAY(ANSWER_GO)

/* Which answers (WAY bits) this strand's point could be given now; none: it waits. */
typedef uint32_t steer_ways(const struct strand *s);

enum ask_interrupts { INTERRUPTED_NEVER, INTERRUPTED_UNLESS_RESTARTED, INTERRUPTED_ALWAYS };
enum ask_cancels { CANCEL_LATER, CANCEL_AT_ONCE, CANCEL_BY_CALLER };

struct steer_ask {                            /* copied at every point, word by word: eight words, each written as a whole */
	uint64_t kind;                        /* enum event_kind */
	enum ask_interrupts interrupts : 8;   /* does a handler end the wait? */
	enum ask_cancels cancels : 8;         /* is it a cancellation point, and who acts on a request? */
	bool begun;                           /* the wait has begun; otherwise a handler may have run just before */
	uint8_t how;                          /* enum point_how, what does not follow from the rest */
	uint8_t log2size;                     /* of an access */
	bool keeps;                           /* whatever its kind, stores stay in the buffer; the caller drains it where libc has a locked instruction */
	uint64_t object, place;
	steer_ways *ways;                     /* NULL: WAY_GO always */
	const void *first, *second;           /* for ways */
	uint64_t deadline;                    /* when ANSWER_TIMEOUT falls due by itself, virtual ns; 0 never */
};

struct strand_gone { uint64_t at, bytes, place; };

/* What a strand found where it stood at a point, and how often it has found the same since it changed anything; anything but locks; in this turn. */
#define STRAND_LOOKS_BITS 5
#define STRAND_LOOKS      (1u << STRAND_LOOKS_BITS)
#define ANY_WRITES        UINT64_MAX
struct strand_look { uint64_t place, address, value, changes, writes, used; uint32_t turn, times, calm, often; };

/* Where it has been since anything but a lock changed: in a state it was in before, it goes round for ever. */
#define WATCH_STATES 16u
struct strand_watch {
	uint64_t writes, changes, unseen;                     /* of all, but for locks; of all; and what nobody sees */
	uint64_t states[WATCH_STATES], mark;                  /* mark: its state when it was to go round again */
	uint32_t count;
	bool tried, for_ever, again;                          /* tried: whether it got what it wanted depends on others' locks */
	bool looked;                                          /* its state was seen at an access in this round of a loop */
};

struct strand {
	struct steer_strand *seen;            /* what raddle sees of it, and its state */
	uint32_t number;
	uint32_t at;                          /* in steer_by_path, until it has ended */
	bool at_point;                        /* as `seen` has it: nearer, since every choice asks it of many */
	bool unmade;                          /* its creator is still about it: nobody to run yet */
	bool yields;                          /* it has yielded, or re-reads what it read before, and nobody has changed anything since: */
	uint64_t yielded_at;                  /* changes when it did */
	struct steer_ask ask;                 /* at a point */
	enum point_answer answer;             /* and what it was told */
	int32_t tid;                          /* as libc writes it into locks this strand holds */
	/* baton */
	uint32_t turn;                        /* futex word, 1 when it may run */
	/* ghost */
	void *rests_at;                       /* its stack pointer while it does not run */
	uint64_t thread_pointer;
	struct robust_list_head *robust;
	int32_t alive;                        /* its kernel thread has not vanished yet */
	bool makes_thread;                    /* it is in libc's pthread_create, for a strand, */
	bool makes_ghost;                     /* and one that needs no kernel thread, */
	bool makes_default;                   /* on a stack of the size all have */
	uint64_t looks_at;                    /* place of the read it looks ahead of, or 0, */
	enum event_kind looks_kind;           /* and which that is */
	/* its last event, for the log */
	enum event_kind last_kind;
	uint64_t last_place;
	uint64_t logged;                      /* its last event that the log says it ran to, */
	uint64_t logged_place;                /* where, */
	uint32_t logged_kind;                 /* and which; 0: nothing is logged of it */
	uint64_t told;                        /* points its records have told of (record.c) */
	uint64_t part_of;                     /* event its last buffered store was made in, */
	uint32_t part;                        /* and which of that event's it was */
	uint64_t stack_top;                   /* above all frames of the program; 0 not known */
	uint64_t state;                       /* at the point it is at, 0 not known; */
	uint64_t states[16], next_state;      /* those before, */
	uint64_t rounds, rounds_changes;      /* and how often one of them came again */
	uint64_t sp;                          /* stack pointer of the program at the point, 0 not known */
	/* memory of it that is gone (left.c) */
	struct strand_gone gone[8];           /* locals it has left, */
	uint32_t gone_count;                  /* so many so far, */
	uint64_t low;                         /* and its stack pointer, the program's, where it stands; 0 not known */
	uint64_t memory_low, memory_bytes;    /* stack and thread-local block, which go when it has ended; 0 bytes: they are not libc's, or not known */
	/* waiting (waiting.c) */
	uint64_t own_changes, own_writes;     /* events that change something others can see; the same but for locks */
	uint64_t in_vain;                     /* own_writes + 1 when it was last seen to look in vain under locks, or ANY_WRITES */
	uint32_t turns;                       /* how often it was switched from */
	bool flushes;                         /* it is in fflush of standard output or error, whose point it has passed (opened.c) */
	uint64_t gave_way;                    /* its events when it last gave way */
	struct strand_look looks_taken[STRAND_LOOKS];
	uint64_t looks_used;                  /* counts them: the entry with the lowest number makes way */
	struct strand_watch watch;
	uint64_t rounds_done, rounds_own, rounds_most;        /* its events, and what it did unseen, when so many rounds of loops were over (raddle_round) */
	/* said by the program: nobody else runs meanwhile; plain accesses do not matter */
	uint32_t unbroken, ignores;
	/* long stretches: events at points since it was last switched to, and the quota of accesses it was given without one */
	uint64_t in_a_row, quota;
	/* the outside */
	uint32_t futex_expected;
	uint64_t drawn;                       /* random words (random.c) */
	int32_t tid_told;                     /* in a replay: what gettid said */
	bool changes_all;                     /* it is in libc's setuid or its like, and has sent others a signal (tasks.c) */
	uint64_t readings, readings_done, readings_changes;   /* of clocks, with nothing in between */
	uint64_t looks, looks_place, looks_switches;          /* the same at one place, whatever it did in between, while nobody else ran */
	/* policies */
	uint64_t priority, patience;          /* patience: events in a row before it lets others go */
	uint64_t lingered;                    /* events it made while another stood in front of its exit (linger.c) */
	uint32_t insisted;                    /* times it went on spinning where it could have let others go */
	bool holds;                           /* drawn: it lets others go before it empties its buffer */
	uint32_t woken_idly;                  /* times RANDOM woke it for no reason */
	/* where it waits to be picked by another, since when and for what; 0 nowhere, or it was picked */
	uint64_t waits_at, arrived;
	uint32_t waits_for;
	bool is_serial;                       /* of the last barrier it waited at */
	struct strand *joiner;                /* who waits for its end */
	/* signals: what it blocks, what it waits for by sigwait, and whether it was chosen to take one */
	uint64_t mask, awaits;
	bool takes_signal;
	stack_t alternate;                    /* for handlers (altstack.c) */
	/* cancellation */
	bool cancel_sent, cancel_off, cancel_async;
	/* its name, where the kernel has none for it (names.c) */
	bool is_named;
	char name[STRAND_NAME];
};

extern bool buffers_on;                       /* the model is not MODEL_SC: buffer.h */
extern struct steer_head *steer;              /* NULL: not steered */
extern __thread struct strand *own_strand __attribute__((tls_model("initial-exec")));

/* Is it the program that calls, on a steered thread? */
static inline bool rt_steered(void)
{
	return rt_unlikely(raddle_tls.mode == MODE_STEER) && raddle_tls.inside == 0;
}

/* ---- points (steer.c); all of them do nothing in a run that is not steered ---- */
enum point_answer steer_stop(const struct steer_ask *ask);

static inline enum point_answer steer_point_until(const struct steer_ask *ask)
{
	return rt_steered() ? steer_stop(ask) : ANSWER_GO;
}

static inline void steer_point(enum event_kind kind, uint64_t object, uint64_t place)
{
	if (rt_steered()) {
		struct steer_ask ask = { .kind = kind, .object = object, .place = place };
		steer_stop(&ask);
	}
}

/* The same where stores stay in the buffer (steer_ask.keeps), if `keeps`. */
static inline void steer_point_keeps(enum event_kind kind, uint64_t object, uint64_t place, bool keeps)
{
	if (rt_steered()) {
		struct steer_ask ask = { .kind = kind, .object = object, .place = place, .keeps = keeps };
		steer_stop(&ask);
	}
}

/* Where the program's stack ended when it called a hook that is about to come to a point: below, there are only the runtime's frames. */
#define HOOK_STACK ((uint64_t)__builtin_frame_address(0) + 16)        /* in the hook itself */
static inline void steer_stack(uint64_t sp)
{
	if (own_strand)
		own_strand->sp = sp;
}

/* A point in front of a plain or atomic access. */
void steer_point_access(enum event_kind kind, const void *address, uint32_t what, const void *site);
/* Counts the accesses the calling strand made on its quota: before anybody looks at the numbers. */
void steer_settle(void);
void steer_exits(void);                       /* the program ends: threads that wait say so, if somebody asks for that */
/* The same in front of a weak compare-exchange: true: it is to fail, although it need not. */
bool steer_point_weak(const void *address, uint64_t expected, uint32_t what, const void *site);
/* A number below n, chosen by the script or policy for the event just begun; 0 is the usual one. */
uint32_t steer_choose(uint32_t n);
/* The event just begun changed (or did not change) what others can see; without this call its kind decides. */
void steer_unchanged(void);
void steer_changed(void);                     /* something changed that is no event */
/* The strand lets others go first: sched_yield, a pause in a loop. */
void steer_yield(uint64_t place);
uint64_t steer_clock(void);                   /* virtual nanoseconds since the start */
/* A moment on one of the program's clocks as virtual nanoseconds, never 0; NULL: 0, no deadline. */
uint64_t steer_deadline(clockid_t clock, const struct timespec *until);

/* ---- places where strands wait to be picked by another (condition variables, futexes) ----
 * What a strand waits for is a set of bits; who asks for some of them means those that wait for one of these. */
#define WAITS_FOR_ANY UINT32_MAX
void steer_wait_at(uint64_t place, uint32_t bits);     /* the calling strand is there from now on */
void steer_wait_over(void);                   /* and no longer, picked or not */
uint32_t steer_waiters(uint64_t place, uint32_t bits); /* how many are there and not picked yet */
/* Picks the which-th, in the order they came; NULL: there is none. */
struct strand *steer_wake_one(uint64_t place, uint32_t bits, uint32_t which);
/* The which-th goes on waiting elsewhere, behind those who are there. */
bool steer_move_one(uint64_t place, uint64_t to, uint32_t which);

/* ---- cancellation ----
 * libc keeps all of it in struct pthread; beside it stands here what must be known of strands that wait.  To libc every strand is of
 * deferred type: one that asked for asynchronous cancellation acts on it at any point. */
static inline bool steer_is_cancelled(const struct strand *s)          /* a request is there, and it may be acted on at a cancellation point */
{
	return s->cancel_sent && !s->cancel_off;
}
void steer_act_on_cancel(void);               /* the calling strand does; returns only if it is on its way out already */

/* ---- the outside (await.c) ---- */
bool steer_is_outside(const struct strand *s);         /* it waits for what another process or the system may bring */
extern uint32_t steer_awaiting;               /* strands at a point in front of a call that may wait, at least */
bool steer_some_await_outside(void);
static inline bool steer_awaits_outside(void) /* some strand waits for what another process or the system may bring */
{
	return rt_unlikely(steer_awaiting != 0) && steer_some_await_outside();
}
void steer_await_too(int fd, uint64_t most);  /* the same, and until fd can be read; -1: none */
void steer_await_outside(uint64_t most);      /* waits until it does, or so many nanoseconds; UINT64_MAX: for ever */
uint64_t steer_real_now(void);                /* nanoseconds, whatever time the program is told */

/* ---- signals (pending.c) ---- */
#define ANSWER_INTERRUPTED ((enum point_answer)3)      /* of steer_stop: a handler ran, see steer_ask.interrupts */
enum signals_taken { TOOK_NOTHING, TOOK_ONE, TOOK_AND_RESTARTS };
void signals_first(struct strand *s);
extern uint64_t signals_held;                 /* so many have waited so far */
bool signals_some_wait_for(const struct strand *s);
static inline bool signals_wait_for(const struct strand *s)    /* there is one it would take if it were chosen */
{
	return rt_unlikely(signals_held != 0) && signals_some_wait_for(s);
}
enum signals_taken signals_take(struct strand *s);     /* the calling strand runs a handler */
long signals_mask(int how, const uint64_t *set, uint64_t *old);        /* rt_sigprocmask of the calling strand: 0 or -errno */
void signals_strand_ended(void);              /* libc blocks everything on a thread's way out: the others do not */
uint64_t signals_handled(void);                /* those the program has handlers for, but for failures */
bool signals_can_come(void);                  /* some strand waits for a signal that another process could send */
void signals_await_outside(void);             /* waits until one comes */
void signals_take_awaited(void);              /* what has come of those strands wait for */
void signals_end(void);                       /* the process dies of the signal that ended the recorded run */
extern volatile bool signals_have_arrived;    /* some from outside nobody has looked at */
extern bool timers_are_armed;                 /* timers.c */
void signals_look(void);
static inline void signals_due(void)          /* those from outside, and the alarm, if its time has come */
{
	if (rt_unlikely(signals_have_arrived || timers_are_armed))
		signals_look();
}
void signals_kernel_told(uint64_t mask);               /* by somebody else: that is its mask */
void signals_kernel_asked(void);              /* the kernel's mask was changed by libc itself */
bool signals_kernel_has(uint64_t mask);       /* as far as is known; false: it has another, or nobody knows */
void signals_leave(void);                     /* the process is no longer steered: the kernel's mask is this strand's */

/* ---- the life of a strand ---- */
/* A child of the calling strand, about to be created; NULL: no room.  Forget it if there was no child after all. */
struct strand *steer_new_strand(const char *path);
void steer_forget_strand(struct strand *s);
void steer_created(struct strand *s);         /* in the creator, after the child was made */
void steer_joined(struct strand *s);          /* in the joiner, before libc is asked */
void steer_begin(struct strand *s);           /* in the child, first of all: waits for its turn; its event BEGIN has begun */
void steer_end(void);                         /* in the ending strand, last of all: somebody else goes on */
static inline bool steer_has_ended(const struct strand *s)
{
	return s->seen->state == STRAND_ENDED;
}
bool steer_tid_has_ended(int32_t tid);        /* it was a strand's, which has ended; its kernel thread may still be ending */
/* The process is a child of fork: it is not steered. */
void steer_forked(void);

/* ---- joining (steer.c), called by process.c before the first thread begins ---- */
bool steer_join(void);                        /* true: this process is to be steered */
void steer_first_strand(void);
void steer_ordered(void);                     /* the order of this run is there: its names, its policy */

/* Ends the process with this outcome. */
_Noreturn void steer_give_up(enum steer_outcome outcome, const char *text);

/* The process is about to die of a signal: says why, as far as it is known.  Nothing in a run that is not steered. */
void steer_failing(uint64_t address, int number, const char *text);
void steer_fault_is(enum steer_fault fault, uint64_t pc, enum event_kind kind);        /* what the signal the run is about to end by comes from; pc 0: no instruction */

/* ---- who only waits (waiting.c) ---- */
void waiting_looks(struct strand *s, const void *address, uint32_t what, const void *site);    /* in front of a read, or of what may change nothing */
void waiting_comes(struct strand *s, const struct steer_ask *ask);     /* in front of any other event */
void waiting_state(struct strand *s, uint64_t address);       /* its state is known, in front of an access there */
bool waiting_in_vain(const struct strand *s); /* it would go round for ever if nobody else ran; states are not asked for by raddle, which knows better */
bool steer_waits_for_process(void);           /* somebody waits where another process, which nobody steers, could end that */
void steer_watch(void);                       /* asks it at the next point */
uint64_t waiting_watch(void);                 /* asked now and then: steps until it wants to be asked again; ends the run if nobody will ever change anything */
void waiting_gives_way(struct strand *s);
uint64_t waiting_value(const void *address, uint32_t what);
/* What it tried did not succeed: it has changed nothing. */
static inline int steer_tried(int failed)
{
	if (failed && rt_steered())
		steer_unchanged();
	return failed;
}

/* ---- who is next (policy.c) ---- */
struct choice { struct strand *strand; uint64_t answer, flush, which; };       /* flush: not the strand, a store of its; whole words, copied at every choice */

void policy_start(void);
void policy_new_strand(struct strand *s);
/* The next to run; `from` stands at a point or has ended.  strand NULL: nobody can. */
void policy_choose(struct strand *from, struct choice *c);
/* The same in a run that lingers, when a strand is about to exit, or was before (linger.c); *c is what the policy says. */
void linger(struct strand *from, struct choice *c);
bool policy_insists(struct strand *s);         /* it goes on, although it spins: it has counted that */
uint32_t policy_number(uint32_t n);
uint64_t policy_store(void);                  /* the priority of a store that begins to wait */
/* How many plain accesses `s`, which was just chosen, would be let go on with; and that it made so many without being asked. */
uint64_t policy_quota(const struct strand *s);
void policy_used(uint64_t count);

/* Those that have not ended, in the order of their paths. */
extern struct strand *steer_by_path[STEER_STRANDS];
extern uint32_t steer_by_path_count;
static inline uint32_t steer_strand_count(void) { return steer_by_path_count; }
static inline struct strand *steer_strand(uint32_t i) { return steer_by_path[i]; }

/* Every choice asks these of many strands, so those that can simply go on cost next to nothing. */
uint32_t steer_ways_asked(const struct strand *s);
static inline uint32_t steer_ways_now(const struct strand *s)
{
	if (s->ask.ways)
		return steer_ways_asked(s);
	return s->unmade ? 0 : WAY_GO;
}

extern uint64_t steer_changes;                /* events so far that changed what others can see */
extern uint64_t steer_writes;                 /* the same but for locks */
static inline bool steer_spins(const struct strand *s)         /* it yielded and nothing has changed since */
{
	return s->yields && s->yielded_at == steer_changes;
}

extern uint32_t steer_deadlines;              /* strands at a point that has one */
bool steer_drains(const struct strand *s);    /* what it is about to do empties its store buffer */

/* ---- switching: two ways (baton.c, ghost.c) to do the same ---- */
struct switching {
	enum steer_switching name;
	void (*first)(struct strand *s);                          /* the calling thread is the first strand */
	void (*created)(struct strand *s);                        /* in the creator: libc has made its thread */
	void (*await)(struct strand *s);                          /* first thing a new thread does: returns when it is chosen */
	void (*pass)(struct strand *from, struct strand *to);     /* returns when `from` is chosen again; NULL: it has ended */
	void (*ended)(struct strand *s);                          /* in the ending strand */
	void (*joined)(struct strand *s);                         /* it has ended, and libc is about to be asked to join it */
};
extern const struct switching baton_switching, ghost_switching;
void context_swap(void **save, void *load, uint64_t thread_pointer);   /* switch.S: what passing on is, for ghosts */
bool ghost_is_possible(void);
int32_t *first_tid_word(void);                /* of libc's thread id of the first thread; NULL: not found */

#endif
