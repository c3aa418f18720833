/* cc/fault.c -- level full: at one place of the program a value can be replaced, a call left out (wire/fault.h).
 *
 *   armed = raddle_fault_site == descriptor           once a group
 *   value = armed ? raddle_fault(value, ...) : value    behind each value of it, in front of what is written of it
 *
 * What is recorded is what the program goes on with.  A result is replaced in all its uses; a value stored, an argument, a condition in that one
 * use, so that a record may never say one of these is the same as another (access.c). */
#include <string.h>

#include "cc/door.h"
#include "cc/group.h"

/* Bits of a value of this type, 0: it does not pass through the hook. */
static unsigned width_of(struct unit *u, LLVMTypeRef type)
{
	switch (LLVMGetTypeKind(type)) {
	case LLVMIntegerTypeKind:
		return LLVMGetIntTypeWidth(type) <= 64 ? LLVMGetIntTypeWidth(type) : 0;
	case LLVMPointerTypeKind: case LLVMHalfTypeKind: case LLVMBFloatTypeKind: case LLVMFloatTypeKind: case LLVMDoubleTypeKind:
		return (unsigned)LLVMSizeOfTypeInBits(u->layout, type);
	default:
		return 0;
	}
}

bool fault_can_replace(struct unit *u, LLVMValueRef value)
{
	return width_of(u, LLVMTypeOf(value)) && !LLVMIsUndef(value) && !LLVMIsPoison(value);
}

void fault_arm(struct unit *u, struct group *g)
{
	if (!u->full)
		return;
	LLVMValueRef place = LLVMGetNamedGlobal(u->module, "raddle_fault_site");
	if (!place)
		place = LLVMAddGlobal(u->module, u->i64, "raddle_fault_site");
	LLVMValueRef wanted = LLVMBuildLoad2(u->builder, u->i64, place, "");
	g->armed = LLVMBuildICmp(u->builder, LLVMIntEQ, wanted, LLVMBuildPtrToInt(u->builder, g->descriptor, u->i64, ""), "raddle.armed");
}

/* Between `before` and what stands in front of it: if (armed) a new block, whose end is left open, then on with `before`.  The builder is in it. */
static LLVMBasicBlockRef aside(struct function *f, LLVMValueRef armed, LLVMValueRef before)
{
	struct unit *u = f->unit;
	LLVMBasicBlockRef head = LLVMGetInstructionParent(before), rest = door_split_before(before);
	LLVMBasicBlockRef block = LLVMAppendBasicBlockInContext(u->context, f->value, "raddle.fault");
	LLVMValueRef jump = LLVMGetBasicBlockTerminator(head);
	unit_at(u, jump, before);
	unit_unlikely(u, LLVMBuildCondBr(u->builder, armed, block, rest));
	LLVMInstructionEraseFromParent(jump);
	LLVMPositionBuilderAtEnd(u->builder, block);
	return head;
}

static LLVMValueRef call_hook(struct unit *u, LLVMValueRef value, unsigned width, const struct group *g, unsigned nth, LLVMValueRef address)
{
	LLVMTypeRef type, params[4] = { u->i64, u->i32, u->pointer, u->pointer };
	LLVMValueRef hook = unit_hook(u, "raddle_fault", u->i64, params, 4, &type);
	LLVMValueRef args[4] = { unit_bits(u, value), LLVMConstInt(u->i32, FAULT_WHAT(width, nth), 0), g->descriptor,
		address ? address : LLVMConstNull(u->pointer) };
	return unit_unbits(u, LLVMBuildCall2(u->builder, type, hook, args, 4, ""), LLVMTypeOf(value));
}

/* *seen: what the hook is asked with; its operand is the value.  Of a switch the hook is told a value that goes another way. */
static LLVMValueRef through(struct function *f, const struct group *g, unsigned nth, LLVMValueRef value, LLVMValueRef address,
	const struct ways *ways, LLVMValueRef before, LLVMValueRef *seen)
{
	struct unit *u = f->unit;
	LLVMBasicBlockRef head = aside(f, g->armed, before), block = LLVMGetInsertBlock(u->builder), rest = LLVMGetInstructionParent(before);
	*seen = LLVMBuildFreeze(u->builder, value, "");
	if (ways)
		address = ways_other(u, ways, *seen);
	LLVMValueRef other = call_hook(u, *seen, width_of(u, LLVMTypeOf(value)), g, nth, address);
	LLVMBuildBr(u->builder, rest);
	unit_before(u, before);
	LLVMValueRef phi = LLVMBuildPhi(u->builder, LLVMTypeOf(value), "");
	LLVMAddIncoming(phi, (LLVMValueRef[]){ value, other }, (LLVMBasicBlockRef[]){ head, block }, 2);
	return phi;
}

