/* wire/ring.h -- the memory a recorded program and `raddle record` share, and the raw records in it.
 *
 * One memfd, or (raddle record) one file that outlives all of them, mapped by the recorder and by every recorded process of the tree:
 *
 *   struct ring_head | process table | module table | thread areas | states of segments | queue of free ones | segments
 *
 * A thread writes into a segment of its own and into nothing else while it runs; segments change hands by one word,
 * their state.  Invariants:
 *   (1) a segment is written only by the thread whose uid is in its header, while its state is SEG_OWNED; whoever made it
 *       SEG_TAKING makes it ready for that;
 *   (2) the header word behind the last record of a segment is zero, so the end of what was executed can be found by reading,
 *       whatever killed the writer; so are slots of a group that were not reached.  Whoever writes a record sets them to zero before
 *       its header: what lies further behind is of whoever had the segment before;
 *   (3) a record is one header word that is not zero, and its length follows from that word and from constant tables;
 *   (4) header fields of a segment are written before its state becomes SEG_OWNED, except `at_seq` and `at_offset`, which
 *       stand before the first record of a signal handler, and `end_time` and `used`, which stand before it is given up.
 *
 * Header word of a record:
 *   bit 63 = 0   a group: the address of its descriptor (wire/sites.h), which gives the length of the payload behind it;
 *   bit 63 = 1   a control record of five words:
 *                  w0  1<<63 | flags<<56 | kind<<48 | object address (48 bits)
 *                  w1  arg
 *                  w2  version: place in the order of operations on this object, or 0 (not ordered).  Even: an operation
 *                      that took a number of its stripe's counter.  Odd: an atomic load that saw the state after the
 *                      operation just below and before the one just above; such loads share numbers
 *                  w3  time (tsc)
 *                  w4  result<<48 | where it came from (48 bits): a return address, or the address of a descriptor in a
 *                      sites section; readers tell which by the range it lies in
 *                atomics use  w1 value read, w2 version, w3 value written, w4 address of the site descriptor; those of 16 bytes
 *                have a payload of 16: bytes 8..15 of the value read, then of the value written;
 *                with RECORD_PAYLOAD in flags, w4's upper 16 bits are the number of payload bytes that follow,
 *                padded with zeros to a multiple of 8.
 *
 * In a steered run the order of everything is known.  One counter per process gives even numbers, and every control record
 * has one: the atomics and the two below in w2, all others in w3, where w2 keeps its meaning (versions come from the same
 * counter).  Numbers of one thread rise; they need not be without gaps.  They have 48 bits; those above say, signed, how many points
 * (wire/steer.h) the thread has passed since its record before, less kind_points() of this one, so that each record is known to be
 * of which point.  Having waited for a thread to end is not counted: in a schedule that lets it end first a join is one point.  Of a
 * record in several pieces the first says it.  A group has no number: it belongs to the record before it
 * in its thread.  Plain accesses are control records there, kind EV_READ or EV_WRITE:
 *                  w0  as above, object = address     w1  value, the bytes above its size zero     w2  number
 *                  w3  log2(size) | nth<<8, as wire/hooks.h has it
 *                  w4  address of the group descriptor whose nth access it is
 *                an access raddle_load and raddle_store cannot have (raddle_touch) has RECORD_PAYLOAD, whatever its size:
 *                  w1  bytes touched, at most TOUCH_MAX     w2  number     w3  nth<<8
 *                  w4  bytes of payload<<48 | descriptor; the payload is what was read or written, or its first part
 *                      (RECORD_CUT), or nothing: not known.  There is no RECORD_MORE.  Readers split it into the elements
 *                      the descriptor says.
 *                RECORD_FAILED in either: it was begun, and the program died in it.
 * Under a weak memory model a store with RECORD_WAITS (WRITE, ASTORE, LIBWRITE, COPY) is not in memory yet; its thread sees it, byte by byte
 * the newest one, no other does.  FLUSH says which bytes reach memory: of all the stores of the thread it names that wait, those of the
 * oldest that has them.  It stands in the lane of whoever ran next.
 * The program is hostile input to the recorder: it checks every field it uses. */
#ifndef RADDLE_WIRE_RING_H
#define RADDLE_WIRE_RING_H

#include <stdint.h>

