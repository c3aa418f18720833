/* cc/split.c -- accesses a group cannot describe, in the recorded body, taken apart into accesses it can.
 *   vectors of more than WIDEST bytes (interleaved loops)   several vectors
 *   masked loads and stores, gathers, scatters              one access per lane, those of which the mask is off jumped over
 *   a tail call that shares its return with other ways      gets a return of its own: the stack must not grow by recording
 * The jumps made here are nobody's branches: they have no site, and group.c does not record them. */
#include <stdlib.h>
#include <string.h>

#include "cc/door.h"
#include "cc/pass.h"

#define WIDEST 64u
#define LANES 128u                                /* of the longest vector taken apart */

static void keep_site(struct unit *u, LLVMValueRef from, LLVMValueRef to)
{
	LLVMValueRef site = LLVMGetMetadata(from, u->site_kind);
	if (site)
		LLVMSetMetadata(to, u->site_kind, site);
	LLVMSetAlignment(to, 1);
}

static LLVMValueRef lane_number(struct unit *u, unsigned lane)
{
	return LLVMConstInt(u->i32, lane, 0);
}

/* ---------------------------------------------------------------- wide vectors */

struct wide { LLVMTypeRef part; unsigned lanes, lanes_of_part, bytes_of_part; };

static bool is_wide(struct unit *u, LLVMValueRef in, struct wide *w)
{
	bool load = LLVMIsALoadInst(in), store = LLVMIsAStoreInst(in);
	if ((!load && !store) || atomic_is(in) || LLVMGetVolatile(in))
		return false;
	LLVMTypeRef type = LLVMTypeOf(store ? LLVMGetOperand(in, 0) : in);
	if (LLVMGetTypeKind(type) != LLVMVectorTypeKind || LLVMStoreSizeOfType(u->layout, type) <= WIDEST)
		return false;
	LLVMTypeRef element = LLVMGetElementType(type);
	unsigned bytes = (unsigned)LLVMStoreSizeOfType(u->layout, element);
	w->lanes = LLVMGetVectorSize(type);
	if (w->lanes > LANES || LLVMSizeOfTypeInBits(u->layout, element) != 8ull * bytes || bytes > WIDEST)
		return false;
	w->lanes_of_part = WIDEST / bytes;
	while (w->lanes % w->lanes_of_part)
		w->lanes_of_part--;
	w->bytes_of_part = w->lanes_of_part * bytes;
	w->part = LLVMVectorType(element, w->lanes_of_part);
	return !filter_is_private(LLVMGetOperand(in, store ? 1 : 0));
}

/* These lanes of two vectors, counted through; UINT32_MAX: any will do. */
static LLVMValueRef pick(struct unit *u, LLVMValueRef from, LLVMValueRef other, const unsigned *lanes, unsigned count)
{
	LLVMValueRef mask[LANES];
	for (unsigned i = 0; i < count; i++)
		mask[i] = lanes[i] == UINT32_MAX ? LLVMGetUndef(u->i32) : lane_number(u, lanes[i]);
	return LLVMBuildShuffleVector(u->builder, from, other, LLVMConstVector(mask, count), "");
}

/* The lanes gathered so far, and behind them those of one more part. */
static LLVMValueRef append(struct unit *u, const struct wide *w, LLVMValueRef all, LLVMValueRef part, unsigned first)
{
	unsigned spread[LANES], join[LANES];
	for (unsigned i = 0; i < w->lanes; i++) {
		bool of_part = i >= first && i < first + w->lanes_of_part;
		spread[i] = of_part ? i - first : UINT32_MAX;
		join[i] = of_part ? w->lanes + i : i < first ? i : UINT32_MAX;
	}
	part = pick(u, part, LLVMGetPoison(w->part), spread, w->lanes);
	return all ? pick(u, all, part, join, w->lanes) : part;
}

