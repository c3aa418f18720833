/* tests/check/program.h -- the tiny language the oracle of `raddle check` explores: threads over shared integers.
 *
 *     shared x, y = 3, a[4];   plain p;   mutex m;   rwlock l;   cond c;   sem s = 1;   barrier b = 2;   once o;
 *     recursive n;   checked e;   spinlock p;    mutexes of other kinds: one its thread may take again; one that refuses to be, and to be given back
 *                                                by others; one given back by a store that waits as others do
 *     thread { x = 1;  r = y; }                  one thread; `thread 3 { ... }` three of them, `me` is 0, 1, 2
 *     finally { r = x; }                         main, when all have ended
 *
 * A name that is not declared is a register of its thread, 0 at first.  Expressions have registers and numbers only: every access of
 * a shared word is a statement of its own.
 *     r = x;   r = a[i];   x = e;   store(x, e, release|seq_cst);   fence;   fence(release);
 *     r = add(x, e);   r = swap(x, e);   r = cas(x, old, new);           what was there before, each
 *     lock(m); unlock(m); r = trylock(m);     rdlock(l); wrlock(l); rwunlock(l); r = tryrdlock(l); r = trywrlock(l);
 *     wait(c, m); signal(c); broadcast(c);    down(s); r = trydown(s); up(s);        r = barrier(b);  1 for one of those who met
 *     r = timedlock(m); r = timedwait(c, m); r = timeddown(s);    0: its time was up, which may be at any time it would have to wait
 *     r = choose(N);     any number below N
 *     r = once(o) { };   1 for the thread that ran the block; others wait until it was run
 *     if (e) { } else { }    while (e) { }    loop N { }    spin { } while (e);    assert(e);    demand(e);
 *     free(x);    exit(e);    the word is gone, and any access to it ends the program; the program ends, and fails if e is not 0
 * A `plain` word is one that C's rules call racy: two threads about to access it, one of them to store, are a race.
 * `assert` only notes what does not hold; `demand` ends the program there, as an assertion in C does, before anybody else does anything.
 * `spin` is a loop to wait in: an iteration that left memory as it was and was told what the one before it was told leaves no trace. */
#ifndef RADDLE_TESTS_CHECK_PROGRAM_H
#define RADDLE_TESTS_CHECK_PROGRAM_H

#include <stdbool.h>

enum {
	MAX_WORDS = 64, MAX_OBJECTS = 16, MAX_THREADS = 66, MAX_REGISTERS = 12, MAX_CODE = 2048, MAX_NODES = 4096,
	MAX_BODIES = 16
};

enum op {
	OP_SET, OP_JUMP, OP_UNLESS, OP_ASSERT, OP_DEMAND, OP_SPIN, OP_AGAIN, OP_END, OP_JOIN_ALL,
	OP_LOAD, OP_CHOOSE, OP_FREE, OP_EXIT, OP_STORE, OP_ADD, OP_SWAP, OP_CAS, OP_FENCE,
	OP_LOCK, OP_UNLOCK, OP_TRYLOCK, OP_TIMEDLOCK, OP_RDLOCK, OP_WRLOCK, OP_RWUNLOCK, OP_TRYRDLOCK, OP_TRYWRLOCK,
	OP_WAIT, OP_WOKEN, OP_TIMEDWOKEN, OP_SIGNAL, OP_BROADCAST, OP_DOWN, OP_TRYDOWN, OP_TIMEDDOWN, OP_UP, OP_BARRIER, OP_PASS, OP_ONCE, OP_ONCE_DONE
};
enum order { RELAXED, RELEASE, SEQ_CST };
enum { NONE = -1 };

struct node { char kind; int value, left, right; };     /* kind: '0' number, 'r' register, else the operator */

struct instruction {
	enum op op;
	int reg;                /* gets the result, or NONE */
	int object, second;     /* word or synchronisation object; the mutex of a wait */
	int index, value, other;        /* nodes, or NONE */
	enum order order;
	int to;                 /* of a jump */
	int line;
};

struct body { int code, copies; bool plain; };  /* plain: no results, nothing to wait for, no `me`: copies are alike */

struct program {
	struct instruction code[MAX_CODE];
	struct node nodes[MAX_NODES];
	int initial[MAX_WORDS], start[MAX_OBJECTS];
	enum kind { ORDINARY, RECURSIVE, CHECKED, SPINLOCK } kind[MAX_OBJECTS];
	bool is_plain[MAX_WORDS], is_freed[MAX_WORDS];  /* is_freed: somewhere */
	struct body bodies[MAX_BODIES];
	int codes, node_count, words, objects, body_count, registers;
	bool has_main;          /* body 0 is `finally` */
};

/* Reads a program; what is wrong with it goes to stderr with its line, and the process ends with 3. */
void program_read(struct program *out, const char *path);

#endif
