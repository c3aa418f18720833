/* cc/access.c -- one plain access: what it touches, and how little of it a record must say.
 *   address   base + variable * scale + offset; not kept when it lies at a fixed distance from another one of the group, from
 *             a value just read, or from a global;
 *   value     not kept when it is a constant, the same as one kept already, or of a shape that has no bits. */
#include <stdlib.h>
#include <string.h>

#include "cc/door.h"
#include "cc/group.h"

/* ---------------------------------------------------------------- addresses */

/* Adds the constant part of a step; true if all but at most one index is constant. */
static bool take_apart_step(struct unit *u, LLVMValueRef gep, struct address *a)
{
	LLVMTypeRef type = LLVMGetGEPSourceElementType(gep);
	unsigned count = (unsigned)LLVMGetNumOperands(gep);
	struct address result = *a;
	for (unsigned i = 1; i < count; i++) {
		LLVMValueRef index = LLVMGetOperand(gep, i);
		bool constant = LLVMIsAConstantInt(index);
		if (LLVMGetTypeKind(LLVMTypeOf(index)) == LLVMVectorTypeKind)
			return false;
		if (i > 1 && LLVMGetTypeKind(type) == LLVMStructTypeKind) {
			unsigned field = (unsigned)LLVMConstIntGetZExtValue(index);
			result.offset += (int64_t)LLVMOffsetOfElement(u->layout, type, field);
			type = LLVMStructGetTypeAtIndex(type, field);
			continue;
		}
		if (i > 1)
			type = LLVMGetElementType(type);
		int64_t scale = (int64_t)LLVMABISizeOfType(u->layout, type);
		if (constant) {
			result.offset += scale * LLVMConstIntGetSExtValue(index);
		} else if (!result.variable && LLVMTypeOf(index) == u->i64) {
			result.variable = index;
			result.scale = scale;
		} else {
			return false;
		}
	}
	*a = result;
	return true;
}

static bool is_step(LLVMValueRef pointer)
{
	return LLVMIsAGetElementPtrInst(pointer) ||
		(LLVMIsAConstantExpr(pointer) && LLVMGetConstOpcode(pointer) == LLVMGetElementPtr);
}

static struct address take_apart(struct unit *u, LLVMValueRef pointer)
{
	struct address a = { .base = pointer };
	while (is_step(a.base) && take_apart_step(u, a.base, &a))
		a.base = LLVMGetOperand(a.base, 0);
	while (a.variable && LLVMIsABinaryOperator(a.variable) && LLVMIsAConstantInt(LLVMGetOperand(a.variable, 1))) {
		LLVMOpcode op = LLVMGetInstructionOpcode(a.variable);
		if (op != LLVMAdd && !(op == LLVMOr && LLVMGetIsDisjoint(a.variable)))
			break;
		a.offset += a.scale * LLVMConstIntGetSExtValue(LLVMGetOperand(a.variable, 1));
		a.variable = LLVMGetOperand(a.variable, 0);
	}
	return a;
}
/* ---------------------------------------------------------------- sizes and values */

unsigned power_of_two(unsigned size)
{
	unsigned power = 1;
	while (power < size)
		power *= 2;
	return power;
}

static bool plain_type(LLVMTypeRef type)
{
	switch (LLVMGetTypeKind(type)) {
	case LLVMIntegerTypeKind:
		return LLVMGetIntTypeWidth(type) <= 64 || LLVMGetIntTypeWidth(type) == 128;
	case LLVMPointerTypeKind:
	case LLVMHalfTypeKind:
	case LLVMBFloatTypeKind:
	case LLVMFloatTypeKind:
	case LLVMDoubleTypeKind:
	case LLVMX86_FP80TypeKind:
	case LLVMFP128TypeKind:
		return true;
	default:
		return false;
	}
}

/* Fills in sizes; value_mode V_NONE when the value cannot be kept. */
static void measure(struct unit *u, struct access *a)
{
	LLVMTypeRef type = LLVMTypeOf(a->value);
	a->size = a->element = (unsigned)LLVMStoreSizeOfType(u->layout, type);
	a->value_mode = V_NONE;
	if (LLVMGetTypeKind(type) == LLVMVectorTypeKind) {
		LLVMTypeRef element = LLVMGetElementType(type);
		unsigned bytes = (unsigned)LLVMStoreSizeOfType(u->layout, element);
		bool whole = plain_type(element) && bytes <= 16 && bytes * LLVMGetVectorSize(type) == a->size &&
			LLVMSizeOfTypeInBits(u->layout, element) == 8ull * bytes;
		if (whole && a->size <= 64) {
			a->vector = true;
			a->element = bytes;
			a->value_mode = V_SLOT;
		}
	} else if (plain_type(type)) {
		a->value_mode = V_SLOT;
	}
	a->slot_size = power_of_two(a->size);
}

static bool constant_bits(struct unit *u, LLVMValueRef value, uint64_t *bits)
{
	LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(value));
	if (LLVMIsAConstantInt(value) && LLVMGetIntTypeWidth(LLVMTypeOf(value)) <= 64) {
		*bits = LLVMConstIntGetZExtValue(value);
		return true;
	}
	if (LLVMIsAConstantPointerNull(value) || (LLVMIsNull(value) && (kind == LLVMFloatTypeKind || kind == LLVMDoubleTypeKind))) {
		*bits = 0;
		return true;
	}
	if (LLVMIsAConstantFP(value) && (kind == LLVMFloatTypeKind || kind == LLVMDoubleTypeKind)) {
		LLVMValueRef as_int = LLVMConstBitCast(value, kind == LLVMFloatTypeKind ? u->i32 : u->i64);
		if (LLVMIsAConstantInt(as_int)) {
			*bits = LLVMConstIntGetZExtValue(as_int);
			return true;
		}
	}
	return false;
}