static void split_wide(struct unit *u, LLVMValueRef in, const struct wide *w)
{
	bool store = LLVMIsAStoreInst(in);
	LLVMValueRef base = LLVMGetOperand(in, store ? 1 : 0), value = store ? LLVMGetOperand(in, 0) : NULL, all = NULL;
	unit_before(u, in);
	for (unsigned first = 0; first < w->lanes; first += w->lanes_of_part) {
		LLVMValueRef offset = unit_number(u, (uint64_t)first / w->lanes_of_part * w->bytes_of_part), access;
		LLVMValueRef at = first ? LLVMBuildGEP2(u->builder, u->i8, base, &offset, 1, "") : base;
		if (store) {
			unsigned lanes[LANES];
			for (unsigned i = 0; i < w->lanes_of_part; i++)
				lanes[i] = first + i;
			LLVMValueRef part = pick(u, value, LLVMGetPoison(LLVMTypeOf(value)), lanes, w->lanes_of_part);
			access = LLVMBuildStore(u->builder, part, at);
		} else {
			access = LLVMBuildLoad2(u->builder, w->part, at, "");
			all = append(u, w, all, access, first);
		}
		keep_site(u, in, access);
	}
	if (!store)
		LLVMReplaceAllUsesWith(in, all);
	LLVMInstructionEraseFromParent(in);
}

/* ---------------------------------------------------------------- masked vectors */

struct masked {
	LLVMValueRef call, pointer, mask, value;  /* value: written, or what an untouched lane reads */
	LLVMTypeRef element;
	bool store, scattered;                    /* scattered: one pointer per lane */
	unsigned lanes;
};

static bool is_masked(LLVMValueRef in, struct masked *m)
{
	static const struct { const char *name; bool store, scattered; } known[] = { { "llvm.masked.load.", false, false },
		{ "llvm.masked.store.", true, false }, { "llvm.masked.gather.", false, true }, { "llvm.masked.scatter.", true, true } };
	LLVMValueRef callee = LLVMIsACallInst(in) ? LLVMGetCalledValue(in) : NULL;
	size_t length, i = 0, count = sizeof known / sizeof *known;
	const char *name = callee && LLVMIsAFunction(callee) ? LLVMGetValueName2(callee, &length) : "";
	while (i < count && strncmp(name, known[i].name, strlen(known[i].name)) != 0)
		i++;
	if (i == count)
		return false;
	*m = (struct masked){ .call = in, .store = known[i].store, .scattered = known[i].scattered };
	m->pointer = LLVMGetOperand(in, m->store ? 1 : 0);
	m->mask = LLVMGetOperand(in, m->store ? 3 : 2);
	m->value = LLVMGetOperand(in, m->store ? 0 : 3);
	LLVMTypeRef type = LLVMTypeOf(m->value);
	if (LLVMGetTypeKind(type) != LLVMVectorTypeKind)         /* of a length nobody knows */
		return false;
	m->element = LLVMGetElementType(type);
	m->lanes = LLVMGetVectorSize(type);
	return true;
}

static void add_block(struct function *f, LLVMBasicBlockRef block)
{
	f->body = realloc(f->body, (f->body_count + 1) * sizeof *f->body);
	if (!f->body)
		abort();
	f->body[f->body_count++] = block;
}

/* Touches one lane at the builder's place; returns the vector read so far. */
static LLVMValueRef touch_lane(struct unit *u, const struct masked *m, unsigned lane, LLVMValueRef so_far)
{
	LLVMValueRef number = lane_number(u, lane), index = unit_number(u, lane), access;
	LLVMValueRef at = m->scattered ? LLVMBuildExtractElement(u->builder, m->pointer, number, "")
		: LLVMBuildGEP2(u->builder, m->element, m->pointer, &index, 1, "");
	if (m->store)
		access = LLVMBuildStore(u->builder, LLVMBuildExtractElement(u->builder, m->value, number, ""), at);
	else
		access = LLVMBuildLoad2(u->builder, m->element, at, "");
	keep_site(u, m->call, access);
	return m->store ? so_far : LLVMBuildInsertElement(u->builder, so_far, access, number, "");
}

