/* model/read_value.c -- constants, steps from pointer to pointer, and what globals hold at first. */
#include <string.h>

#include "model/read_inside.h"

#define DEPTH_MAX 200                           /* of a constant inside a constant */

uint32_t read_new(struct reading *r, LLVMValueRef value, uint8_t op, uint32_t function)
{
	uint32_t index = (uint32_t)r->code->values.count;
	struct value *v = vec_add(&r->code->values);
	*v = (struct value){ .op = op, .function = function, .block = NONE, .ordinal = NONE };
	if (value)
		*map_put(&r->values, (uint64_t)(uintptr_t)value, NULL) = index;
	return index;
}

static uint64_t greatest_common(uint64_t a, uint64_t b)
{
	while (b) {
		uint64_t rest = a % b;
		a = b;
		b = rest;
	}
	return a;
}

static bool is_small(LLVMValueRef constant)
{
	return LL(LLVMIsAConstantInt)(constant) && LL(LLVMGetIntTypeWidth)(LL(LLVMTypeOf)(constant)) <= 64;
}

/* One index of a GEP: how far it goes, or in what strides.  The type it leads to; NULL: nowhere known. */
static LLVMTypeRef one_step(struct reading *r, LLVMTypeRef type, LLVMValueRef index, int64_t *distance, uint64_t *stride)
{
	LLVMTypeKind kind = LL(LLVMGetTypeKind)(type);
	if (kind == LLVMStructTypeKind) {
		if (!is_small(index))
			return NULL;
		unsigned field = (unsigned)LL(LLVMConstIntGetSExtValue)(index);
		if (field >= LL(LLVMCountStructElementTypes)(type))
			return NULL;
		*distance += (int64_t)LL(LLVMOffsetOfElement)(r->layout, type, field);
		return LL(LLVMStructGetTypeAtIndex)(type, field);
	}
	if (kind != LLVMArrayTypeKind && kind != LLVMVectorTypeKind)
		return NULL;
	LLVMTypeRef element = LL(LLVMGetElementType)(type);
	uint64_t size = read_size(r, element);
	if (is_small(index))
		*distance += LL(LLVMConstIntGetSExtValue)(index) * (int64_t)size;
	else
		*stride = greatest_common(*stride, size ? size : 1);
	return element;
}

static void steps_of(struct reading *r, LLVMValueRef gep, struct value *v)
{
	LLVMTypeRef type = LL(LLVMGetGEPSourceElementType)(gep);
	unsigned count = (unsigned)LL(LLVMGetNumOperands)(gep);
	uint64_t stride = 0, size = read_size(r, type);
	int64_t distance = 0;
	for (unsigned i = 1; type && i < count; i++) {
		LLVMValueRef index = LL(LLVMGetOperand)(gep, i);
		if (i > 1)
			type = one_step(r, type, index, &distance, &stride);
		else if (is_small(index))
			distance += LL(LLVMConstIntGetSExtValue)(index) * (int64_t)size;
		else
			stride = greatest_common(stride, size ? size : 1);
	}
	v->number = distance;
	v->bytes = !type ? 1 : stride > UINT32_MAX ? 1 : (uint32_t)stride;
}

void read_operands(struct reading *r, uint32_t into, const LLVMValueRef *from, unsigned count)
{
	uint32_t *found = mem_take((count + 1) * sizeof *found);
	for (unsigned i = 0; i < count; i++)
		found[i] = read_operand(r, from[i]);
	struct value *v = &r->code->values.at[into];
	v->operand_at = (uint32_t)r->code->operands.count;
	v->operand_count = count;
	for (unsigned i = 0; i < count; i++)
		vec_push(&r->code->operands, found[i]);
	mem_free(found);
}

static void all_operands(struct reading *r, uint32_t into, LLVMValueRef value)
{
	unsigned count = (unsigned)LL(LLVMGetNumOperands)(value);
	LLVMValueRef *all = mem_take((count + 1) * sizeof *all);
	for (unsigned i = 0; i < count; i++)
		all[i] = LL(LLVMGetOperand)(value, i);
	read_operands(r, into, all, count);
	mem_free(all);
}

void read_step(struct reading *r, LLVMValueRef gep, uint32_t into)
{
	all_operands(r, into, gep);
	steps_of(r, gep, &r->code->values.at[into]);
}

static bool points_nowhere(LLVMValueRef v)
{
	return !LL(LLVMIsAConstantExpr)(v) && !LL(LLVMIsAConstantArray)(v) && !LL(LLVMIsAConstantStruct)(v) && !LL(LLVMIsAConstantVector)(v) &&
		!LL(LLVMIsAGlobalIFunc)(v);
}

static uint32_t enter_constant(struct reading *r, LLVMValueRef value)
{
	bool expression = LL(LLVMIsAConstantExpr)(value) != NULL;
	if (LL(LLVMIsAGlobalIFunc)(value))
		return read_new(r, value, OP_UNKNOWN, NONE);
	LLVMOpcode opcode = expression ? LL(LLVMGetConstOpcode)(value) : (LLVMOpcode)0;
	bool moved = opcode == LLVMPtrToInt || opcode == LLVMIntToPtr || opcode == LLVMBitCast || opcode == LLVMAddrSpaceCast ||
		opcode == LLVMTrunc || !expression;
	uint32_t index = read_new(r, value, opcode == LLVMGetElementPtr ? OP_STEP : moved ? OP_SAME : OP_MIX, NONE);
	if (opcode == LLVMGetElementPtr)
		read_step(r, value, index);
	else
		all_operands(r, index, value);
	return index;
}

uint32_t read_operand(struct reading *r, LLVMValueRef value)
{
	static unsigned depth;
	uint64_t *known = map_get(&r->values, (uint64_t)(uintptr_t)value);
	if (known)
		return (uint32_t)*known;
	if (!LL(LLVMIsConstant)(value) || points_nowhere(value))
		return 0;
	if (depth > DEPTH_MAX)
		return read_new(r, NULL, OP_UNKNOWN, NONE);
	depth++;
	uint32_t index = enter_constant(r, value);
	depth--;
	return index;
}

static void init_parts(struct reading *r, uint32_t global, LLVMValueRef constant, uint64_t offset)
{
	LLVMTypeRef type = LL(LLVMTypeOf)(constant);
	unsigned count = (unsigned)LL(LLVMGetNumOperands)(constant);
	bool structure = LL(LLVMGetTypeKind)(type) == LLVMStructTypeKind;
	uint64_t size = structure ? 0 : read_size(r, LL(LLVMGetElementType)(type));
	for (unsigned i = 0; i < count; i++)
		read_init(r, global, LL(LLVMGetOperand)(constant, i),
			offset + (structure ? LL(LLVMOffsetOfElement)(r->layout, type, i) : i * size));
}

void read_init(struct reading *r, uint32_t global, LLVMValueRef constant, uint64_t offset)
{
	if (LL(LLVMIsAConstantArray)(constant) || LL(LLVMIsAConstantStruct)(constant) || LL(LLVMIsAConstantVector)(constant)) {
		init_parts(r, global, constant, offset);
		return;
	}
	uint32_t value = read_operand(r, constant);
	if (value)
		vec_push(&r->code->inits, ((struct init){ global, value, offset }));
}