#define RING_MAGIC          0x676e6972646461ull      /* "addring" */
#define RING_ENV            "RADDLE_RING"            /* environment: "<fd>:<recorder pid>:<level>" */

#define SEGMENT_BYTES       32768u
#define SEGMENT_HEAD        128u
#define SEGMENT_SLACK       1024u                    /* bytes whoever found the cursor below the limit may write */
#define SEGMENT_LIMIT       (SEGMENT_BYTES - SEGMENT_SLACK)
#define GROUP_MAX           512u                     /* bytes of one group, header word included */
#define PAYLOAD_MAX         880u                     /* bytes behind one control record */
#define FRAMES_TOLD         48u                      /* functions one FRAMES names, the innermost */
#define TOUCH_MAX           65536u                   /* bytes of one plain access */

#define RECORD_CONTROL      (1ull << 63)
#define RECORD_WORDS        5u
#define RECORD_PAYLOAD      1u                       /* flags: payload follows */
#define RECORD_MORE         2u                       /* flags: the next record of this kind goes on with the same bytes */
#define RECORD_CUT          4u                       /* flags: bytes beyond the payload exist but were not kept */
#define RECORD_FAILED       8u                       /* flags: compare-exchange failed; call failed */
#define RECORD_WAITS        16u                      /* flags: the store waits in its thread's store buffer */
#define RECORD_ADDRESS_MASK 0xffffffffffffull

#define RING_PROCESSES      256u
#define RING_MODULES        1024u
#define RING_THREADS        16384u
#define AREA_BYTES          4096u
#define AREA_HELD           64u
#define AREA_FRAMES         208u
#define AREA_DEPTH_AT       24u                      /* offsets of depth and frames, for inline code */
#define AREA_FRAMES_AT      672u
#define PATH_BYTES          64u                      /* T_0_1_4, with its zero */

#define VERSION_STRIPES     1024u                    /* counters behind `version`; stripe_of() says which */

#define RECORD_NUMBER(word) ((word) & RECORD_ADDRESS_MASK)
#define RECORD_POINTS(word) ((int16_t)((word) >> 48))    /* less kind_points() */

enum segment_state {
	SEG_FREE = 0,        /* anybody may take it */
	SEG_OWNED = 1,       /* a thread writes it */
	SEG_KEPT = 2,        /* flight recorder: the owner's last full one, not to be taken */
	SEG_FULL = 3,        /* complete: to be drained, or in a flight recorder taken again, oldest first */
	SEG_TAKING = 4,      /* changing hands */
	SEG_REFUSED = 5      /* free, but out of the queue: the recorder is to put it back */
};

struct segment_head {                               /* SEGMENT_HEAD bytes */
	uint32_t process;    /* index into the process table */
	uint32_t thread;     /* uid, unique in this recording */
	uint32_t parent;     /* uid of the creator, or 0 */
	uint32_t seq;        /* 0, 1, 2, ... within (thread, depth of signal handler) */
	uint32_t nest;       /* 0 the thread itself, 1 a signal handler on it, ... */
	uint32_t at_seq;     /* nest > 0: the interrupted segment and the place in it */
	uint32_t at_offset;
	uint32_t area;
	uint64_t start_time;
	uint64_t end_time;   /* 0 while open */
	char path[PATH_BYTES];
	uint64_t used;       /* bytes with records, head included; 0 while open */
};

enum area_state { AREA_FREE = 0, AREA_LIVE = 1, AREA_DEAD = 2 };

/* A function a thread is inside of: the descriptor with the ENTER flag, and where it returns to. */
struct area_frame { uint64_t entered, returns; };

struct thread_area {                                /* AREA_BYTES bytes */
	uint32_t state;
	uint32_t thread;     /* uid */
	uint32_t parent;
	uint32_t ordinal;    /* the parent's how-many-th child */
	uint32_t process;
	int32_t  tid;
	uint32_t depth;      /* functions entered; frames[] has the outermost AREA_FRAMES of them */
	uint32_t held_count; /* locks held; held[] has the first AREA_HELD */
	uint32_t waits_kind; /* event kind waited for, or 0 */
	uint32_t segments;   /* how many segments of this thread exist in the ring */
	uint32_t current;    /* segment written now, index + 1; 0 none */
	uint32_t kept;       /* flight recorder: the full one before it, index + 1 */
	uint64_t waits_for;  /* object */
	uint64_t waits_pc;
	uint64_t told;       /* sum of the frames last written down as FRAMES */
	uint64_t lost;
	char path[PATH_BYTES];
	char name[16];
	uint64_t held[AREA_HELD];
	struct area_frame frames[AREA_FRAMES];
	uint64_t fault_address;                      /* fatal memory fault of this thread: where, */
	uint64_t fault_known;                        /* and that there was one */
	uint64_t waits_until;                        /* with waits_kind: 1 the wait has a deadline */
};

