/* wire/kinds.h -- every kind of event raddle knows, in one table.
 *
 * The same numbers stand in the raw records of the runtime, in a trace and in the readers.  A number once given is never
 * given again: append at the end of the table.  Columns: enumerator, number, the word in the text twin, class, what it is.
 * INJECT, TIME, MODULE and LOST are understood by readers, and may stand in a text twin; the runtime writes none yet.
 *
 * Raw control record (five 64-bit words, wire/ring.h): w0 object, w1 arg, w2 version, w3 time, w4 code address + result.
 * What object, arg and result hold for a kind is written beside it as  object, arg, result. */
#ifndef RADDLE_WIRE_KINDS_H
#define RADDLE_WIRE_KINDS_H

#define EVENT_KINDS(K) \
	/* threads: object = uid of the other thread */ \
	K(BEGIN,       1, "begin",      THREAD, "thread starts: start routine, -, -") \
	K(END,         2, "end",        THREAD, "thread ends: -, -, how (0 return, 1 exit, 2 cancel)") \
	K(FORK,        3, "fork",       THREAD, "thread created: child uid, start routine, errno") \
	K(JOIN,        4, "join",       THREAD, "thread joined: child uid, LOCK_TRIED and LOCK_TIMED or 0, errno") \
	K(DETACH,      5, "detach",     THREAD, "thread detached: child uid, -, errno") \
	K(CANCEL,      6, "cancel",     THREAD, "cancel requested: child uid, -, errno") \
	K(NAME,        7, "name",       THREAD, "thread named: - or uid if another, bytes, errno; payload the name") \
	K(PROCESS,     8, "process",    THREAD, "process forked: child pid, how (0 fork, 1 vfork, 2 clone, 3 spawn), errno") \
	K(YIELD,       9, "yield",      THREAD, "sched_yield, sleep: -, nanoseconds, errno") \
	/* memory */ \
	K(READ,       10, "r",          MEMORY, "plain read: address, value") \
	K(WRITE,      11, "w",          MEMORY, "plain write: address, value") \
	K(ALOAD,      12, "aload",      ATOMIC, "atomic load: address, value read") \
	K(ASTORE,     13, "astore",     ATOMIC, "atomic store: address, value written") \
	K(RMW,        14, "rmw",        ATOMIC, "atomic read-modify-write: address, value read, value written") \
	K(CAS,        15, "cas",        ATOMIC, "compare-exchange: address, value read, value written or failed") \
	K(FENCE,      16, "fence",      ATOMIC, "stand-alone fence: order") \
	K(LIBREAD,    17, "libread",    MEMORY, "bytes read by a modelled library call: address, bytes; payload first bytes") \
	K(LIBWRITE,   18, "libwrite",   MEMORY, "bytes written by a modelled library or system call: address, bytes; payload first bytes") \
	K(COPY,       19, "copy",       MEMORY, "bytes copied: destination, bytes; payload 8 bytes source, then first bytes") \
	/* locks: arg = enum lock_type << 8 | mode, and LOCK_TRIED, LOCK_TIMED, LOCK_WRITERS_FIRST; result = errno; an UNLOCK with an errno released nothing, TRYFAIL has no version */ \
	K(LOCK,       20, "lock",       LOCK,   "acquired: lock, type, errno") \
	K(UNLOCK,     21, "unlock",     LOCK,   "released: lock, type, errno") \
	K(TRYFAIL,    22, "tryfail",    LOCK,   "trylock or timed lock that did not get it: lock, type, errno") \
	K(BLOCK,      23, "block",      LOCK,   "about to block: object, kind of the event waited for") \
	K(LOCKINIT,   24, "lockinit",   LOCK,   "object initialised: object, type, errno") \
	K(LOCKDEAD,   25, "lockdead",   LOCK,   "object destroyed: object, type, errno") \
	/* condition variables; version is the lock's for CWAIT and CWAKE (it orders them with LOCK and UNLOCK), else the condition's */ \
	K(CWAIT,      30, "cwait",      COND,   "starts to wait and gives up the lock: condition, lock, ETIMEDOUT if not for ever") \
	K(CWAKE,      31, "cwake",      COND,   "stops waiting, lock held again: condition, lock, errno") \
	K(CSIGNAL,    32, "csignal",    COND,   "signal: condition, -, errno") \
	K(CBROADCAST, 33, "cbroadcast", COND,   "broadcast: condition, -, errno") \
	/* barriers, semaphores, once, keys, futex */ \
	K(BENTER,     40, "benter",     BARRIER, "arrives: barrier, generation") \
	K(BLEAVE,     41, "bleave",     BARRIER, "leaves: barrier, generation, errno or -1 for the serial thread") \
	K(SWAIT,      42, "swait",      SEM,    "semaphore taken: semaphore, LOCK_TRIED and LOCK_TIMED or 0, errno") \
	K(SPOST,      43, "spost",      SEM,    "semaphore posted: semaphore, -, errno") \
	K(ONCE,       44, "once",       ONCE,   "once passed: control, 1 if this thread ran the routine") \
	K(ONCERUN,    45, "oncerun",    ONCE,   "once routine about to run: control, routine") \
	K(KEYDTOR,    46, "keydtor",    ONCE,   "key destructor about to run: key, value") \
	K(FWAIT,      47, "fwait",      SEM,    "futex wait returned: address, value expected, errno") \
	K(FWAKE,      48, "fwake",      SEM,    "futex wake: address, number woken, errno") \
	/* objects: arg = bytes */ \
	K(ALLOC,      50, "alloc",      OBJECT, "heap object: address, bytes, -") \
	K(FREE,       51, "free",       OBJECT, "heap object given back: address, -") \
	K(REALLOC,    52, "realloc",    OBJECT, "heap object moved or resized: new address, bytes; payload 8 bytes old address") \
	K(MAP,        53, "map",        OBJECT, "memory mapped: address, bytes, protection or -1, and MAPPED_SHARED") \
	K(UNMAP,      54, "unmap",      OBJECT, "memory unmapped: address, bytes") \
	K(STACK,      55, "stack",      OBJECT, "the stack of this thread: low address, bytes") \
	K(TLS,        56, "tls",        OBJECT, "the static thread-local block of this thread: low address, bytes") \
	/* control flow, from group records */ \
	K(ENTER,      60, "enter",      FLOW,   "function entered") \
	K(LEAVE,      61, "leave",      FLOW,   "function left") \
	K(CALL,       62, "call",       FLOW,   "call about to be made from here: function if through a pointer, 1 if it hands over a pointer others may have") \
	K(BRANCH,     63, "branch",     FLOW,   "branch: way taken") \
	K(LANDED,     64, "landed",     FLOW,   "control came back here by exception or longjmp: depth of the stack now") \
	/* the outside */ \
	K(SIGENTER,   70, "sigenter",   SIGNAL, "handler starts: signal number, handler") \
	K(SIGLEAVE,   71, "sigleave",   SIGNAL, "handler ends: signal number") \
	K(SIGSEND,    72, "sigsend",    SIGNAL, "signal sent: thread uid or 0, signal number, errno") \
	K(INPUT,      73, "input",      OUTSIDE, "bytes from outside: address, bytes, errno; payload first bytes") \
	K(OUTPUT,     74, "output",     OUTSIDE, "bytes to outside: address, bytes, errno; payload first bytes") \
	K(OUTCALL,    75, "outcall",    OUTSIDE, "named source of nondeterminism called: -, result; payload the name") \
	K(FAILURE,    76, "failure",    OUTSIDE, "assert, abort, fatal signal: fault address, signal number; payload the text") \
	K(EXIT,       77, "exit",       OUTSIDE, "process ends by exit or _exit: -, code") \
	K(INJECT,     78, "inject",     OUTSIDE, "fault injected: address, -") \
	/* book-keeping */ \
	K(KEYFRAME,   80, "keyframe",   BOOK,   "state at the start of a segment: depth, locks held; payload held locks then frames") \
	K(TIME,       81, "time",       BOOK,   "time hint; -, 1: the group before was left by a jump, how far it came is not known") \
	K(MODULE,     82, "module",     BOOK,   "object loaded or unloaded: base, 1 loaded 0 unloaded") \
	K(LOST,       83, "lost",       BOOK,   "records that could not be kept: -, how many") \
	K(LABEL,      84, "label",      BOOK,   "raddle_label: -, bytes; payload the text") \
	/* what a program says about itself, <raddle.h> */ \
	K(CHOICE,     85, "choice",     OUTSIDE, "raddle_choose, nondet: of how many, number chosen") \
	K(RELEASE,    86, "release",    SEM,    "what came before is handed over: object") \
	K(ACQUIRE,    87, "acquire",    SEM,    "what was handed over is seen: object") \
	/* weak memory models */ \
	K(FLUSH,      88, "flush",      MEMORY, "bytes of a store that waited reach memory: address, uid of who made it, how many") \
	K(IGNORE,     89, "ignore",     BOOK,   "raddle_ignore: -, 1 begins 0 ends") \
	/* steered runs, where stacks are asked for */ \
	K(FRAMES,     90, "frames",     BOOK,   "the thread is inside other functions than before: depth, frames; payload the innermost, each with where it returns to") \
	/* level full */ \
	K(RESULT,     91, "result",     FLOW,   "result of an instruction: -, value") \
	K(ARGUMENT,   92, "argument",   FLOW,   "argument of the call that follows: -, value") \
	/* steered runs, where races are looked for: who gets a number of a descriptor comes behind who gave it back */ \
	K(SHUT,       93, "shut",       BOOK,   "descriptor closed: -, its number") \
	K(OPENED,     94, "opened",     BOOK,   "descriptor made: -, its number") \
	/* steered runs: locals others may have */ \
	K(LEFT,       95, "left",       OBJECT, "a local is gone, its block or function left: address, bytes") \
	/* steered runs: what a program says about itself */ \
	K(ATOMIC,     96, "atomic",     BOOK,   "raddle_atomic: -, 1 begins 0 ends") \
	K(ASSUME,     97, "assume",     BOOK,   "an assumption that does not hold: a point, no record follows it") \
	/* steered runs of which all behaviours are looked for */ \
	K(LOCAL,      98, "local",      OBJECT, "a local others may have is there from here on: address, bytes, 1 if it is main's, 2 what the kernel put there")

