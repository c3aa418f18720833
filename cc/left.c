/* cc/left.c -- locals that somebody may still have when they are gone, and where that is.
 *
 * Marked (metadata "raddle.kept") is a local of fixed size whose address may be kept beyond the call it was handed to: stored where others can
 * find it, handed to a new thread, or to a function that cannot be seen to keep no pointer.  Asked of the module as it is before any body is
 * written.  It is gone where its block ends (llvm.lifetime.end, which inlining leaves behind too), or, where the compiler
 * says nothing of that (-O0), where its function returns: there the steered body calls raddle_left.
 * Where its life begins (llvm.lifetime.start, or its function) it calls raddle_local.
 *   (1) what is not marked costs nothing; what is marked in vain costs an event, and is never told as anything;
 *   (2) main returning ends the process: what only that ends is gone for destructors and who they wait for (LOCAL_RETURNED), unless the program
 *       calls main itself.
 *   (3) where an exception is caught or passes, or longjmp comes to: frames below are gone (LOCAL_UNWOUND), and of this one those locals whose end is
 *       on no way from there: their function was inlined, and left by the exception.  The compiler says no end for exceptions alone. */
#include <string.h>

#include "cc/group.h"
#include "wire/interposed.h"
#include "wire/modelled.h"

#define DEPTH 8                         /* of functions looked into */
#define MOST  8                         /* locals of one function */

struct look {
	struct vmap seen;               /* values and parameters on the way: what they do is being looked at */
	int depth;
};

static bool keeps(struct look *l, LLVMValueRef pointer);

static LLVMValueRef object_of(LLVMValueRef pointer)
{
	while (LLVMIsAGetElementPtrInst(pointer) || LLVMIsABitCastInst(pointer))
		pointer = LLVMGetOperand(pointer, 0);
	return pointer;
}

static bool begins(const char *name, const char *with)
{
	return strncmp(name, with, strlen(with)) == 0;
}

/* Functions that are known to keep no pointer they are handed, but the one a thread is made with.  Of those of std:: it is taken for granted. */
static bool is_known(const char *name, unsigned argument)
{
	static const char *const known[] = {
#define X(name) #name,
		INTERPOSED(X) MODELLED(X)
#undef X
	};
	if (strcmp(name, "pthread_create") == 0 || strcmp(name, "thrd_create") == 0)
		return argument < 2;
	if (begins(name, "raddle_") || begins(name, "_ZNS") || begins(name, "_ZNKS") || begins(name, "_ZSt") || begins(name, "_Zd"))
		return true;
	for (size_t i = 0; i < sizeof known / sizeof *known; i++)
		if (strcmp(name, known[i]) == 0)
			return true;
	return false;
}

static bool has_attribute(LLVMValueRef call, LLVMValueRef callee, unsigned i, const char *name)
{
	unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
	return LLVMGetCallSiteEnumAttribute(call, i + 1, kind) ||
		(LLVMIsAFunction(callee) && i < LLVMCountParams(callee) && LLVMGetEnumAttributeAtIndex(callee, i + 1, kind));
}

static bool parameter_keeps(struct look *l, LLVMValueRef function, unsigned i)
{
	if (l->depth == DEPTH || i >= LLVMCountParams(function))
		return true;
	l->depth++;
	bool does = keeps(l, LLVMGetParam(function, i));
	l->depth--;
	return does;
}

static bool call_keeps(struct look *l, LLVMValueRef call, LLVMValueRef pointer)
{
	LLVMValueRef callee = LLVMGetCalledValue(call);
	if (LLVMIsAInlineAsm(callee) || (LLVMIsAFunction(callee) && LLVMGetIntrinsicID(callee)))
		return LLVMGetTypeKind(LLVMTypeOf(call)) == LLVMPointerTypeKind && keeps(l, call);
	for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++) {
		if (LLVMGetOperand(call, i) != pointer || has_attribute(call, callee, i, "nocapture") || has_attribute(call, callee, i, "byval"))
			continue;
		if (!LLVMIsAFunction(callee))
			return true;
		if (LLVMIsDeclaration(callee) ? !is_known(name_of_callee(call), i) : parameter_keeps(l, callee, i))
			return true;
	}
	return LLVMGetTypeKind(LLVMTypeOf(call)) == LLVMPointerTypeKind && keeps(l, call);     /* it may be what is returned */
}

/* Where a pointer lies that only this function takes out again, as all its variables do at -O0. */
static bool is_slot(LLVMValueRef at)
{
	if (!LLVMIsAAllocaInst(at))
		return false;
	for (LLVMUseRef use = LLVMGetFirstUse(at); use; use = LLVMGetNextUse(use)) {
		LLVMValueRef user = LLVMGetUser(use);
		bool marks = LLVMIsACallInst(user) && LLVMIsAFunction(LLVMGetCalledValue(user)) && LLVMGetIntrinsicID(LLVMGetCalledValue(user)) &&
			!begins(name_of_callee(user), "llvm.mem");
		if (!LLVMIsALoadInst(user) && !(LLVMIsAStoreInst(user) && LLVMGetOperand(user, 0) != at) && !marks)
			return false;
	}
	return true;
}

