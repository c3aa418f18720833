/* cc/clone.c -- three bodies for one function.
 *
 *   entry:  allocas; if (raddle_tls.mode < MODE_ACCESS) goto clean body
 *   which:  if (raddle_tls.mode == MODE_STEER) return the steered function(same arguments); else goto recorded body
 *
 * The clean body is the function as it was (atomics aside); it runs when nobody records, at full speed.  The recorded body is
 * a copy that group.c may fill with records; allocas are shared.  The steered body, for steer.c, is a copy of the recorded one
 * before it has any, in a function of its own: cold, small, and taking no registers from the other two; or, where arguments
 * cannot be handed on, in the same function.  Functions of asm goto and coroutines cannot be
 * copied; a computed goto becomes a switch before. */
#include <stdlib.h>

#include "cc/door.h"
#include "cc/pass.h"

static bool can_be_copied(LLVMValueRef function)
{
	for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b)) {
		LLVMValueRef last = LLVMGetBasicBlockTerminator(b);
		LLVMOpcode op = LLVMGetInstructionOpcode(last);
		if (op != LLVMRet && op != LLVMBr && op != LLVMSwitch && op != LLVMInvoke && op != LLVMUnreachable && op != LLVMResume &&
			op != LLVMIndirectBr)
			return false;
		for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
			if (LLVMGetTypeKind(LLVMTypeOf(i)) == LLVMTokenTypeKind)
				return false;
	}
	return true;
}

/* Moves the static allocas of the old entry block into a new one in front of it. */
static LLVMBasicBlockRef new_entry(struct function *f)
{
	struct unit *u = f->unit;
	LLVMBasicBlockRef old = LLVMGetEntryBasicBlock(f->value);
	LLVMBasicBlockRef entry = LLVMInsertBasicBlockInContext(u->context, old, "raddle.entry");
	for (LLVMValueRef i = LLVMGetFirstInstruction(old), next; i; i = next) {
		next = LLVMGetNextInstruction(i);
		if (!LLVMIsAAllocaInst(i) || !LLVMIsConstant(LLVMGetOperand(i, 0)))
			continue;
		LLVMInstructionRemoveFromParent(i);
		LLVMPositionBuilderAtEnd(u->builder, entry);
		LLVMInsertIntoBuilder(u->builder, i);
	}
	return entry;
}

static LLVMValueRef copy_instruction(struct function *f, LLVMValueRef from)
{
	struct unit *u = f->unit;
	LLVMValueRef copy = LLVMInstructionClone(from);
	size_t length;
	const char *name = LLVMGetValueName2(from, &length);
	LLVMInsertIntoBuilderWithName(u->builder, copy, length ? name : "");
	return copy;
}

static LLVMBasicBlockRef mapped_block(const struct vmap *map, LLVMBasicBlockRef block)
{
	uint64_t value;
	return vmap_get(map, block, &value) ? (LLVMBasicBlockRef)value : block;
}

static void remap(LLVMValueRef copy, const struct vmap *map)
{
	uint64_t value;
	int count = LLVMGetNumOperands(copy);
	for (int i = 0; i < count; i++) {
		LLVMValueRef operand = LLVMGetOperand(copy, (unsigned)i);
		if (operand && !LLVMValueIsBasicBlock(operand) && vmap_get(map, operand, &value))
			LLVMSetOperand(copy, (unsigned)i, (LLVMValueRef)value);
	}
	if (LLVMIsAPHINode(copy))
		for (unsigned i = 0; i < LLVMCountIncoming(copy); i++)
			door_set_incoming(copy, i, mapped_block(map, LLVMGetIncomingBlock(copy, i)));
	if (LLVMIsATerminatorInst(copy))
		for (unsigned i = 0; i < LLVMGetNumSuccessors(copy); i++)
			LLVMSetSuccessor(copy, i, mapped_block(map, LLVMGetSuccessor(copy, i)));
}

static void copy_blocks(struct function *f, LLVMBasicBlockRef *from, const char *name, struct vmap *map)
{
	struct unit *u = f->unit;
	for (size_t i = 0; i < f->body_count; i++) {
		f->body[i] = LLVMAppendBasicBlockInContext(u->context, f->value, name);
		vmap_set(map, from[i], (uint64_t)f->body[i]);
	}
	for (size_t i = 0; i < f->body_count; i++) {
		LLVMPositionBuilderAtEnd(u->builder, f->body[i]);
		for (LLVMValueRef in = LLVMGetFirstInstruction(from[i]); in; in = LLVMGetNextInstruction(in))
			vmap_set(map, in, (uint64_t)copy_instruction(f, in));
	}
	for (size_t i = 0; i < f->body_count; i++)
		for (LLVMValueRef in = LLVMGetFirstInstruction(f->body[i]); in; in = LLVMGetNextInstruction(in))
			remap(in, map);
}

