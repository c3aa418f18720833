/* cc/clone.c -- three bodies for one function.
 *
 *   entry:  allocas; if (raddle_tls.mode < MODE_ACCESS) goto clean body
 *   which:  return (raddle_tls.mode == MODE_STEER ? steered function : recorded function)(same arguments)
 *
 * The clean body is the function as it was (atomics aside); it runs when nobody records, at full speed: the other two, in
 * functions of their own, take no registers and no stack from it.  The recorded body is a copy that group.c may fill with
 * records, the steered body, for steer.c, a copy of that one before it has any.  Where arguments cannot be handed on, both are in
 * the same function and share its allocas.  Coroutines cannot be copied and are recorded in place; a
 * computed goto becomes a switch before. */
#include <stdlib.h>

#include "cc/door.h"
#include "cc/pass.h"

static bool can_be_copied(LLVMValueRef function)
{
	for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b)) {
		LLVMValueRef last = LLVMGetBasicBlockTerminator(b);
		LLVMOpcode op = LLVMGetInstructionOpcode(last);
		if (op != LLVMRet && op != LLVMBr && op != LLVMSwitch && op != LLVMInvoke && op != LLVMUnreachable && op != LLVMResume &&
			op != LLVMIndirectBr && op != LLVMCallBr)
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

static LLVMBasicBlockRef *room_for(size_t count)
{
	LLVMBasicBlockRef *blocks = malloc(sizeof *blocks * (count + 1));
	if (!blocks)
		abort();
	return blocks;
}

static void note_twin(void *map, LLVMValueRef from, LLVMValueRef to)
{
	vmap_set(map, from, (uint64_t)to);
}

/* The body is all of the function but the entry with its allocas. */
static void take_body(struct function *f)
{
	LLVMBasicBlockRef block = LLVMGetEntryBasicBlock(f->value);
	f->body_count = LLVMCountBasicBlocks(f->value) - 1;
	f->body = room_for(f->body_count);
	for (size_t i = 0; i < f->body_count; i++)
		f->body[i] = block = LLVMGetNextBasicBlock(block);
}

/* A block of the program's function that goes on in f. */
static LLVMBasicBlockRef way_to(struct function *f)
{
	LLVMBasicBlockRef block = LLVMAppendBasicBlockInContext(f->unit->context, f->clean, "raddle.away");
	door_go_on_in(block, f->value);
	return block;
}

static LLVMBasicBlockRef copy_outside(struct function *f)
{
	struct unit *u = f->unit;
	struct vmap unused = { 0 };
	f->value = door_copy_function(f->clean, f->clean, RECORDED_SUFFIX, note_twin, &unused);
	vmap_release(&unused);
	LLVMBasicBlockRef first = LLVMGetEntryBasicBlock(f->value);
	LLVMPositionBuilderAtEnd(u->builder, new_entry(f));
	LLVMBuildBr(u->builder, first);
	take_body(f);
	return way_to(f);
}

static LLVMBasicBlockRef copy_inside(struct function *f, LLVMBasicBlockRef *blocks, size_t count)
{
	struct vmap map = { 0 };
	f->body_count = count;
	f->body = room_for(count);
	copy_blocks(f, blocks, "raddle.recorded", &map);
	vmap_release(&map);
	return f->body[0];
}

static void choose_body(struct unit *u, LLVMBasicBlockRef entry, LLVMBasicBlockRef clean, LLVMBasicBlockRef recorded)
{
	LLVMPositionBuilderAtEnd(u->builder, entry);
	LLVMSetCurrentDebugLocation2(u->builder, NULL);
	LLVMValueRef mode = LLVMBuildLoad2(u->builder, u->i32, unit_tls(u, TLS_MODE), "raddle.mode");
	LLVMValueRef on = LLVMBuildICmp(u->builder, LLVMIntUGE, mode, LLVMConstInt(u->i32, MODE_ACCESS, 0), "");
	LLVMBuildCondBr(u->builder, on, recorded, clean);
}

bool clone_body(struct function *f)
{
	struct unit *u = f->unit;
	bool copied = can_be_copied(f->clean);
	LLVMSetCurrentDebugLocation2(u->builder, NULL);     /* what goes through the builder keeps its own */
	if (copied)
		door_switch_for_goto(f->clean, u->full);
	size_t count = LLVMCountBasicBlocks(f->clean);
	LLVMBasicBlockRef *blocks = room_for(count), recorded = NULL;
	LLVMGetBasicBlocks(f->clean, blocks);
	if (copied && door_can_go_on(f->clean))
		recorded = copy_outside(f);
	struct function clean = { .unit = u, .value = f->clean };
	LLVMBasicBlockRef entry = new_entry(&clean);
	if (copied && !recorded)
		recorded = copy_inside(f, blocks, count);
	if (copied) {
		choose_body(u, entry, blocks[0], recorded);
	} else {
		LLVMPositionBuilderAtEnd(u->builder, entry);
		LLVMBuildBr(u->builder, blocks[0]);
		take_body(f);
	}
	free(blocks);
	return copied;
}

void clone_again(const struct function *from, struct function *to, struct vmap *map)
{
	struct unit *u = to->unit;
	LLVMValueRef choice = LLVMGetBasicBlockTerminator(LLVMGetEntryBasicBlock(from->clean));
	LLVMValueRef mode = LLVMGetOperand(LLVMGetCondition(choice), 0);
	LLVMBasicBlockRef recorded = LLVMGetSuccessor(choice, 0), steered;
	LLVMSetCurrentDebugLocation2(u->builder, NULL);
	if (from->value != from->clean) {
		to->value = door_copy_function(from->value, from->clean, STEERED_SUFFIX, note_twin, map);
		take_body(to);
		steered = way_to(to);
	} else {
		to->value = from->value;
		to->body_count = from->body_count;
		to->body = room_for(to->body_count);
		copy_blocks(to, from->body, "raddle.steered", map);
		steered = to->body[0];
	}
	LLVMBasicBlockRef which = LLVMInsertBasicBlockInContext(u->context, recorded, "raddle.which");
	LLVMSetSuccessor(choice, 0, which);
	LLVMPositionBuilderAtEnd(u->builder, which);
	LLVMValueRef steer = LLVMBuildICmp(u->builder, LLVMIntEQ, mode, LLVMConstInt(u->i32, MODE_STEER, 0), "");
	unit_unlikely(u, LLVMBuildCondBr(u->builder, steer, steered, recorded));
}