/* if (bit) touch the lane;   the call is left at the start of the block behind. */
static LLVMValueRef touch_lane_if(struct function *f, const struct masked *m, unsigned lane, LLVMValueRef bit, LLVMValueRef so_far)
{
	struct unit *u = f->unit;
	LLVMBasicBlockRef head = LLVMGetInstructionParent(m->call);
	LLVMBasicBlockRef rest = door_split_before(m->call);
	LLVMBasicBlockRef lane_block = LLVMInsertBasicBlockInContext(u->context, rest, "raddle.lane");
	LLVMValueRef jump = LLVMGetBasicBlockTerminator(head);
	unit_before(u, jump);
	LLVMBuildCondBr(u->builder, bit, lane_block, rest);
	LLVMInstructionEraseFromParent(jump);
	LLVMPositionBuilderAtEnd(u->builder, lane_block);
	LLVMSetCurrentDebugLocation2(u->builder, LLVMInstructionGetDebugLoc(m->call));
	LLVMValueRef touched = touch_lane(u, m, lane, so_far);
	LLVMBuildBr(u->builder, rest);
	add_block(f, lane_block);
	add_block(f, rest);
	if (m->store)
		return so_far;
	LLVMPositionBuilderBefore(u->builder, m->call);
	LLVMValueRef phi = LLVMBuildPhi(u->builder, LLVMTypeOf(so_far), "");
	LLVMAddIncoming(phi, (LLVMValueRef[]){ so_far, touched }, (LLVMBasicBlockRef[]){ head, lane_block }, 2);
	return phi;
}

/* True if the block was split on the way: what is left of it comes later. */
static bool split_masked(struct function *f, const struct masked *m)
{
	struct unit *u = f->unit;
	LLVMBasicBlockRef block = LLVMGetInstructionParent(m->call);
	LLVMValueRef result = m->value;
	for (unsigned lane = 0; lane < m->lanes; lane++) {
		unit_before(u, m->call);
		LLVMValueRef bit = LLVMBuildExtractElement(u->builder, m->mask, lane_number(u, lane), "");
		if (!LLVMIsAConstantInt(bit))
			result = touch_lane_if(f, m, lane, bit, result);
		else if (LLVMConstIntGetZExtValue(bit))
			result = touch_lane(u, m, lane, result);
	}
	bool moved = LLVMGetInstructionParent(m->call) != block;
	if (!m->store)
		LLVMReplaceAllUsesWith(m->call, result);
	LLVMInstructionEraseFromParent(m->call);
	return moved;
}

/* ---------------------------------------------------------------- tail calls */

/* The return a block jumps to, if there is nothing else where it jumps. */
static LLVMValueRef shared_return(LLVMValueRef jump)
{
	if (!LLVMIsABranchInst(jump) || LLVMIsConditional(jump))
		return NULL;
	LLVMValueRef in = LLVMGetFirstInstruction(LLVMGetSuccessor(jump, 0));
	while (LLVMIsAPHINode(in))
		in = LLVMGetNextInstruction(in);
	return LLVMIsAReturnInst(in) ? in : NULL;
}

static bool gives_back(LLVMValueRef ret, LLVMBasicBlockRef from, LLVMValueRef call)
{
	LLVMValueRef value = LLVMGetNumOperands(ret) ? LLVMGetOperand(ret, 0) : NULL;
	if (!value || value == call)
		return true;
	if (LLVMIsAPHINode(value) && LLVMGetInstructionParent(value) == LLVMGetInstructionParent(ret))
		for (unsigned i = 0; i < LLVMCountIncoming(value); i++)
			if (LLVMGetIncomingBlock(value, i) == from)
				return LLVMGetIncomingValue(value, i) == call;
	return false;
}

/* The code generator would do the same, were it not for the record of leaving that stands in the shared block. */
static void return_at_once(LLVMBasicBlockRef block)
{
	LLVMValueRef jump = LLVMGetBasicBlockTerminator(block), call = LLVMGetPreviousInstruction(jump);
	LLVMValueRef ret = shared_return(jump);
	if (!ret || !call || !LLVMIsACallInst(call) || LLVMGetTailCallKind(call) != LLVMTailCallKindTail)
		return;
	if (!filter_call_is_inline(call) && gives_back(ret, block, call))
		door_return_at_once(ret, block);
}

void split_body(struct function *f)
{
	for (size_t i = 0; i < f->body_count; i++) {
		bool moved = false;
		for (LLVMValueRef in = LLVMGetFirstInstruction(f->body[i]), next; in && !moved; in = next) {
			struct wide w;
			struct masked m;
			next = LLVMGetNextInstruction(in);
			if (is_wide(f->unit, in, &w))
				split_wide(f->unit, in, &w);
			else if (is_masked(in, &m))
				moved = split_masked(f, &m);
		}
		if (f->flow && !moved)
			return_at_once(f->body[i]);
	}
}
