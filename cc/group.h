/* cc/group.h -- groups of accesses, as the files that plan, describe and write them see them (access.c group.c describe.c write.c). */
#ifndef RADDLE_CC_GROUP_H
#define RADDLE_CC_GROUP_H

#include "cc/pass.h"

#define ZERO_BEYOND   8u                          /* bytes behind the next header word that a group may set to zero */
#define PAYLOAD_LIMIT 448u                        /* of a group; with a slot for a branch it stays below GROUP_MAX */

struct address {                                  /* base + variable * scale + offset */
	LLVMValueRef base, variable;
	int64_t scale, offset;
};

struct access {
	LLVMValueRef in, pointer, value;          /* the instruction; value read or written */
	bool write, is_volatile, vector;
	bool result;                              /* no access: what an instruction gives, or with `write` an argument of a call */
	bool at_start;                            /* a result that is there before the group begins: of a phi, of a call */
	unsigned argument;                        /* which operand of the call */
	unsigned size, element, slot_size;        /* bytes touched; of one element; of the value in the payload */
	struct address address;
	enum address_mode address_mode;
	enum value_mode value_mode;
	unsigned near, address_slot, value_slot;  /* earlier access referred to; offsets in the payload */
	unsigned same;
	int64_t distance;
	uint64_t bits;
};

struct ways {                                     /* of a switch: value[i] takes way[i], all others way 0, the default */
	uint64_t *value;
	unsigned *way, count;
	unsigned near;                            /* one of its ways, */
	uint64_t near_value, far_value;           /* a value that takes it, and one that takes another */
	struct ways *next;                        /* of the unit, which has them until its end */
};

struct group {
	LLVMValueRef start;                       /* the instruction the group is opened in front of */
	LLVMValueRef end;                         /* closed in front of it; NULL: behind the last access */
	struct access *access;
	unsigned count;
	unsigned flags;
	LLVMValueRef call, branch;
	struct ways *ways;                        /* the branch is a switch */
	bool hands_over;                          /* the call: a pointer to what others may see */
	unsigned branch_slot, branch_size, depth_slot;
	unsigned payload, budget;
	bool has_room;                            /* somebody before it has looked */
	LLVMValueRef descriptor, armed;           /* as written; level full: is a fault wanted here? */
	LLVMValueRef behind;                      /* the instruction behind what was written last */
};

struct plan {                                     /* what happens in one block, in order */
	struct group *group;
	unsigned count, room;
	bool starts_after_invoke;                 /* the cursor is in raddle_tls */
};

/* ---- access.c ---- */
bool access_is(struct unit *u, LLVMValueRef in, struct access *a);      /* a plain access others can see?  Then *a says which */
void access_add(struct unit *u, struct group *g, struct access *a);     /* the last one of the group: chooses its modes */
/* Level full: has this instruction a result that can be kept?  Then *a is that; the same of an argument of a call. */
bool result_is(struct unit *u, LLVMValueRef in, struct access *a);
bool argument_is(struct unit *u, LLVMValueRef call, unsigned index, struct access *a);
unsigned power_of_two(unsigned size);                                   /* the next one up */

/* ---- group.c ---- */
LLVMValueRef first_real(LLVMBasicBlockRef block);                       /* the first instruction behind phis and landing pad */
bool block_lands(LLVMBasicBlockRef block);                              /* control comes to it by an exception */
bool call_is_last(LLVMValueRef in);                                     /* in tail position: nothing may stand between it and the return */
bool call_returns_twice(LLVMValueRef in);
const char *name_of_callee(LLVMValueRef call);                          /* "" when called through a pointer */
bool writes_records(LLVMValueRef in);                                   /* or may: anything but an intrinsic, whatever it promises */

/* ---- describe.c ---- */
void group_lay_out(struct unit *u, struct group *g);                    /* gives every slot its offset */
LLVMValueRef group_describe(struct function *f, const struct group *g); /* its descriptor, a constant */

/* ---- ways.c ---- */
/* Has this end of a block more than one?  *ways: of a switch, else NULL; the unit's. */
bool branch_ways(struct unit *u, LLVMValueRef last, struct ways **ways);
void ways_describe(struct bytes *d, const struct ways *w);
LLVMValueRef ways_other(struct unit *u, const struct ways *w, LLVMValueRef value);     /* a value that takes another way, as a pointer */

/* ---- fault.c ---- */
bool fault_can_leave_out(struct unit *u, LLVMValueRef call);            /* can the program go on without it? */
bool fault_can_replace(struct unit *u, LLVMValueRef value);             /* is it of a type that can pass through the hook? */
void fault_arm(struct unit *u, struct group *g);                        /* at the builder's place, where the group begins */
/* The value as the program goes on with it from `before` on; address: where a store puts it, or NULL.  Nothing uses it yet. */
LLVMValueRef fault_through(struct function *f, const struct group *g, unsigned nth, LLVMValueRef value, LLVMValueRef address, LLVMValueRef before);
/* The same for what a branch goes by; ways: of a switch. */
LLVMValueRef fault_branch(struct function *f, const struct group *g, const struct ways *ways, LLVMValueRef branch);
/* The same for the result of an instruction, in all its uses. */
LLVMValueRef fault_result(struct function *f, const struct group *g, unsigned nth, LLVMValueRef before);
void fault_around_call(struct function *f, const struct group *g);      /* when all is written: the call the group ends with can be left out */

/* ---- steer.c ---- */
/* The site of an instruction of the recorded body, before it is changed; of all accesses of a group. */
void steer_remember(struct steered *s, LLVMValueRef in, LLVMValueRef descriptor, unsigned nth);
void steer_remember_group(struct steered *s, const struct group *g, LLVMValueRef descriptor);

/* A call of a hook that keeps the caller's registers (LLVM's preserve_most), at the builder's place. */
LLVMValueRef steer_call(struct unit *u, const char *name, LLVMTypeRef result, LLVMTypeRef *params, LLVMValueRef *args, unsigned count);

/* ---- rounds.c ---- */
struct rounds *rounds_find(const struct function *f, const struct vmap *seen);  /* of the steered body, before it is changed */
void rounds_at(const struct rounds *r, LLVMValueRef in);                        /* in the steered body: does a round end here, or is it assembly? */
void rounds_release(struct rounds *r);

/* ---- write.c ---- */
LLVMValueRef *instructions_of(LLVMBasicBlockRef block, size_t *count);  /* from first_real() on, before anything is changed; to be freed */
void write_block(struct function *f, struct plan *p, LLVMBasicBlockRef block);

/* ---- frame.c ---- */
LLVMValueRef frame_returns_to(struct unit *u);                          /* where the function the builder is in returns to */
void frame_push(struct function *f, LLVMValueRef descriptor);           /* at the builder's place, as the others */
void frame_pop(struct function *f);
LLVMValueRef frame_land(struct function *f);                            /* the depth is what it was after frame_push: returns it */

#endif