enum event_kind {
#define K(name, number, word, class, text) EV_##name = (number),
	EVENT_KINDS(K)
#undef K
	EV_COUNT = 99                   /* array bound; the raw record has room for 128 */
};

/* Can what it got have been tried for (LOCK_TRIED)? */
static inline int kind_tries(unsigned kind) { return kind == EV_LOCK || kind == EV_SWAIT || kind == EV_JOIN; }

/* Result of EV_LOCAL: it goes where its thread says so (EV_LEFT); it is main's and stays while main does; it stays; main returns or an exception has left
 * its block, and it is gone; an exception or longjmp has come to a frame, all that lies below it on the stack is gone. */
enum local_life { LOCAL_LEAVES, LOCAL_OF_MAIN, LOCAL_STAYS, LOCAL_RETURNED, LOCAL_UNWOUND };

/* Does it give memory back? */
static inline int kind_gives_back(unsigned kind) { return kind == EV_FREE || kind == EV_REALLOC || kind == EV_UNMAP || kind == EV_LEFT; }

/* Where stacks are asked for (KEEP_FRAMES), a steered run says in front of events of these kinds which functions their thread is inside of, if that changed. */
static inline int kind_has_frames(unsigned kind)
{
	switch (kind) {
	case EV_READ: case EV_WRITE: case EV_ALOAD: case EV_ASTORE: case EV_RMW: case EV_CAS: case EV_LIBREAD: case EV_LIBWRITE: case EV_COPY:
	case EV_INPUT: case EV_OUTPUT: case EV_LOCK: case EV_UNLOCK: case EV_TRYFAIL: case EV_CWAIT: case EV_CWAKE: case EV_CSIGNAL: case EV_CBROADCAST:
	case EV_BENTER: case EV_BLEAVE: case EV_SWAIT: case EV_SPOST: case EV_FORK: case EV_JOIN:
		return 1;
	default:
		return kind_gives_back(kind);
	}
}