static void choose_body(struct function *f, LLVMBasicBlockRef entry, LLVMBasicBlockRef clean, LLVMBasicBlockRef recorded)
{
	struct unit *u = f->unit;
	LLVMPositionBuilderAtEnd(u->builder, entry);
	LLVMSetCurrentDebugLocation2(u->builder, NULL);
	LLVMValueRef mode = LLVMBuildLoad2(u->builder, u->i32, unit_tls(u, TLS_MODE), "raddle.mode");
	LLVMValueRef on = LLVMBuildICmp(u->builder, LLVMIntUGE, mode, LLVMConstInt(u->i32, MODE_ACCESS, 0), "");
	LLVMBuildCondBr(u->builder, on, recorded, clean);
}

static void in_place(struct function *f, LLVMBasicBlockRef *blocks)
{
	for (size_t i = 0; i < f->body_count; i++)
		f->body[i] = blocks[i];
}

/* The copied function starts with its recorded body at once. */
static void keep_recorded(struct function *copy)
{
	struct unit *u = copy->unit;
	LLVMValueRef choice = LLVMGetBasicBlockTerminator(LLVMGetEntryBasicBlock(copy->value));
	LLVMValueRef on = LLVMGetCondition(choice), mode = LLVMGetOperand(on, 0);
	LLVMPositionBuilderBefore(u->builder, choice);
	LLVMBuildBr(u->builder, LLVMGetSuccessor(choice, 0));
	LLVMInstructionEraseFromParent(choice);
	LLVMInstructionEraseFromParent(on);
	LLVMInstructionEraseFromParent(mode);
	door_drop_unreachable(copy->value);
	LLVMBasicBlockRef first = LLVMGetNextBasicBlock(LLVMGetEntryBasicBlock(copy->value));
	copy->body_count = LLVMCountBasicBlocks(copy->value) - 1;
	copy->body = malloc(sizeof(LLVMBasicBlockRef) * (copy->body_count + 1));
	if (!copy->body)
		abort();
	for (size_t i = 0; i < copy->body_count; i++, first = LLVMGetNextBasicBlock(first))
		copy->body[i] = first;
}

static void note_twin(void *map, LLVMValueRef from, LLVMValueRef to)
{
	vmap_set(map, from, (uint64_t)to);
}

/* As a function of its own; the block that goes on there. */
static LLVMBasicBlockRef copy_outside(const struct function *from, struct function *to, struct vmap *map)
{
	to->value = door_copy_function(from->value, STEERED_SUFFIX, note_twin, map);
	keep_recorded(to);
	LLVMBasicBlockRef away = LLVMAppendBasicBlockInContext(to->unit->context, from->value, "raddle.steered");
	door_go_on_in(away, to->value);
	return away;
}

static LLVMBasicBlockRef copy_inside(const struct function *from, struct function *to, struct vmap *map)
{
	to->value = from->value;
	to->body_count = from->body_count;
	to->body = malloc(sizeof(LLVMBasicBlockRef) * (to->body_count + 1));
	if (!to->body)
		abort();
	copy_blocks(to, from->body, "raddle.steered", map);
	return to->body[0];
}

void clone_again(const struct function *from, struct function *to, struct vmap *map)
{
	struct unit *u = to->unit;
	LLVMValueRef choice = LLVMGetBasicBlockTerminator(LLVMGetEntryBasicBlock(from->value));
	LLVMValueRef mode = LLVMGetOperand(LLVMGetCondition(choice), 0);
	LLVMSetCurrentDebugLocation2(u->builder, NULL);
	LLVMBasicBlockRef steered = (door_can_go_on(from->value) ? copy_outside : copy_inside)(from, to, map);
	LLVMBasicBlockRef which = LLVMInsertBasicBlockInContext(u->context, from->body[0], "raddle.which");
	LLVMSetSuccessor(choice, 0, which);
	LLVMPositionBuilderAtEnd(u->builder, which);
	LLVMValueRef steer = LLVMBuildICmp(u->builder, LLVMIntEQ, mode, LLVMConstInt(u->i32, MODE_STEER, 0), "");
	unit_unlikely(u, LLVMBuildCondBr(u->builder, steer, steered, from->body[0]));
}

bool clone_body(struct function *f)
{
	struct unit *u = f->unit;
	struct vmap map = { 0 };
	bool copied = can_be_copied(f->value);
	if (copied)
		door_switch_for_goto(f->value);
	f->body_count = LLVMCountBasicBlocks(f->value);
	LLVMBasicBlockRef *blocks = malloc(sizeof(LLVMBasicBlockRef) * f->body_count);
	f->body = malloc(sizeof(LLVMBasicBlockRef) * f->body_count);
	if (!blocks || !f->body)
		abort();
	LLVMGetBasicBlocks(f->value, blocks);
	LLVMSetCurrentDebugLocation2(u->builder, NULL);     /* what goes through the builder keeps its own */
	LLVMBasicBlockRef entry = new_entry(f);
	if (copied) {
		copy_blocks(f, blocks, "raddle.recorded", &map);
		choose_body(f, entry, blocks[0], f->body[0]);
	} else {
		in_place(f, blocks);
		LLVMPositionBuilderAtEnd(u->builder, entry);
		LLVMBuildBr(u->builder, blocks[0]);
	}
	vmap_release(&map);
	free(blocks);
	return copied;
}
