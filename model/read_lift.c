/* model/read_lift.c -- locals whose address nobody has become values, as in optimised code: a unit built without optimisation keeps each in memory, and
 * what is decided by one is not seen there.  The work is LLVM's (mem2reg), on the copy that is read.
 *   (1) each site is given its ordinal before anything changes, and keeps it; a load or store that is gone leaves a hole in the row;
 *   (2) a local holds an unknown constant before its first store: what is read of it then is never taken for what is stored on other ways;
 *   (3) a function that something may return to twice (setjmp) keeps its locals in memory, where what is stored late is seen behind it. */
#include <string.h>

#include "model/read_inside.h"

#define ORDINAL "raddle.ordinal"

static unsigned attribute(const char *name)
{
	return LL(LLVMGetEnumAttributeKindForName)(name, strlen(name));
}

/* ---- (1) ---- */

static void note_ordinal(struct reading *r, LLVMValueRef in, uint32_t ordinal)
{
	LLVMMetadataRef number = LL(LLVMValueAsMetadata)(LL(LLVMConstInt)(LL(LLVMInt32TypeInContext)(r->context), ordinal, 0));
	LL(LLVMSetMetadata)(in, r->ordinal_kind, LL(LLVMMetadataAsValue)(r->context, LL(LLVMMDNodeInContext2)(r->context, &number, 1)));
}

uint32_t read_ordinal(struct reading *r, LLVMValueRef in)
{
	LLVMValueRef node = LL(LLVMGetMetadata)(in, r->ordinal_kind), number = NULL;
	if (!node || LL(LLVMGetMDNodeNumOperands)(node) != 1)
		return NONE;
	LL(LLVMGetMDNodeOperands)(node, &number);
	return number && LL(LLVMIsAConstantInt)(number) ? (uint32_t)LL(LLVMConstIntGetSExtValue)(number) : NONE;
}

static void note_ordinals(struct reading *r, LLVMValueRef function)
{
	uint32_t ordinal = 0;
	for (LLVMBasicBlockRef b = LL(LLVMGetFirstBasicBlock)(function); b; b = LL(LLVMGetNextBasicBlock)(b))
		for (LLVMValueRef in = LL(LLVMGetFirstInstruction)(b); in; in = LL(LLVMGetNextInstruction)(in))
			if (read_is_site(in))
				note_ordinal(r, in, ordinal++);
	*map_put(&r->site_counts, (uint64_t)(uintptr_t)function, NULL) = ordinal;
}

/* ---- (2) ---- */

static bool is_single(LLVMTypeRef type)
{
	LLVMTypeKind kind = LL(LLVMGetTypeKind)(type);
	return LL(LLVMTypeIsSized)(type) && kind != LLVMStructTypeKind && kind != LLVMArrayTypeKind;
}

struct firsts { LLVMValueRef *at; size_t count, room; };

/* Which of them can be lifted turns out when others are: each is given a first value, by a store without an ordinal. */
static void begin_unknown(LLVMBuilderRef builder, LLVMBasicBlockRef block, struct firsts *firsts)
{
	for (LLVMValueRef in = LL(LLVMGetFirstInstruction)(block), next; in; in = next) {
		next = LL(LLVMGetNextInstruction)(in);
		if (!next || LL(LLVMGetInstructionOpcode)(in) != LLVMAlloca || !is_single(LL(LLVMGetAllocatedType)(in)))
			continue;
		LL(LLVMPositionBuilderBefore)(builder, next);
		LLVMValueRef any = LL(LLVMBuildFreeze)(builder, LL(LLVMGetUndef)(LL(LLVMGetAllocatedType)(in)), "");
		LL(LLVMBuildStore)(builder, any, in);
		vec_push(firsts, any);
	}
}

/* Those to locals that stay in memory are taken back. */
static void take_back(struct reading *r, LLVMValueRef first)
{
	for (LLVMUseRef use = LL(LLVMGetFirstUse)(first), next; use; use = next) {
		LLVMValueRef user = LL(LLVMGetUser)(use);
		next = LL(LLVMGetNextUse)(use);
		if (LL(LLVMGetInstructionOpcode)(user) == LLVMStore && read_ordinal(r, user) == NONE)
			LL(LLVMInstructionEraseFromParent)(user);
	}
}

/* ---- (3) ---- */

static bool may_return_twice(LLVMValueRef in)
{
	unsigned kind = attribute("returns_twice");
	LLVMOpcode opcode = LL(LLVMGetInstructionOpcode)(in);
	if (opcode != LLVMCall && opcode != LLVMInvoke)
		return opcode == LLVMCallBr;
	LLVMValueRef callee = LL(LLVMGetCalledValue)(in);
	return LL(LLVMGetCallSiteEnumAttribute)(in, LLVMAttributeFunctionIndex, kind) ||
		(LL(LLVMIsAFunction)(callee) && LL(LLVMGetEnumAttributeAtIndex)(callee, LLVMAttributeFunctionIndex, kind));
}

