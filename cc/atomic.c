/* cc/atomic.c -- atomic operations become calls of the runtime, which performs them and gives back their value.
 * In a clean body the call is guarded: native when nobody records.  Operations wider than a register, and those on floating
 * point, stay native and are bracketed by raddle_wide_begin/end. */
#include <stdlib.h>

#include "cc/door.h"
#include "cc/pass.h"

struct operation {
	enum atomic_op op;
	enum mem_order order, failure;
	LLVMValueRef address, operand, expected;     /* operand, expected: NULL if it has none */
	LLVMTypeRef type;                            /* of the value in memory */
	unsigned size;
	bool weak, wide;
};

bool atomic_is(LLVMValueRef i)
{
	if (LLVMIsAAtomicRMWInst(i) || LLVMIsAAtomicCmpXchgInst(i) || LLVMIsAFenceInst(i))
		return !LLVMIsAtomicSingleThread(i);
	return (LLVMIsALoadInst(i) || LLVMIsAStoreInst(i)) && LLVMGetOrdering(i) != LLVMAtomicOrderingNotAtomic;
}

static enum mem_order order_of(LLVMAtomicOrdering order)
{
	switch (order) {
	case LLVMAtomicOrderingAcquire: return ORDER_ACQUIRE;
	case LLVMAtomicOrderingRelease: return ORDER_RELEASE;
	case LLVMAtomicOrderingAcquireRelease: return ORDER_ACQ_REL;
	case LLVMAtomicOrderingSequentiallyConsistent: return ORDER_SEQ_CST;
	default: return ORDER_RELAXED;
	}
}

static enum atomic_op rmw_of(LLVMAtomicRMWBinOp op)
{
	switch (op) {
	case LLVMAtomicRMWBinOpXchg: return AOP_XCHG;
	case LLVMAtomicRMWBinOpAdd:  return AOP_ADD;
	case LLVMAtomicRMWBinOpSub:  return AOP_SUB;
	case LLVMAtomicRMWBinOpAnd:  return AOP_AND;
	case LLVMAtomicRMWBinOpNand: return AOP_NAND;
	case LLVMAtomicRMWBinOpOr:   return AOP_OR;
	case LLVMAtomicRMWBinOpXor:  return AOP_XOR;
	case LLVMAtomicRMWBinOpMax:  return AOP_MAX;
	case LLVMAtomicRMWBinOpMin:  return AOP_MIN;
	case LLVMAtomicRMWBinOpUMax: return AOP_UMAX;
	case LLVMAtomicRMWBinOpUMin: return AOP_UMIN;
	case LLVMAtomicRMWBinOpFAdd: return AOP_FADD;
	case LLVMAtomicRMWBinOpFSub: return AOP_FSUB;
	case LLVMAtomicRMWBinOpFMax: return AOP_FMAX;
	case LLVMAtomicRMWBinOpFMin: return AOP_FMIN;
	case LLVMAtomicRMWBinOpUIncWrap: return AOP_UINC_WRAP;
	case LLVMAtomicRMWBinOpUDecWrap: return AOP_UDEC_WRAP;
	}
	return AOP_XCHG;
}

static struct operation decode(struct unit *u, LLVMValueRef i)
{
	struct operation o = { .op = AOP_FENCE };
	if (LLVMIsAFenceInst(i)) {
		o.order = order_of(LLVMGetOrdering(i));
		return o;
	}
	if (LLVMIsALoadInst(i)) {
		o = (struct operation){ .op = AOP_LOAD, .address = LLVMGetOperand(i, 0), .type = LLVMTypeOf(i) };
	} else if (LLVMIsAStoreInst(i)) {
		o = (struct operation){ .op = AOP_STORE, .address = LLVMGetOperand(i, 1), .operand = LLVMGetOperand(i, 0) };
		o.type = LLVMTypeOf(o.operand);
	} else if (LLVMIsAAtomicRMWInst(i)) {
		o = (struct operation){ .op = rmw_of(LLVMGetAtomicRMWBinOp(i)), .address = LLVMGetOperand(i, 0),
			.operand = LLVMGetOperand(i, 1), .type = LLVMTypeOf(i) };
	} else {
		o = (struct operation){ .op = AOP_CAS, .address = LLVMGetOperand(i, 0), .expected = LLVMGetOperand(i, 1),
			.operand = LLVMGetOperand(i, 2), .weak = LLVMGetWeak(i) };
		o.type = LLVMTypeOf(o.operand);
		o.order = order_of(LLVMGetCmpXchgSuccessOrdering(i));
		o.failure = order_of(LLVMGetCmpXchgFailureOrdering(i));
	}
	if (o.op != AOP_CAS)
		o.order = order_of(LLVMGetOrdering(i));
	o.size = (unsigned)LLVMStoreSizeOfType(u->layout, o.type);
	o.wide = o.size > 8 || (o.size & (o.size - 1)) || (o.op >= AOP_FADD && o.op <= AOP_FMIN);
	return o;
}

LLVMValueRef atomic_site(struct function *f, LLVMValueRef i)
{
	struct unit *u = f->unit;
	struct operation operation = decode(u, i), *o = &operation;
	struct bytes d = { 0 };
	bytes_varint(&d, SITE_ATOMIC);
	bytes_varint(&d, f->index);
	bytes_varint(&d, 0);
	bytes_varint(&d, o->op);
	bytes_varint(&d, o->size);
	bytes_varint(&d, o->order);
	bytes_varint(&d, o->failure);
	bytes_varint(&d, o->weak);
	bytes_varint(&d, site_ordinal(u, i));
	bytes_varint(&d, table_place(u->table, i));
	bytes_varint(&d, o->address ? site_name(u, o->address) : 0);
	LLVMValueRef site = table_descriptor(u->table, &d);
	free(d.at);
	return site;
}