static bool store_keeps(struct look *l, LLVMValueRef store, LLVMValueRef pointer)
{
	LLVMValueRef at = LLVMGetOperand(store, 1);
	if (LLVMGetOperand(store, 0) != pointer)
		return false;
	if (!is_slot(at))
		return true;
	for (LLVMUseRef use = LLVMGetFirstUse(at); use; use = LLVMGetNextUse(use))
		if (LLVMIsALoadInst(LLVMGetUser(use)) && keeps(l, LLVMGetUser(use)))
			return true;
	return false;
}

static bool use_keeps(struct look *l, LLVMValueRef user, LLVMValueRef pointer)
{
	if (!LLVMIsAInstruction(user))
		return true;
	switch (LLVMGetInstructionOpcode(user)) {
	case LLVMLoad: case LLVMICmp:
		return false;
	case LLVMRet:                           /* whoever called goes on looking */
		return l->depth == 0;
	case LLVMStore:
		return store_keeps(l, user, pointer);
	case LLVMAtomicRMW: case LLVMAtomicCmpXchg:
		return LLVMGetOperand(user, 0) != pointer;
	case LLVMGetElementPtr: case LLVMBitCast: case LLVMPHI: case LLVMSelect: case LLVMFreeze:
		return keeps(l, user);
	case LLVMCall: case LLVMInvoke:
		return call_keeps(l, user, pointer);
	default:
		return true;
	}
}

/* May what is done with this pointer leave it somewhere? */
static bool keeps(struct look *l, LLVMValueRef pointer)
{
	uint64_t unused;
	if (vmap_get(&l->seen, pointer, &unused))
		return false;
	vmap_set(&l->seen, pointer, 1);
	for (LLVMUseRef use = LLVMGetFirstUse(pointer); use; use = LLVMGetNextUse(use))
		if (use_keeps(l, LLVMGetUser(use), pointer))
			return true;
	return false;
}

static bool has_name_main(LLVMValueRef function)
{
	size_t length;
	return strcmp(LLVMGetValueName2(function, &length), "main") == 0;
}

static void mark(struct unit *u, LLVMValueRef local)
{
	LLVMMetadataRef node = LLVMMDNodeInContext2(u->context, NULL, 0);
	LLVMSetMetadata(local, u->kept_kind, LLVMMetadataAsValue(u->context, node));
}

void left_mark(struct unit *u, LLVMValueRef function)
{
	unsigned count = 0;
	LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(function);
	u->main_is_called |= has_name_main(function) && LLVMGetFirstUse(function);
	for (LLVMValueRef in = LLVMGetFirstInstruction(entry); in && count < MOST; in = LLVMGetNextInstruction(in)) {
		struct look l = { .depth = 0 };
		if (!LLVMIsAAllocaInst(in) || !LLVMIsAConstantInt(LLVMGetOperand(in, 0)))
			continue;
		if (keeps(&l, in)) {
			mark(u, in);
			count++;
		}
		vmap_release(&l.seen);
	}
}

/* ---------------------------------------------------------------- where they go */

static bool is_start_of_life(LLVMValueRef in)
{
	return LLVMIsACallInst(in) && begins(name_of_callee(in), "llvm.lifetime.start");
}

static bool is_end_of_life(LLVMValueRef in)
{
	return LLVMIsACallInst(in) && begins(name_of_callee(in), "llvm.lifetime.end");
}

static bool has_use(LLVMValueRef local, bool (*is)(LLVMValueRef))
{
	for (LLVMUseRef use = LLVMGetFirstUse(local); use; use = LLVMGetNextUse(use))
		if (is(LLVMGetUser(use)))
			return true;
	return false;
}

static bool is_kept(struct unit *u, LLVMValueRef local)
{
	return LLVMIsAAllocaInst(local) && LLVMGetMetadata(local, u->kept_kind);
}

static LLVMValueRef bytes_of(struct unit *u, LLVMValueRef local)
{
	return unit_number(u, LLVMABISizeOfType(u->layout, LLVMGetAllocatedType(local)) * LLVMConstIntGetZExtValue(LLVMGetOperand(local, 0)));
}

static void hook_left(struct unit *u, LLVMValueRef local, LLVMValueRef before)
{
	LLVMTypeRef type, params[2] = { u->pointer, u->i64 };
	LLVMValueRef hook = unit_hook(u, "raddle_left", u->nothing, params, 2, &type);
	LLVMValueRef args[2] = { local, bytes_of(u, local) };
	unit_before(u, before);
	LLVMBuildCall2(u->builder, type, hook, args, 2, "");
}

