/* cc/group.c -- the recorded body: its accesses, gathered into groups and written inline.
 *
 * A group is a run of plain accesses in one block with no call and no atomic operation between them.  It costs one look at
 * the cursor, one header word (the address of its descriptor), and per access what the descriptor cannot know: an address,
 * unless it lies at a fixed distance from another one of the group or in a global; a value, unless it is a constant or was
 * just read.  A branch, a call, the entry and the end of the function ride along in a neighbouring group when there is one.
 *
 * Whoever finds the cursor below SEGMENT_LIMIT may write SEGMENT_SLACK bytes from there, so only the first group of a row
 * looks, also when the row crosses blocks: a group need not if on every way to it that much was found and not yet used.
 *
 * The cursor lives in an alloca that becomes a register; around calls it is handed over through raddle_tls.cursor:
 *   (1) at the start and end of every block it is in the register, except where a block starts right after an invoke;
 *   (2) before anything that may write records (any call that is not quiet) it is in raddle_tls.
 * Plan first (here), write second (write.c): no decision looks at code that is already changed. */
#include <stdlib.h>
#include <string.h>

#include "cc/door.h"
#include "cc/group.h"

/* ---------------------------------------------------------------- groups of a block */

static struct group *new_group(struct plan *p, LLVMValueRef start)
{
	if (p->count == p->room) {
		p->room = p->room ? 2 * p->room : 4;
		p->group = realloc(p->group, p->room * sizeof *p->group);
		if (!p->group)
			abort();
	}
	struct group *g = &p->group[p->count++];
	memset(g, 0, sizeof *g);
	g->start = start;
	return g;
}

static void add_access(struct function *f, struct plan *p, struct group **open, struct access *a)
{
	struct group *g = *open;
	if (!g || g->count == GROUP_ACCESSES || g->budget + 8 + a->slot_size > PAYLOAD_LIMIT)
		g = new_group(p, a->in);
	access_add(f->unit, g, a);
	*open = g;
}

const char *name_of_callee(LLVMValueRef call)
{
	LLVMValueRef callee = LLVMGetCalledValue(call);
	size_t length;
	return LLVMIsAFunction(callee) ? LLVMGetValueName2(callee, &length) : "";
}

static bool is_our_hook(LLVMValueRef call)
{
	const char *name = name_of_callee(call);
	return strncmp(name, "raddle_", 7) == 0 && strncmp(name, "raddle_lib_", 11) != 0;
}

/* Level full: what goes into a call, in front of it. */
static void add_arguments(struct function *f, struct plan *p, struct group **open, LLVMValueRef in)
{
	struct access a;
	for (unsigned i = 0; i < LLVMGetNumArgOperands(in); i++)
		if (argument_is(f->unit, in, i, &a)) {
			if (*open)
				(*open)->end = in;              /* should it be full: it closes in front of the call */
			add_access(f, p, open, &a);
		}
}

/* And what comes out, at the start of the group behind it. */
static void add_call_result(struct function *f, struct plan *p, struct group **open, LLVMValueRef in)
{
	struct access a;
	if (call_is_last(in) || LLVMIsATerminatorInst(in) || !result_is(f->unit, in, &a))
		return;
	if (!*open)
		*open = new_group(p, LLVMGetNextInstruction(in));
	a.at_start = true;
	access_add(f->unit, *open, &a);
}

static bool is_call(LLVMValueRef in)
{
	return LLVMIsACallInst(in) || LLVMIsAInvokeInst(in);
}

bool call_is_last(LLVMValueRef in)
{
	if (!LLVMIsACallInst(in) || filter_call_is_inline(in) || LLVMGetTailCallKind(in) == LLVMTailCallKindNone ||
		LLVMGetTailCallKind(in) == LLVMTailCallKindNoTail)
		return false;
	LLVMValueRef next = LLVMGetNextInstruction(in);
	return next && LLVMIsAReturnInst(next) && (LLVMGetNumOperands(next) == 0 || LLVMGetOperand(next, 0) == in);
}

bool call_returns_twice(LLVMValueRef in)
{
	LLVMValueRef callee = LLVMGetCalledValue(in);
	unsigned kind = LLVMGetEnumAttributeKindForName("returns_twice", 13);
	return LLVMGetCallSiteEnumAttribute(in, LLVMAttributeFunctionIndex, kind) ||
		(LLVMIsAFunction(callee) && LLVMGetEnumAttributeAtIndex(callee, LLVMAttributeFunctionIndex, kind));
}