enum process_state { PROC_FREE = 0, PROC_TAKEN = 1, PROC_LIVE = 2 };     /* an entry is never given back */

struct process_entry {
	uint32_t state;
	int32_t  pid;
	int32_t  parent_pid;
	uint32_t forked;     /* 1: it began as a copy of its parent */
	uint64_t start_time;
	uint32_t end_kind;   /* 0 unknown (killed), EV_EXIT, EV_FAILURE */
	int32_t  end_value;
	/* where what it began with lay; 0 not known (rt/anchors.c) */
	uint64_t stack_at;   /* argc */
	uint64_t strings_at; /* its first argument */
	uint64_t tls_at;     /* thread pointer of the first thread */
	uint64_t break_at;   /* end of the data segment */
	char exe[448];
};

struct module_entry {
	uint32_t state;      /* 1 when filled */
	uint32_t process;
	uint64_t base;       /* load bias: address = base + address in the file */
	uint64_t low, high;  /* of all loaded segments */
	uint64_t sites_low, sites_high;   /* the raddle_sites section as loaded, or 0,0: not instrumented */
	uint8_t  build_id[20];
	uint32_t build_id_bytes;
	char path[432];
};

enum ring_mode { RING_STREAM = 0, RING_LAST = 1 };
enum ring_keep { KEEP_RECORDS = 1, KEEP_FRAMES = 2 };    /* bits; frames: in a steered run, which functions each access is inside of */

struct ring_head {
	uint64_t magic;
	uint32_t version;
	uint32_t mode;            /* enum ring_mode */
	uint32_t level;           /* enum run_mode: what to record */
	uint32_t segment_count;   /* in ordinary use */
	uint32_t segment_spare;   /* more behind them, for more threads than there are segments */
	uint64_t bytes;           /* of the whole mapping */
	int32_t  recorder;        /* pid */
	uint32_t keep;            /* enum ring_keep; 0: nobody wants records, only thread areas, modules and processes are kept up */
	uint64_t processes_at, modules_at, areas_at, states_at, queue_at, segments_at;   /* offsets */
	/* written by both sides */
	uint64_t queue_tail;      /* stream: indices of free segments, put in by the recorder alone, */
	uint64_t queue_head;      /* taken out by whoever needs one; both only grow, modulo segment_count */
	uint32_t hand;            /* flight recorder: where the search for a segment goes on */
	uint32_t next_uid;        /* last thread uid given */
	uint32_t next_module;     /* module entries reserved */
	uint32_t stopped;         /* recorder: 1 = write no more (disk full, detached) */
	uint32_t full_futex;      /* bumped when a segment becomes full */
	uint32_t drainer_sleeps;
	uint32_t free_futex;      /* bumped when a segment becomes free */
	uint32_t writers_wait;    /* 1: somebody waits for a free one.  No count: the wait may be in two processes when it ends, if a handler forks */
	uint64_t alloc_version;   /* one counter for all heap and mapping events */
	uint32_t no_values;       /* 1: values are recorded as 0 */
	uint32_t lost_threads;    /* threads for which there was no area */
	uint32_t lost_processes;
	uint32_t lost_modules;
	uint32_t in_file;         /* 1: a file with holes, which are filled before they are written: a full disk must not kill the program */
};

/* Frames of main and of the program's constructors lie below this: the same address whatever is in the environment, unless that
 * is large or the kernel puts stacks to random places. */
#define MAIN_UNIT 0x40000ull
static inline uint64_t main_below(uint64_t stack_at)
{
	return (stack_at - 4096) & ~(MAIN_UNIT - 1);
}

/* Which of the VERSION_STRIPES counters orders operations on the object at `address`. */
static inline uint32_t stripe_of(uint64_t address)
{
	return (uint32_t)((address >> 3) * 0x9e3779b97f4a7c15ull >> 54);
}

#endif