LLVMValueRef fault_through(struct function *f, const struct group *g, unsigned nth, LLVMValueRef value, LLVMValueRef address, LLVMValueRef before)
{
	LLVMValueRef seen;
	return g->armed && fault_can_replace(f->unit, value) ? through(f, g, nth, value, address, NULL, before, &seen) : value;
}

LLVMValueRef fault_branch(struct function *f, const struct group *g, const struct ways *ways, LLVMValueRef branch)
{
	LLVMValueRef value = LLVMGetOperand(branch, 0), seen;
	return g->armed && fault_can_replace(f->unit, value) ? through(f, g, FAULT_BRANCH, value, NULL, ways, branch, &seen) : value;
}

LLVMValueRef fault_result(struct function *f, const struct group *g, unsigned nth, LLVMValueRef before)
{
	LLVMValueRef value = g->access[nth].in, seen;
	if (!g->armed || !fault_can_replace(f->unit, value))
		return value;
	LLVMValueRef phi = through(f, g, nth, value, NULL, NULL, before, &seen);
	LLVMReplaceAllUsesWith(value, phi);
	LLVMSetOperand(phi, 0, value);
	LLVMSetOperand(seen, 0, value);
	return phi;
}

/* A call that can be left out: something stands behind it, and what it gives, if anything, passes through the hook. */
bool fault_can_leave_out(struct unit *u, LLVMValueRef call)
{
	LLVMTypeRef type = LLVMTypeOf(call);
	LLVMValueRef next = LLVMGetNextInstruction(call);
	return LLVMIsACallInst(call) && !call_is_last(call) && !call_returns_twice(call) && LLVMGetTailCallKind(call) != LLVMTailCallKindMustTail &&
		!LLVMIsAUnreachableInst(next) && (LLVMGetTypeKind(type) == LLVMVoidTypeKind || width_of(u, type));
}

/*   head: if (armed) { answer = raddle_fault_call(); if (answer.skip) goto rest }
 *   made: the call
 *   rest: what it gave, or answer.value */
void fault_around_call(struct function *f, const struct group *g)
{
	struct unit *u = f->unit;
	LLVMValueRef call = g->call;
	if (!(g->flags & SITE_SKIPS))
		return;
	LLVMTypeRef type, given = LLVMTypeOf(call), params[2] = { u->i32, u->pointer };
	LLVMTypeRef both = LLVMStructTypeInContext(u->context, (LLVMTypeRef[]){ u->i64, u->i64 }, 2, 0);
	unsigned width = width_of(u, given);
	aside(f, g->armed, call);
	LLVMBasicBlockRef block = LLVMGetInsertBlock(u->builder), made = LLVMGetInstructionParent(call);
	LLVMBasicBlockRef rest = door_split_before(LLVMGetNextInstruction(call));
	LLVMPositionBuilderAtEnd(u->builder, block);
	LLVMValueRef hook = unit_hook(u, "raddle_fault_call", both, params, 2, &type);
	LLVMValueRef args[2] = { LLVMConstInt(u->i32, FAULT_WHAT(width, FAULT_CALL), 0), g->descriptor };
	LLVMValueRef answer = LLVMBuildCall2(u->builder, type, hook, args, 2, "");
	LLVMValueRef skip = LLVMBuildICmp(u->builder, LLVMIntNE, LLVMBuildExtractValue(u->builder, answer, 1, ""), unit_number(u, 0), "");
	LLVMValueRef value = width ? unit_unbits(u, LLVMBuildExtractValue(u->builder, answer, 0, ""), given) : NULL;
	LLVMBuildCondBr(u->builder, skip, rest, made);
	if (!width)
		return;
	unit_before(u, LLVMGetFirstInstruction(rest));
	LLVMValueRef phi = LLVMBuildPhi(u->builder, given, "");
	LLVMReplaceAllUsesWith(call, phi);
	LLVMAddIncoming(phi, (LLVMValueRef[]){ call, value }, (LLVMBasicBlockRef[]){ made, block }, 2);
}