/* Points a record of this kind is taken to have in a steered run; what it has more or less is written with it.  Its own, none where it tells what the library did
 * inside.  UNMAP is counted with these for good, since traces say how many more it has: one, where the program itself unmaps (rt/map.c). */
static inline int kind_points(unsigned kind)
{
	switch (kind) {
	case EV_STACK: case EV_TLS: case EV_NAME: case EV_MAP: case EV_UNMAP: case EV_BLOCK: case EV_LIBREAD: case EV_LIBWRITE: case EV_ALLOC:
	case EV_KEYFRAME: case EV_FRAMES: case EV_SHUT: case EV_OPENED: case EV_IGNORE: case EV_TIME: case EV_MODULE: case EV_LOST: case EV_OUTCALL: case EV_FLUSH: case EV_CALL: case EV_LOCAL:
		return 0;
	default:
		return 1;
	}
}

enum event_class {
	CLASS_THREAD, CLASS_MEMORY, CLASS_ATOMIC, CLASS_LOCK, CLASS_COND, CLASS_BARRIER, CLASS_SEM, CLASS_ONCE,
	CLASS_OBJECT, CLASS_FLOW, CLASS_SIGNAL, CLASS_OUTSIDE, CLASS_BOOK
};

enum lock_type { LOCK_MUTEX = 1, LOCK_RECURSIVE, LOCK_ERRORCHECK, LOCK_RWLOCK, LOCK_SPIN, LOCK_COND, LOCK_BARRIER,
	LOCK_SEM, LOCK_C11, LOCK_GUARD, LOCK_USER };
#define TIME_LEFT 1             /* arg of TIME, see there */
#define MAPPED_SHARED 256      /* bit of the result of MAP: other processes may write there */
enum lock_mode { LOCK_FOR_WRITING = 0, LOCK_FOR_READING = 1 };
#define LOCK_TRIED 2            /* bit of arg of LOCK, SWAIT and JOIN: it was had, and had it not been free, would not have been waited for, or not for ever */
#define LOCK_TIMED 8            /* bit beside LOCK_TRIED: it would have been waited for, up to a time */
#define LOCK_WRITERS_FIRST 4    /* bit of arg of LOCK and TRYFAIL of a read-write lock: a writer that waits holds new readers back */

/* Memory orders, as in <stdatomic.h>, and operations of atomics as they stand in sites and hooks. */
enum mem_order { ORDER_RELAXED, ORDER_CONSUME, ORDER_ACQUIRE, ORDER_RELEASE, ORDER_ACQ_REL, ORDER_SEQ_CST };
enum atomic_op { AOP_LOAD, AOP_STORE, AOP_XCHG, AOP_ADD, AOP_SUB, AOP_AND, AOP_NAND, AOP_OR, AOP_XOR, AOP_MAX, AOP_MIN,
	AOP_UMAX, AOP_UMIN, AOP_CAS, AOP_FENCE, AOP_FADD, AOP_FSUB, AOP_FMAX, AOP_FMIN, AOP_UINC_WRAP, AOP_UDEC_WRAP };

#endif
