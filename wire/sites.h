/* wire/sites.h -- the tables the compiler plugin leaves in an object: what each record means.
 *
 * Section SITES_SECTION of an object is a row of units, one per compiled module, each 8-aligned (zero padding between):
 *
 *   struct sites_unit            fixed head; all offsets count from its first byte
 *   descriptors                  one per group and per atomic operation; a record names one by its address
 *   int32 relative[]             address of a global of this object minus address of the unit
 *   functions                    `function_count` entries of varints: linkage name, display name, file, line; at level access
 *                                all of the module, also those in which nothing is recorded
 *   places                       `place_count` entries of varints, each told from the one before it (the first from all zero):
 *                                s line minus its line << 1 | elsewhere; if elsewhere: file, function display name, place
 *                                it was inlined at + 1 (always an earlier place) or 0, else all three are the same; column
 *   strings                      zero-terminated; "file", "name" above and below are offsets from `strings`
 *
 * A descriptor, all numbers LEB128 varints, `s` = zigzag:
 *   flags (SITE_*)   function   payload bytes (multiple of 8, header word not counted)
 *   SITE_LANDED   offset of a u32 slot: depth of the stack
 *   SITE_ACCESS   count, then per access, in program order:
 *                   shape = write | volatile<<1 | address mode<<2 | value mode<<4 | vector<<6 | result<<7
 *                   size   (vector: element size)   ordinal   place   variable name + 1 or 0
 *                   address: A_SLOT offset | A_NEAR earlier access, s distance | A_VALUE earlier access, s distance
 *                          | A_GLOBAL relative index, s distance
 *                   value:   V_SLOT offset | V_CONST bits | V_SAME earlier access | V_NONE
 *                   SHAPE_RESULT (level full) is no access: the result of an instruction, or with write an argument of the call the group
 *                   ends with; it has no address, and its ordinal is RESULT_ORDINAL + the number of the instruction in its function,
 *                   phis and all, in the module before instrumentation
 *   SITE_CALL     ordinal   place   callee = hands over<<0 | (name + 1)<<1
 *                 hands over: an argument may point to memory others see
 *                 SITE_SKIPS (level full): the call can be left out (wire/fault.h)
 *                 called through a pointer: the name is 0, and the access that read the pointer + 1, or 0, follows
 *   SITE_BRANCH   ordinal   place   offset   slot size (way 0 or 1)
 *                 SITE_WAYS: a switch, what is kept is the value switched on; count of cases, then per case its value and the number
 *                 of the way it takes; all other values take way 0
 *   SITE_ATOMIC   op   size   order   failure order   weak   ordinal   place   variable name + 1 or 0
 *                 (never in a group: named by w4 of an atomic's control record)
 *   SITE_LIBRARY  ordinal   place   name of the modelled function + 1
 *                 (never in a group: named by w4 of the records its hook writes)
 *
 * An ordinal counts the sites of one function, in the order of the module before instrumentation, which is the kept bitcode:
 * load, store, atomicrmw, cmpxchg, fence, call (but of llvm.dbg.*), invoke, callbr, switch, conditional br.  Identity of
 * a site: hash(unit name, linkage name of function, ordinal).
 * Slots of a group: addresses first (8 bytes each), then values by falling size, each naturally aligned. */
#ifndef RADDLE_WIRE_SITES_H
#define RADDLE_WIRE_SITES_H

#include <stdint.h>

#define SITES_SECTION    "raddle_sites"
#define BITCODE_SECTION  ".raddle.bitcode"
#define RANGE_MARK       "raddle.range"        /* in it: an annotation of what the standard library asks of addresses in one range (cc/range.c) */
#define RECORDED_SUFFIX  ".recorded"                 /* of the name of a function that is another's recorded body */
#define STEERED_SUFFIX   ".steered"                  /* and steered one */
#define SITES_FULL       16u                         /* level full: accesses, and the results of all instructions */
#define SITES_MAGIC      0x3153455449534452ull       /* "RDSITES1" */

struct sites_unit {
	uint64_t magic;
	uint32_t version;
	uint32_t bytes;            /* of the whole unit */
	uint32_t descriptors_end;  /* descriptors: [sizeof head, here) */
	uint32_t relative_at, relative_count;
	uint32_t functions_at, function_count;
	uint32_t places_at, place_count;
	uint32_t strings_at, strings_bytes;
	uint32_t unit_name;        /* string: source file as given to the compiler */
	uint32_t level;            /* enum run_mode compiled in, or SITES_FULL */
	uint32_t spare;
};

enum site_flag { SITE_ENTER = 1, SITE_LEAVE = 2, SITE_LANDED = 4, SITE_CALL = 8, SITE_BRANCH = 16, SITE_ACCESS = 32,
	SITE_ATOMIC = 64, SITE_LIBRARY = 128, SITE_SKIPS = 256, SITE_WAYS = 512 };
enum address_mode { A_SLOT, A_NEAR, A_VALUE, A_GLOBAL };
enum value_mode { V_SLOT, V_CONST, V_SAME, V_NONE };

#define SHAPE_WRITE    1u
#define SHAPE_VOLATILE 2u
#define SHAPE_ADDRESS(shape) ((shape) >> 2 & 3u)
#define SHAPE_VALUE(shape)   ((shape) >> 4 & 3u)
#define SHAPE_VECTOR   64u     /* size is that of one element; a varint count of elements follows it */
#define SHAPE_RESULT   128u
#define RESULT_ORDINAL 0x40000000u
#define GROUP_ACCESSES 40u     /* accesses one group may hold */

#define SYNC_ONLY "raddle-sync-only"            /* attribute of a function whose plain accesses are no events */

#endif
