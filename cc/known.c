/* cc/known.c -- library functions called through pointers (tables of functions, members, arguments, std::function).
 * A call by name of one that is modelled was turned into one of its model (expand.c).  What a pointer leads to is known when the
 * call is made: so the pointer is handed to the runtime first, which gives back the model's address if it is that of a modelled
 * function, and the same pointer if not.  This is done last: what is recorded of the call is the program's own pointer. */
#include <string.h>

#include "cc/group.h"

#define MOST 7u                                 /* arguments a modelled function has, but for those of a variable list */

static bool has_attribute(LLVMValueRef call, unsigned argument, const char *name)
{
	unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
	return LLVMGetCallSiteEnumAttribute(call, argument + 1, kind) != NULL;
}

/* Libc takes no references, of which `this` of a virtual call is one, and nothing by value. */
static bool may_be_modelled(LLVMValueRef call)
{
	unsigned count = LLVMGetNumArgOperands(call);
	if (!count || (count > MOST && !LLVMIsFunctionVarArg(LLVMGetCalledFunctionType(call))))
		return false;
	for (unsigned i = 0; i < count; i++)
		if (has_attribute(call, i, "dereferenceable") || has_attribute(call, i, "byval") || has_attribute(call, i, "sret"))
			return false;
	return true;
}

static bool is_our_call(LLVMValueRef value)
{
	return LLVMIsACallInst(value) && strcmp(name_of_callee(value), "raddle_known") == 0;
}

static LLVMValueRef ask(struct unit *u, LLVMValueRef call)
{
	LLVMTypeRef type;
	LLVMValueRef callee = LLVMGetCalledValue(call);
	unit_before(u, call);
	LLVMValueRef hook = unit_hook(u, "raddle_known", u->pointer, &u->pointer, 1, &type);
	return LLVMBuildCall2(u->builder, type, hook, &callee, 1, "");
}

static void set_callee(LLVMValueRef call, LLVMValueRef callee)
{
	LLVMSetOperand(call, (unsigned)LLVMGetNumOperands(call) - 1, callee);
}

/* `in` and what returns its result, at the end of `block`. */
static void move_there(struct unit *u, LLVMValueRef in, LLVMValueRef out, LLVMBasicBlockRef block)
{
	LLVMMetadataRef line = LLVMInstructionGetDebugLoc(in);
	LLVMPositionBuilderAtEnd(u->builder, block);
	LLVMInsertIntoBuilder(u->builder, in);
	LLVMInsertIntoBuilder(u->builder, out);
	LLVMInstructionSetDebugLoc(in, line);
}

/* A call that may become a jump does not return here, and a model tells its place by where it returns: it is called by a call of its own. */
static void ask_before_jump(struct unit *u, LLVMValueRef call)
{
	LLVMBasicBlockRef block = LLVMGetInstructionParent(call);
	LLVMValueRef out = LLVMGetNextInstruction(call), function = LLVMGetBasicBlockParent(block);
	LLVMValueRef model = LLVMInstructionClone(call), back = LLVMInstructionClone(out), callee = LLVMGetCalledValue(call), known = ask(u, call);
	LLVMValueRef is_other = LLVMBuildICmp(u->builder, LLVMIntNE, known, callee, "");
	LLVMBasicBlockRef here = LLVMAppendBasicBlockInContext(u->context, function, ""), there = LLVMAppendBasicBlockInContext(u->context, function, "");
	LLVMInstructionRemoveFromParent(out);
	LLVMInstructionRemoveFromParent(call);
	LLVMPositionBuilderAtEnd(u->builder, block);
	unit_unlikely(u, LLVMBuildCondBr(u->builder, is_other, there, here));
	move_there(u, call, out, here);
	move_there(u, model, back, there);
	set_callee(model, known);
	LLVMSetTailCallKind(model, LLVMTailCallKindNoTail);
	if (LLVMGetNumOperands(back))
		LLVMSetOperand(back, 0, model);
}

static bool is_to_ask(LLVMValueRef in)
{
	if (!LLVMIsACallInst(in) && !LLVMIsAInvokeInst(in))
		return false;
	LLVMValueRef callee = LLVMGetCalledValue(in);
	return !LLVMIsConstant(callee) && !LLVMIsAInlineAsm(callee) && !is_our_call(callee) && may_be_modelled(in);
}

static void known_call(struct unit *u, LLVMValueRef in)
{
	if (call_is_last(in) && LLVMGetTailCallKind(in) == LLVMTailCallKindTail)
		ask_before_jump(u, in);
	else
		set_callee(in, ask(u, in));
}

void known_callees(struct unit *u, LLVMValueRef function)
{
	LLVMBasicBlockRef last = LLVMGetLastBasicBlock(function);
	for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = b == last ? NULL : LLVMGetNextBasicBlock(b))
		for (LLVMValueRef in = LLVMGetFirstInstruction(b), next; in; in = next) {
			next = LLVMGetNextInstruction(in);
			if (!is_to_ask(in))
				continue;
			next = call_is_last(in) ? NULL : next;
			known_call(u, in);
		}
}