static void choose_value(struct unit *u, struct group *g, struct access *a)
{
	if (a->value_mode == V_NONE)
		return;
	if (LLVMIsUndef(a->value) || LLVMIsPoison(a->value)) {
		a->value_mode = V_NONE;
		return;
	}
	if (u->full && a->write && fault_can_replace(u, a->value))
		return;                                 /* this use of it may be replaced */
	if (!a->vector && constant_bits(u, a->value, &a->bits)) {
		a->value_mode = V_CONST;
		return;
	}
	for (unsigned i = 0; i < g->count; i++)
		if (g->access[i].value == a->value && g->access[i].value_mode == V_SLOT) {
			a->value_mode = V_SAME;
			a->same = i;
			return;
		}
}

/* Level full: whatever an address is computed from may be replaced, so only the very same value stands for it. */
static void choose_same_address(struct group *g, struct access *a)
{
	for (unsigned i = g->count; i-- > 0;) {
		const struct access *e = &g->access[i];
		bool value = !e->write && e->value == a->pointer && e->value_mode == V_SLOT;
		if (!value && (e->result || e->pointer != a->pointer))
			continue;
		a->address_mode = value ? A_VALUE : A_NEAR;
		a->near = i;
		a->distance = 0;
		return;
	}
}

static void choose_address(struct unit *u, struct group *g, struct access *a)
{
	LLVMValueRef base = a->address.base;
	a->address_mode = A_SLOT;
	if (!a->address.variable && LLVMIsAGlobalVariable(base) && !LLVMIsThreadLocal(base) && door_is_dso_local(base) &&
		(!u->full || LLVMIsConstant(a->pointer))) {
		a->address_mode = A_GLOBAL;
		a->distance = a->address.offset;
		return;
	}
	if (u->full) {
		choose_same_address(g, a);
		return;
	}
	for (unsigned i = g->count; i-- > 0;) {
		const struct access *e = &g->access[i];
		if (e->address.base == base && e->address.variable == a->address.variable && e->address.scale == a->address.scale) {
			a->address_mode = A_NEAR;
			a->near = i;
			a->distance = a->address.offset - e->address.offset;
			return;
		}
		if (!a->address.variable && e->value == base && e->value_mode == V_SLOT && e->size == 8) {
			a->address_mode = A_VALUE;
			a->near = i;
			a->distance = a->address.offset;
			return;
		}
	}
}

/* ---------------------------------------------------------------- the access */

bool access_is(struct unit *u, LLVMValueRef in, struct access *a)
{
	bool load = LLVMIsALoadInst(in), store = LLVMIsAStoreInst(in);
	if ((!load && !store) || atomic_is(in))
		return false;
	memset(a, 0, sizeof *a);
	a->in = in;
	a->write = store;
	a->pointer = LLVMGetOperand(in, store ? 1 : 0);
	a->value = store ? LLVMGetOperand(in, 0) : in;
	a->is_volatile = LLVMGetVolatile(in);
	if (LLVMGetPointerAddressSpace(LLVMTypeOf(a->pointer)) != 0 || filter_is_private(a->pointer))
		return false;
	measure(u, a);
	return a->size > 0 && a->size <= 64;
}

/* What has an event of its own already, or nothing to say. */
static bool has_own_event(LLVMValueRef in)
{
	return LLVMIsALoadInst(in) || LLVMIsAStoreInst(in) || LLVMIsAAllocaInst(in) || LLVMIsALandingPadInst(in) || LLVMIsATerminatorInst(in) ||
		atomic_is(in);
}

static bool value_is(struct unit *u, LLVMValueRef in, LLVMValueRef value, struct access *a)
{
	LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(value));
	memset(a, 0, sizeof *a);
	if (kind != LLVMVectorTypeKind && !plain_type(LLVMTypeOf(value)))
		return false;
	a->in = in;
	a->value = value;
	a->result = true;
	measure(u, a);
	return a->value_mode == V_SLOT && a->size <= 64;
}

bool result_is(struct unit *u, LLVMValueRef in, struct access *a)
{
	return u->full && !has_own_event(in) && LLVMGetFirstUse(in) && LLVMGetMetadata(in, u->number_kind) && value_is(u, in, in, a);
}

bool argument_is(struct unit *u, LLVMValueRef call, unsigned index, struct access *a)
{
	LLVMValueRef value = LLVMGetOperand(call, index);
	if (!u->full || !LLVMGetMetadata(call, u->number_kind) || LLVMIsUndef(value) || LLVMIsPoison(value) || LLVMIsAConstantTokenNone(value))
		return false;
	if (!value_is(u, call, value, a))
		return false;
	a->write = true;
	a->argument = index;
	return true;
}

void access_add(struct unit *u, struct group *g, struct access *a)
{
	g->access = realloc(g->access, (g->count + 1) * sizeof *g->access);
	if (!g->access)
		abort();
	if (!a->result) {
		a->address = take_apart(u, a->pointer);
		choose_address(u, g, a);
	}
	choose_value(u, g, a);
	g->budget += (a->address_mode == A_SLOT && !a->result ? 8 : 0) + (a->value_mode == V_SLOT ? (a->slot_size < 8 ? 8 : a->slot_size) : 0);
	g->access[g->count++] = *a;
	g->flags |= SITE_ACCESS;
}