static LLVMValueRef how_constant(struct unit *u, const struct operation *o)
{
	unsigned log2size = 0;
	while ((1u << log2size) < o->size)
		log2size++;
	return LLVMConstInt(u->i32, HOW(o->op, log2size, o->order, o->failure, o->weak), 0);
}

/* Calls the hook at the builder's place; the value to put in place of the instruction, or NULL for a store or fence. */
static LLVMValueRef call_hook(struct unit *u, LLVMValueRef i, const struct operation *o, LLVMValueRef site)
{
	LLVMTypeRef type;
	LLVMValueRef how = how_constant(u, o), zero = unit_number(u, 0);
	if (o->op == AOP_FENCE) {
		LLVMTypeRef params[2] = { u->i32, u->pointer };
		LLVMValueRef hook = unit_hook(u, "raddle_fence", u->nothing, params, 2, &type);
		LLVMBuildCall2(u->builder, type, hook, (LLVMValueRef[]){ how, site }, 2, "");
		return NULL;
	}
	LLVMTypeRef params[5] = { u->pointer, u->i64, u->i64, u->i32, u->pointer };
	LLVMValueRef hook = unit_hook(u, "raddle_atomic", u->i64, params, 5, &type);
	LLVMValueRef expected = o->expected ? unit_bits(u, o->expected) : zero;
	LLVMValueRef args[5] = { o->address, o->operand ? unit_bits(u, o->operand) : zero, expected, how, site };
	LLVMValueRef old = LLVMBuildCall2(u->builder, type, hook, args, 5, "");
	if (o->op == AOP_STORE)
		return NULL;
	LLVMValueRef value = unit_unbits(u, old, o->type);
	if (o->op != AOP_CAS)
		return value;
	LLVMValueRef pair = LLVMBuildInsertValue(u->builder, LLVMGetPoison(LLVMTypeOf(i)), value, 0, "");
	LLVMValueRef same = LLVMBuildICmp(u->builder, LLVMIntEQ, old, expected, "");
	return LLVMBuildInsertValue(u->builder, pair, same, 1, "");
}

static void bracket(struct unit *u, LLVMValueRef i, const struct operation *o, LLVMValueRef site)
{
	LLVMTypeRef type, begin_params[3] = { u->pointer, u->i32, u->pointer };
	LLVMTypeRef end_params[5] = { u->pointer, u->pointer, u->pointer, u->i32, u->pointer };
	LLVMValueRef how = how_constant(u, o), null = LLVMConstNull(u->pointer);
	unit_before(u, i);
	LLVMValueRef hook = unit_hook(u, "raddle_wide_begin", u->nothing, begin_params, 3, &type);
	LLVMBuildCall2(u->builder, type, hook, (LLVMValueRef[]){ o->address, how, site }, 3, "");
	unit_after(u, i);
	hook = unit_hook(u, "raddle_wide_end", u->nothing, end_params, 5, &type);
	LLVMBuildCall2(u->builder, type, hook, (LLVMValueRef[]){ o->address, null, null, how, site }, 5, "");
}

/* if (mode) new = hook(); else old = native;  the rest sees one value. */
static void replace_guarded(struct unit *u, LLVMValueRef i, const struct operation *o, LLVMValueRef site)
{
	LLVMBasicBlockRef head = LLVMGetInstructionParent(i);
	LLVMBasicBlockRef native = door_split_before(i);
	LLVMBasicBlockRef rest = door_split_before(LLVMGetNextInstruction(i));
	LLVMBasicBlockRef hooked = LLVMInsertBasicBlockInContext(u->context, rest, "raddle.atomic");
	LLVMValueRef jump = LLVMGetBasicBlockTerminator(head);
	LLVMPositionBuilderBefore(u->builder, jump);
	LLVMSetCurrentDebugLocation2(u->builder, LLVMInstructionGetDebugLoc(i));
	LLVMValueRef mode = LLVMBuildLoad2(u->builder, u->i32, unit_tls(u, TLS_MODE), "");
	LLVMValueRef off = LLVMBuildICmp(u->builder, LLVMIntEQ, mode, LLVMConstInt(u->i32, MODE_OFF, 0), "");
	LLVMBuildCondBr(u->builder, off, native, hooked);
	LLVMInstructionEraseFromParent(jump);
	LLVMPositionBuilderAtEnd(u->builder, hooked);
	LLVMSetCurrentDebugLocation2(u->builder, LLVMInstructionGetDebugLoc(i));
	LLVMValueRef value = call_hook(u, i, o, site);
	LLVMBuildBr(u->builder, rest);
	if (!value)
		return;
	LLVMPositionBuilderBefore(u->builder, LLVMGetFirstInstruction(rest));
	LLVMValueRef phi = LLVMBuildPhi(u->builder, LLVMTypeOf(i), "");
	LLVMReplaceAllUsesWith(i, phi);
	LLVMAddIncoming(phi, (LLVMValueRef[]){ i, value }, (LLVMBasicBlockRef[]){ native, hooked }, 2);
}

void atomic_replace(struct function *f, LLVMValueRef i, LLVMValueRef site, bool guarded)
{
	struct unit *u = f->unit;
	struct operation o = decode(u, i);
	if (o.op != AOP_FENCE && o.wide) {
		bracket(u, i, &o, site);
		return;
	}
	if (guarded) {
		replace_guarded(u, i, &o, site);
		return;
	}
	unit_before(u, i);
	LLVMValueRef value = call_hook(u, i, &o, site);
	if (value)
		LLVMReplaceAllUsesWith(i, value);
	LLVMInstructionEraseFromParent(i);
}
