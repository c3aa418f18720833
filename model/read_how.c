/* model/read_how.c -- what an instruction computes, where it is simple: a conversion, a comparison with a constant, two truths joined. */
#include "model/read_inside.h"

unsigned read_bits(LLVMValueRef v)
{
	LLVMTypeRef type = LL(LLVMTypeOf)(v);
	LLVMTypeKind kind = LL(LLVMGetTypeKind)(type);
	return kind == LLVMPointerTypeKind ? 64 : kind == LLVMIntegerTypeKind ? LL(LLVMGetIntTypeWidth)(type) : 0;
}

bool read_constant(LLVMValueRef v, int64_t *number)
{
	bool null = LL(LLVMIsAConstantPointerNull)(v) != NULL;
	if (!null && (!LL(LLVMIsAConstantInt)(v) || read_bits(v) > 64))
		return false;
	*number = null ? 0 : LL(LLVMConstIntGetSExtValue)(v);
	return true;
}

static uint8_t compared(LLVMIntPredicate how)
{
	static const uint8_t words[] = { HOW_EQ, HOW_NE, HOW_UGT, HOW_UGE, HOW_ULT, HOW_ULE, HOW_SGT, HOW_SGE, HOW_SLT, HOW_SLE };
	return how >= LLVMIntEQ && how <= LLVMIntSLE ? words[how - LLVMIntEQ] : HOW_UNSAID;
}

static uint8_t converted(LLVMOpcode opcode)
{
	switch (opcode) {
	case LLVMTrunc:  return HOW_TRUNC;
	case LLVMZExt:   return HOW_ZERO_EXTEND;
	case LLVMSExt:   return HOW_SIGN_EXTEND;
	case LLVMFreeze: case LLVMPtrToInt: case LLVMIntToPtr: return HOW_KEEP;
	default:         return HOW_UNSAID;
	}
}

static uint8_t combined(LLVMOpcode opcode)
{
	switch (opcode) {
	case LLVMAnd: return HOW_AND;
	case LLVMOr:  return HOW_OR;
	case LLVMXor: return HOW_XOR;
	case LLVMAdd: return HOW_ADD;
	default:      return HOW_UNSAID;
	}
}

/* select a, b, false: both; select a, true, b: either */
static uint8_t joined(LLVMValueRef in, LLVMOpcode opcode)
{
	int64_t number;
	if (read_bits(in) != 1)
		return HOW_UNSAID;
	if (opcode == LLVMAnd || opcode == LLVMOr)
		return opcode == LLVMAnd ? HOW_BOTH : HOW_EITHER;
	if (opcode != LLVMSelect)
		return HOW_UNSAID;
	if (read_constant(LL(LLVMGetOperand)(in, 2), &number) && !number)
		return HOW_BOTH;
	return read_constant(LL(LLVMGetOperand)(in, 1), &number) && number ? HOW_EITHER_LAST : HOW_UNSAID;
}

void read_how(LLVMValueRef in, struct value *v)
{
	LLVMOpcode opcode = LL(LLVMGetInstructionOpcode)(in);
	if (v->op != OP_TRUTH && v->op != OP_SAME && v->op != OP_MIX)
		return;
	unsigned bits = read_bits(opcode == LLVMICmp ? LL(LLVMGetOperand)(in, 0) : in);
	uint8_t how = converted(opcode);
	int64_t number = 0;
	if (how == HOW_UNSAID && (opcode == LLVMICmp || combined(opcode)) && read_constant(LL(LLVMGetOperand)(in, 1), &number))
		how = opcode == LLVMICmp ? compared(LL(LLVMGetICmpPredicate)(in)) : combined(opcode);
	else if (how == HOW_UNSAID)
		how = joined(in, opcode);
	if (!bits || bits > 64)
		return;
	v->how = how;
	v->bytes = how ? bits : 0;
	v->number = number;
}
