/* wire/hooks.h -- the functions instrumented code calls: defined by rt/, called by code that cc/ writes.
 *
 * Recording of plain accesses is inline (groups, wire/sites.h); everything else comes through here.  A hook that stands for
 * an operation *performs* it and returns its value: values pass through, so that they can be numbered, delayed or replaced
 * there.  `site` is the address of a descriptor, `how` packs what the runtime must know without decoding it.
 *
 *   how = op | log2(size)<<8 | order<<16 | failure order<<20 | weak<<24      (atomics, enum atomic_op, enum mem_order)
 *
 * In a steered run (MODE_STEER) plain accesses come through here as well, each where the program makes it: the hook is a point
 * where another thread may be let go first, then reads or writes.  `site` is the descriptor of the group the access belongs to
 * in the recorded body, `nth` its number there, so tables and readers are the same for both:
 *
 *   what = log2(size) | nth<<8      (size 1, 2, 4 or 8)
 *
 * Up to DOORS_NTH the hook's name says it: raddle_load4_1(address, site), raddle_store8_0(address, bits, site).
 *
 * Library functions have hooks of their own, raddle_lib_NAME: wire/modelled.h. */
#ifndef RADDLE_WIRE_HOOKS_H
#define RADDLE_WIRE_HOOKS_H

#include <stdint.h>

#define HOW(op, log2size, order, failure, weak) \
	((uint32_t)(op) | (uint32_t)(log2size) << 8 | (uint32_t)(order) << 16 | (uint32_t)(failure) << 20 | (uint32_t)(weak) << 24)
#define HOW_OP(how)       ((how) & 0xffu)
#define HOW_SIZE(how)     (1u << ((how) >> 8 & 0xffu))
#define HOW_ORDER(how)    ((how) >> 16 & 0xfu)

#define WHAT(log2size, nth) ((uint32_t)(log2size) | (uint32_t)(nth) << 8)
#define DOORS_NTH           8u
#define WHAT_NARROW(what, bits) ((what) | (uint32_t)(bits) << 4)        /* a result of fewer than eight bits; records do not have it */
#define WHAT_SIZE(what)     (1u << ((what) & 0xfu))
#define WHAT_BITS(what)     ((what) >> 4 & 0xfu ? (what) >> 4 & 0xfu : 8u * WHAT_SIZE(what))
#define WHAT_PLAIN(what)    ((what) & ~0xf0u)
#define WHAT_NTH(what)      ((what) >> 8)

/* Keeps every register but r11 (LLVM's preserve_all): written in rt/entry.S. */
uint64_t raddle_next_segment(uint64_t cursor);

uint64_t raddle_atomic(void *address, uint64_t operand, uint64_t expected, uint32_t how, const void *site);
/* A weak compare-exchange: it may fail although the expected value is there. */
struct raddle_cas { uint64_t old, swapped; };
struct raddle_cas raddle_weak_cas(void *address, uint64_t operand, uint64_t expected, uint32_t how, const void *site);
void     raddle_fence(uint32_t how, const void *site);
/* The same for 16 bytes; `found` is what is expected and becomes what was there. */
void     raddle_atomic16(void *address, const uint64_t operand[2], uint64_t found[2], uint32_t how, const void *site);

/* Plain accesses of the steered body.  Both keep every general register but r11 and the result (LLVM's preserve_most): entry.S. */
uint64_t raddle_load(const void *address, uint32_t what, const void *site);      /* returns the bits read */
void     raddle_store(void *address, uint64_t bits, uint32_t what, const void *site);
/* Level full: the result of an instruction, as bits, passes through here and may be replaced; what it returns is what the program goes on
 * with.  Not a point: nobody else runs. */
uint64_t raddle_value(uint64_t bits, uint32_t what, const void *site);
/* Level full, recorded body: the one place of this process where a fault is wanted, the address of a descriptor, or 0 (wire/fault.h).  A value of it goes
 * through raddle_fault, which returns what the program goes on with; address: where a store stores it, else NULL.  A call of it is asked for
 * first: if `skip`, it is not made and `value` is what it gives.  Neither writes records. */
extern uint64_t raddle_fault_site;
uint64_t raddle_fault(uint64_t bits, uint32_t what, const void *site, const void *address);
struct raddle_fault_call { uint64_t value, skip; };
struct raddle_fault_call raddle_fault_call(uint32_t what, const void *site);
/* Function stack of the steered body, where nothing jumps back into the function: as cc/frame.c writes it inline.  Kept registers
 * as above. */
void     raddle_enter(const void *site, const void *returns);
void     raddle_leave(void);
/* In front of a call that may lead to code not built with raddle, or is to be told (callee: its address, and whether it is handed pointers to memory others
 * may have): a CALL of what was not built with it, and a store buffer is emptied if it leads there.  Kept registers as above. */
#define CALL_HANDS_OVER (1ull << 63)
void     raddle_call(const void *callee);
/* In front of a call through a pointer, in recorded and steered bodies: what to call, the model of a library function (wire/modelled.h) where that is one. */
const void *raddle_known(const void *callee);
/* At the end of a round of a loop in which nothing may be seen of it, and in front of inline assembly: counted, and many of them without an event are a yield.
 * Kept registers as above. */
void     raddle_round(void);
void     raddle_asm(void);
/* In front of a write to a thread-local variable that no other thread can see.  Kept registers as above. */
void     raddle_own(void);
/* Around inline assembly with a loop in it: single steps, so that it can yield.  Kept registers as above. */
void     raddle_asm_begins(void);
void     raddle_asm_ends(void);
/* In front of the code of each function that was, so that it is known by its address: two instructions that do nothing. */
#define BUILT_MARK_1 0x6464617200841f0full
#define BUILT_MARK_2 0x2e2e656c00841f0full

/* A local whose address others may have is there from here on, or main returns and it is gone (life: enum local_life).  LOCAL_UNWOUND: of the caller's frame. */
void     raddle_local(const void *local, uint64_t bytes, uint32_t life);
/* A local whose address others may have is gone, its block or its function left, from here on: nothing of either is still to come. */
void     raddle_left(const void *local, uint64_t bytes);

/* In front of an access too wide for a register or of a shape the two above cannot have, and behind it too if it writes: what
 * was written is known only then.  The program makes it itself. */
enum touch { TOUCH_READ = 0, TOUCH_WRITE = 1, TOUCH_WRITTEN = 2 };
void     raddle_touch(const void *address, uint64_t bytes, uint32_t when, uint32_t nth, const void *site);   /* enum touch */

/* Memory functions of length not known to be small; they do the work and note it. */
void    *raddle_memcpy(void *to, const void *from, uint64_t bytes, const void *site);
void    *raddle_memmove(void *to, const void *from, uint64_t bytes, const void *site);
void    *raddle_memset(void *to, int byte, uint64_t bytes, const void *site);
/* A range read or written by code the plugin could not split into accesses (masked vectors, aggregates, byval). */
void     raddle_range(const void *address, uint64_t bytes, uint32_t is_write, const void *site);

/* In front of what asks the processor, or for the number of a thread: enum asked (wire/asked.h). */
void     raddle_asks(uint32_t what, const void *site);

/* Called by a constructor of every instrumented module: the whole sites section of its object (so an object's modules all
 * say the same), and the WIRE_SITES_VERSION it was built with. */
void     raddle_register(const void *sites_low, const void *sites_high, uint32_t version);

#endif