static void plan_call(struct function *f, struct plan *p, struct group **open, LLVMValueRef in)
{
	bool heard = !is_our_hook(in) && (f->unit->full || !filter_call_is_quiet(in)), leaves = f->flow && call_is_last(in);
	if (heard)
		add_arguments(f, p, open, in);
	if ((heard || leaves) && !*open)
		*open = new_group(p, in);
	if (heard) {
		(*open)->flags |= SITE_CALL | (f->unit->full && fault_can_leave_out(f->unit, in) ? SITE_SKIPS : 0);
		(*open)->call = in;
		(*open)->hands_over = filter_hands_over(in);
	}
	if (leaves)
		(*open)->flags |= SITE_LEAVE;
	if (*open)
		(*open)->end = in;
	*open = NULL;
	if (f->flow && !LLVMIsATerminatorInst(in) && call_returns_twice(in)) {
		*open = new_group(p, LLVMGetNextInstruction(in));
		(*open)->flags |= SITE_LANDED;
	}
	add_call_result(f, p, open, in);
}

/* Level full: a phi has its value when the block begins. */
static void add_phis(struct function *f, struct plan *p, struct group **open, LLVMBasicBlockRef block)
{
	struct access a;
	for (LLVMValueRef in = LLVMGetFirstInstruction(block); LLVMIsAPHINode(in); in = LLVMGetNextInstruction(in))
		if (result_is(f->unit, in, &a)) {
			if (!*open || (*open)->count == GROUP_ACCESSES || (*open)->budget + 8 + a.slot_size > PAYLOAD_LIMIT)
				*open = new_group(p, first_real(block));
			a.at_start = true;
			access_add(f->unit, *open, &a);
		}
}

static void plan_end(struct function *f, struct plan *p, struct group **open, LLVMValueRef last)
{
	LLVMOpcode op = LLVMGetInstructionOpcode(last);
	LLVMValueRef before = LLVMGetPreviousInstruction(last);
	bool branches = (op == LLVMBr && LLVMIsConditional(last)) || op == LLVMSwitch;
	struct ways *ways;
	if (branches && LLVMGetMetadata(last, f->unit->site_kind) && filter_branch_matters(LLVMGetOperand(last, 0)) &&
		LLVMStoreSizeOfType(f->unit->layout, LLVMTypeOf(LLVMGetOperand(last, 0))) <= 8 && branch_ways(f->unit, last, &ways)) {
		if (!*open)
			*open = new_group(p, last);
		(*open)->flags |= SITE_BRANCH | (ways ? SITE_WAYS : 0);
		(*open)->branch = last;
		(*open)->ways = ways;
	}
	if (f->flow && op == LLVMRet && !(before && call_is_last(before))) {
		if (!*open)
			*open = new_group(p, last);
		(*open)->flags |= SITE_LEAVE;
	}
	if (*open)
		(*open)->end = last;
	*open = NULL;
}

LLVMValueRef first_real(LLVMBasicBlockRef block)
{
	LLVMValueRef in = LLVMGetFirstInstruction(block);
	while (LLVMIsAPHINode(in) || LLVMIsALandingPadInst(in))
		in = LLVMGetNextInstruction(in);
	return in;
}

bool block_lands(LLVMBasicBlockRef block)
{
	LLVMValueRef last_of_head = LLVMGetPreviousInstruction(first_real(block));
	return last_of_head && LLVMIsALandingPadInst(last_of_head);
}

static void plan_block(struct function *f, struct plan *p, LLVMBasicBlockRef block)
{
	struct group *open = NULL;
	struct access a;
	bool entry = block == f->body[0];
	bool lands = block_lands(block);
	p->starts_after_invoke |= entry || lands;
	if (f->flow && (entry || lands)) {
		open = new_group(p, first_real(block));
		open->flags |= entry ? SITE_ENTER : SITE_LANDED;
	}
	add_phis(f, p, &open, block);
	for (LLVMValueRef in = first_real(block); in; in = LLVMGetNextInstruction(in)) {
		if (atomic_is(in)) {
			if (open)
				open->end = in;
			open = NULL;
		} else if (is_call(in) && (!filter_call_is_inline(in) || LLVMIsATerminatorInst(in))) {
			plan_call(f, p, &open, in);
		} else if (result_is(f->unit, in, &a)) {
			add_access(f, p, &open, &a);
		} else if (LLVMIsATerminatorInst(in)) {
			plan_end(f, p, &open, in);
		} else if (access_is(f->unit, in, &a)) {
			add_access(f, p, &open, &a);
		}
	}
}

/* Anything but an intrinsic may turn out to be instrumented code, whatever its declaration promises. */
bool writes_records(LLVMValueRef in)
{
	return atomic_is(in) || LLVMIsAInvokeInst(in) || (LLVMIsACallInst(in) && !filter_call_is_inline(in));
}