static bool is_returned_to(LLVMValueRef function)
{
	for (LLVMBasicBlockRef b = LL(LLVMGetFirstBasicBlock)(function); b; b = LL(LLVMGetNextBasicBlock)(b))
		for (LLVMValueRef in = LL(LLVMGetFirstInstruction)(b); in; in = LL(LLVMGetNextInstruction)(in))
			if (may_return_twice(in))
				return true;
	return false;
}

/* LLVM's passes leave a function alone that says so. */
static void leave_alone(struct reading *r, LLVMValueRef function, bool alone)
{
	static const char *const words[] = { "optnone", "noinline" };
	for (unsigned i = 0; i < 2; i++)
		if (alone)
			LL(LLVMAddAttributeAtIndex)(function, LLVMAttributeFunctionIndex, LL(LLVMCreateEnumAttribute)(r->context, attribute(words[i]), 0));
		else
			LL(LLVMRemoveEnumAttributeAtIndex)(function, LLVMAttributeFunctionIndex, attribute(words[i]));
}

/* ---- code control can come to ---- */

/* The only way a branch can take, its condition being a constant; NONE: there is no such. */
static uint32_t only_way(LLVMValueRef last)
{
	LLVMOpcode opcode = LL(LLVMGetInstructionOpcode)(last);
	bool asks = opcode == LLVMSwitch || (opcode == LLVMBr && LL(LLVMIsConditional)(last));
	LLVMValueRef condition = asks ? LL(LLVMGetOperand)(last, 0) : NULL;
	if (!condition || !LL(LLVMIsAConstantInt)(condition))
		return NONE;
	if (opcode == LLVMBr)
		return LL(LLVMIsNull)(condition) ? 1 : 0;
	for (unsigned i = 1; i < LL(LLVMGetNumSuccessors)(last); i++)
		if (LL(LLVMGetOperand)(last, 2 * i) == condition)
			return i;
	return 0;
}

unsigned read_ways(const struct reading *r, LLVMValueRef last, unsigned *first)
{
	unsigned count = last ? LL(LLVMGetNumSuccessors)(last) : 0;
	uint32_t only = r->lifted && count ? only_way(last) : NONE;
	*first = only == NONE ? 0 : only;
	return only == NONE ? count : 1;
}

static bool come_to(struct reading *r, LLVMBasicBlockRef block)
{
	bool fresh;
	map_put(&r->blocks, (uint64_t)(uintptr_t)block, &fresh);
	return fresh;
}

void read_reach(struct reading *r, LLVMValueRef function)
{
	VEC(LLVMBasicBlockRef) work = { 0 };
	LLVMBasicBlockRef first = LL(LLVMGetFirstBasicBlock)(function);
	if (r->lifted) {
		come_to(r, first);
		vec_push(&work, first);
	} else {
		for (LLVMBasicBlockRef b = first; b; b = LL(LLVMGetNextBasicBlock)(b))
			come_to(r, b);
	}
	while (work.count) {
		unsigned at;
		LLVMValueRef last = LL(LLVMGetBasicBlockTerminator)(work.at[--work.count]);
		for (unsigned count = read_ways(r, last, &at); count > 0; count--, at++)
			if (come_to(r, LL(LLVMGetSuccessor)(last, at)))
				vec_push(&work, LL(LLVMGetSuccessor)(last, at));
	}
	vec_release(&work);
}

/* ---- all of it ---- */

void read_lift(struct reading *r)
{
	if (LL(LLVMVerifyModule)(r->module, LLVMReturnStatusAction, NULL))
		return;                         /* the passes take sound code only */
	r->ordinal_kind = LL(LLVMGetMDKindIDInContext)(r->context, ORDINAL, sizeof ORDINAL - 1);
	struct firsts firsts = { 0 };
	LLVMBuilderRef builder = LL(LLVMCreateBuilderInContext)(r->context);
	for (LLVMValueRef f = LL(LLVMGetFirstFunction)(r->module); f; f = LL(LLVMGetNextFunction)(f)) {
		LLVMBasicBlockRef first = LL(LLVMGetFirstBasicBlock)(f);
		bool alone = is_returned_to(f);
		note_ordinals(r, f);
		leave_alone(r, f, alone);
		if (first && !alone)
			begin_unknown(builder, first, &firsts);
	}
	LL(LLVMDisposeBuilder)(builder);
	LLVMPassBuilderOptionsRef options = LL(LLVMCreatePassBuilderOptions)();
	LLVMErrorRef wrong = LL(LLVMRunPasses)(r->module, "mem2reg", NULL, options);
	if (wrong)
		LL(LLVMConsumeError)(wrong);    /* there is no pass of this name: the locals stay where they are */
	LL(LLVMDisposePassBuilderOptions)(options);
	for (size_t i = 0; i < firsts.count; i++)
		take_back(r, firsts.at[i]);
	vec_release(&firsts);
	r->lifted = true;
}