static bool is_main(const struct function *f)
{
	return has_name_main(f->clean) && !f->unit->main_is_called;
}

/* Where the builder stands. */
static void hook_local(struct unit *u, LLVMValueRef local, enum local_life life)
{
	LLVMTypeRef type, params[3] = { u->pointer, u->i64, u->i32 };
	LLVMValueRef hook = unit_hook(u, "raddle_local", u->nothing, params, 3, &type);
	LLVMValueRef args[3] = { local ? local : LLVMConstNull(u->pointer), local ? bytes_of(u, local) : unit_number(u, 0), LLVMConstInt(u->i32, life, 0) };
	LLVMBuildCall2(u->builder, type, hook, args, 3, "");
}

/* In front of what follows `in`. */
static void hook_begins(const struct function *f, LLVMValueRef local, LLVMValueRef in)
{
	unit_after(f->unit, in);
	hook_local(f->unit, local, is_main(f) ? LOCAL_OF_MAIN : LOCAL_LEAVES);
}

/* Main is about to return. */
static void hook_returned(struct unit *u, LLVMValueRef local, LLVMValueRef before)
{
	unit_before(u, before);
	hook_local(u, local, LOCAL_RETURNED);
}

/* Does nothing but the end of the function come behind it? */
static bool only_returns(LLVMValueRef in, int depth)
{
	for (; in; in = LLVMGetNextInstruction(in)) {
		if (LLVMIsAReturnInst(in))
			return true;
		if (LLVMIsABranchInst(in))
			return depth < 4 && LLVMGetNumSuccessors(in) == 1 && only_returns(LLVMGetFirstInstruction(LLVMGetSuccessor(in, 0)), depth + 1);
		if (!LLVMIsAPHINode(in) && !is_end_of_life(in))
			return false;
	}
	return false;
}

static bool is_of(LLVMValueRef in, LLVMValueRef local, bool (*is)(LLVMValueRef))
{
	return is(in) && object_of(LLVMGetOperand(in, 1)) == local;
}

/* Is there a way from here to where the local's life ends, before it begins again? */
static bool ends_later(struct vmap *seen, LLVMBasicBlockRef block, LLVMValueRef local)
{
	uint64_t unused;
	if (vmap_get(seen, LLVMBasicBlockAsValue(block), &unused))
		return false;
	vmap_set(seen, LLVMBasicBlockAsValue(block), 1);
	for (LLVMValueRef in = LLVMGetFirstInstruction(block); in; in = LLVMGetNextInstruction(in)) {
		if (is_of(in, local, is_start_of_life))
			return false;
		if (is_of(in, local, is_end_of_life))
			return true;
	}
	LLVMValueRef last = LLVMGetBasicBlockTerminator(block);
	for (unsigned i = 0; i < LLVMGetNumSuccessors(last); i++)
		if (ends_later(seen, LLVMGetSuccessor(last, i), local))
			return true;
	return false;
}

void left_on_jump(const struct function *f)
{
	hook_local(f->unit, NULL, LOCAL_UNWOUND);
}

void left_on_landing(const struct function *f, LLVMBasicBlockRef block)
{
	LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(f->value);
	left_on_jump(f);
	for (LLVMValueRef local = LLVMGetFirstInstruction(entry); local; local = LLVMGetNextInstruction(local)) {
		struct vmap seen = { 0 };
		if (is_kept(f->unit, local) && has_use(local, is_start_of_life) && !ends_later(&seen, block, local))
			hook_local(f->unit, local, LOCAL_RETURNED);
		vmap_release(&seen);
	}
}

void left_at(const struct function *f, LLVMValueRef in)
{
	LLVMValueRef local = is_end_of_life(in) ? object_of(LLVMGetOperand(in, 1)) : NULL;
	if (local && is_kept(f->unit, local))
		(is_main(f) && only_returns(in, 0) ? hook_returned : hook_left)(f->unit, local, in);
	if (is_kept(f->unit, in) && !has_use(in, is_start_of_life))
		hook_begins(f, in, in);
	local = is_start_of_life(in) ? object_of(LLVMGetOperand(in, 1)) : NULL;
	if (local && is_kept(f->unit, local))
		hook_begins(f, local, in);
}

void left_on_return(const struct function *f, LLVMValueRef in)
{
	LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(f->value);
	for (LLVMValueRef local = LLVMGetFirstInstruction(entry); local; local = LLVMGetNextInstruction(local))
		if (is_kept(f->unit, local) && !has_use(local, is_end_of_life))
			(is_main(f) ? hook_returned : hook_left)(f->unit, local, in);
}