static bool has_one_predecessor(LLVMBasicBlockRef block, LLVMBasicBlockRef from)
{
	for (LLVMUseRef use = LLVMGetFirstUse(LLVMBasicBlockAsValue(block)); use; use = LLVMGetNextUse(use)) {
		LLVMValueRef user = LLVMGetUser(use);
		if (!LLVMIsAInstruction(user) || LLVMGetInstructionParent(user) != from)
			return false;
	}
	return true;
}

/* After an invoke that returned, the cursor is in raddle_tls: give the edge a block where it can be fetched. */
static void split_invokes(struct function *f)
{
	for (size_t i = 0, count = f->body_count; i < count; i++) {
		LLVMValueRef last = LLVMGetBasicBlockTerminator(f->body[i]);
		if (!LLVMIsAInvokeInst(last) || !writes_records(last))
			continue;
		LLVMBasicBlockRef to = LLVMGetNormalDest(last);
		if (has_one_predecessor(to, f->body[i]))
			continue;
		f->body = realloc(f->body, (f->body_count + 1) * sizeof *f->body);
		if (!f->body)
			abort();
		f->body[f->body_count++] = door_split_edge(f->body[i], to);
	}
}

static void mark_after_invokes(struct function *f, struct plan *plans, const struct vmap *index)
{
	for (size_t i = 0; i < f->body_count; i++) {
		LLVMValueRef last = LLVMGetBasicBlockTerminator(f->body[i]);
		uint64_t to;
		if (LLVMIsAInvokeInst(last) && writes_records(last) && vmap_get(index, LLVMGetNormalDest(last), &to))
			plans[to].starts_after_invoke = true;
	}
}

/* ---------------------------------------------------------------- who looks whether there is room */

#define UNKNOWN UINT32_MAX                        /* bytes used since somebody looked: too many, or who knows */

/* At the start of the block: the most any predecessor leaves, if all of them are known. */
static uint32_t used_before(const struct plan *p, const uint32_t *used, const struct vmap *index, LLVMBasicBlockRef block)
{
	uint32_t most = 0;
	uint64_t from;
	LLVMUseRef use = LLVMGetFirstUse(LLVMBasicBlockAsValue(block));
	if (p->starts_after_invoke || !use)
		return UNKNOWN;
	for (; use; use = LLVMGetNextUse(use)) {
		LLVMValueRef user = LLVMGetUser(use);
		if (!LLVMIsAInstruction(user) || !vmap_get(index, LLVMGetInstructionParent(user), &from) || used[from] == UNKNOWN)
			return UNKNOWN;
		if (used[from] > most)
			most = used[from];
	}
	return most;
}

/* Walks the block as write_block() will; returns what is used at its end. */
static uint32_t plan_room(struct unit *u, struct plan *p, LLVMBasicBlockRef block, uint32_t used)
{
	unsigned next = 0;
	for (LLVMValueRef in = first_real(block); in; in = LLVMGetNextInstruction(in)) {
		for (; next < p->count && p->group[next].start == in; next++) {
			struct group *g = &p->group[next];
			group_lay_out(u, g);
			g->has_room = used != UNKNOWN && used + 8 + g->payload + ZERO_BEYOND <= SEGMENT_SLACK;
			used = (g->has_room ? used : 0) + 8 + g->payload;
		}
		if (writes_records(in))
			used = UNKNOWN;
	}
	return used;
}

/* One round over the blocks as they stand; what comes round a loop is unknown. */
static void plan_rooms(struct function *f, struct plan *plans, const struct vmap *index)
{
	uint32_t *used = malloc(sizeof *used * (f->body_count + 1));
	if (!used)
		abort();
	for (size_t i = 0; i < f->body_count; i++)
		used[i] = UNKNOWN;
	for (size_t i = 0; i < f->body_count; i++)
		used[i] = plan_room(f->unit, &plans[i], f->body[i], used_before(&plans[i], used, index, f->body[i]));
	free(used);
}

void group_body(struct function *f)
{
	struct vmap index = { 0 };
	split_invokes(f);
	struct plan *plans = calloc(f->body_count, sizeof *plans);
	if (!plans)
		abort();
	for (size_t i = 0; i < f->body_count; i++)
		vmap_set(&index, f->body[i], i);
	mark_after_invokes(f, plans, &index);
	for (size_t i = 0; i < f->body_count; i++)
		plan_block(f, &plans[i], f->body[i]);
	plan_rooms(f, plans, &index);
	for (size_t i = 0; i < f->body_count; i++)
		write_block(f, &plans[i], f->body[i]);
	for (size_t i = 0; i < f->body_count; i++) {
		for (unsigned g = 0; g < plans[i].count; g++)
			free(plans[i].group[g].access);
		free(plans[i].group);
	}
	free(plans);
	vmap_release(&index);
}
