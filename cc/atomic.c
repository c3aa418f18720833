/* cc/atomic.c -- atomic operations become calls of the runtime, which performs them and gives back their value.
 * In a clean body the call is guarded: native when nobody records.  Operations on floating point become what the processor makes
 * of them anyway, a loop around a compare-exchange, before anything else looks at the function (atomic_expand). */
#include <stdlib.h>
#include <string.h>

#include "cc/door.h"
#include "cc/pass.h"

struct operation {
	enum atomic_op op;
	enum mem_order order, failure;
	LLVMValueRef address, operand, expected;     /* operand, expected: NULL if it has none */
	LLVMTypeRef type;                            /* of the value in memory */
	unsigned size;
	bool weak;
	bool guard;                                  /* whether a static variable of a function is made yet */
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

/* ---- static variables of functions ---- */

static bool asks_for(LLVMValueRef call, LLVMValueRef guard, LLVMValueRef function)
{
	LLVMValueRef callee = LLVMIsACallInst(call) || LLVMIsAInvokeInst(call) ? LLVMGetCalledValue(call) : NULL;
	size_t length;
	const char *name = callee && LLVMIsAFunction(callee) ? LLVMGetValueName2(callee, &length) : "";
	return !strcmp(name, "__cxa_guard_acquire") && LLVMGetOperand(call, 0) == guard &&
		LLVMGetBasicBlockParent(LLVMGetInstructionParent(call)) == function;
}

/* Is it made yet?  The compiler looks before it asks __cxa_guard_acquire(), which would say the same.  Whoever finds it made has passed a once
 * routine that another thread ran, and is to be seen doing so: while anybody records or steers the look says no, and the question is asked. */
static bool is_look_at_guard(LLVMValueRef i)
{
	LLVMValueRef guard = LLVMIsALoadInst(i) ? LLVMGetOperand(i, 0) : NULL;
	size_t length;
	if (!guard || !LLVMIsAGlobalVariable(guard) || strncmp(LLVMGetValueName2(guard, &length), "_ZGV", 4) != 0)
		return false;
	for (LLVMUseRef use = LLVMGetFirstUse(i); use; use = LLVMGetNextUse(use)) {
		LLVMValueRef user = LLVMGetUser(use);
		if (!LLVMIsAICmpInst(user) || !LLVMIsNull(LLVMGetOperand(user, 1)) ||
			(LLVMGetICmpPredicate(user) != LLVMIntEQ && LLVMGetICmpPredicate(user) != LLVMIntNE))
			return false;
	}
	LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(i));
	for (LLVMUseRef use = LLVMGetFirstUse(guard); use; use = LLVMGetNextUse(use))
		if (asks_for(LLVMGetUser(use), guard, function))
			return true;
	return false;
}

/* ---- operations ---- */

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
	o.guard = is_look_at_guard(i);
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

/* A place for 16 bytes in the frame, with a value in it. */
static LLVMValueRef in_memory(struct unit *u, LLVMValueRef bits)
{
	LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInsertBlock(u->builder));
	LLVMTypeRef type = LLVMIntTypeInContext(u->context, 128);
	LLVMBuilderRef entry = LLVMCreateBuilderInContext(u->context);
	LLVMPositionBuilderBefore(entry, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function)));
	LLVMValueRef place = LLVMBuildAlloca(entry, type, "raddle.wide");
	LLVMDisposeBuilder(entry);
	LLVMBuildStore(u->builder, bits ? unit_bits(u, bits) : LLVMConstNull(type), place);
	return place;
}

/* 16 bytes travel through memory; *expected and the result as i128. */
static LLVMValueRef call_wide_hook(struct unit *u, const struct operation *o, LLVMValueRef how, LLVMValueRef site,
	LLVMValueRef *expected)
{
	LLVMTypeRef type, wide = LLVMIntTypeInContext(u->context, 128);
	LLVMTypeRef params[5] = { u->pointer, u->pointer, u->pointer, u->i32, u->pointer };
	LLVMValueRef operand = in_memory(u, o->operand), found = in_memory(u, o->expected);
	LLVMValueRef hook = unit_hook(u, "raddle_atomic16", u->nothing, params, 5, &type);
	*expected = o->expected ? unit_bits(u, o->expected) : NULL;
	LLVMBuildCall2(u->builder, type, hook, (LLVMValueRef[]){ o->address, operand, found, how, site }, 5, "");
	return LLVMBuildLoad2(u->builder, wide, found, "");
}

/* Calls the hook at the builder's place; the value to put in place of the instruction, or NULL for a store or fence. */
static LLVMValueRef call_hook(struct unit *u, LLVMValueRef i, const struct operation *o, LLVMValueRef site)
{
	LLVMTypeRef type;
	LLVMValueRef how = how_constant(u, o), zero = unit_number(u, 0);
	if (o->guard)
		return LLVMConstNull(o->type);
	if (o->op == AOP_FENCE) {
		LLVMTypeRef params[2] = { u->i32, u->pointer };
		LLVMValueRef hook = unit_hook(u, "raddle_fence", u->nothing, params, 2, &type);
		LLVMBuildCall2(u->builder, type, hook, (LLVMValueRef[]){ how, site }, 2, "");
		return NULL;
	}
	LLVMValueRef expected, old;
	bool weak = o->weak && o->size <= 8;
	if (o->size > 8) {
		old = call_wide_hook(u, o, how, site, &expected);
	} else {
		LLVMTypeRef params[5] = { u->pointer, u->i64, u->i64, u->i32, u->pointer };
		LLVMTypeRef both = LLVMStructTypeInContext(u->context, (LLVMTypeRef[]){ u->i64, u->i64 }, 2, 0);
		LLVMValueRef hook = weak ? unit_hook(u, "raddle_weak_cas", both, params, 5, &type) :
			unit_hook(u, "raddle_atomic", u->i64, params, 5, &type);
		expected = o->expected ? unit_bits(u, o->expected) : zero;
		LLVMValueRef args[5] = { o->address, o->operand ? unit_bits(u, o->operand) : zero, expected, how, site };
		old = LLVMBuildCall2(u->builder, type, hook, args, 5, "");
	}
	if (o->op == AOP_STORE)
		return NULL;
	LLVMValueRef swapped = NULL;
	if (weak) {
		swapped = LLVMBuildExtractValue(u->builder, old, 1, "");
		old = LLVMBuildExtractValue(u->builder, old, 0, "");
	}
	LLVMValueRef value = unit_unbits(u, old, o->type);
	if (o->op != AOP_CAS)
		return value;
	LLVMValueRef pair = LLVMBuildInsertValue(u->builder, LLVMGetPoison(LLVMTypeOf(i)), value, 0, "");
	LLVMValueRef same = swapped ? LLVMBuildICmp(u->builder, LLVMIntNE, swapped, zero, "") :
		LLVMBuildICmp(u->builder, LLVMIntEQ, old, expected, "");
	return LLVMBuildInsertValue(u->builder, pair, same, 1, "");
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

/* ---- floating point ---- */

static bool is_float_operation(LLVMValueRef i)
{
	if (!LLVMIsAAtomicRMWInst(i))
		return false;
	enum atomic_op op = rmw_of(LLVMGetAtomicRMWBinOp(i));
	return op >= AOP_FADD && op <= AOP_FMIN;
}

static LLVMValueRef build_float(struct unit *u, LLVMAtomicRMWBinOp op, LLVMValueRef old, LLVMValueRef operand)
{
	if (op == LLVMAtomicRMWBinOpFAdd)
		return LLVMBuildFAdd(u->builder, old, operand, "");
	if (op == LLVMAtomicRMWBinOpFSub)
		return LLVMBuildFSub(u->builder, old, operand, "");
	const char *name = op == LLVMAtomicRMWBinOpFMax ? "llvm.maxnum" : "llvm.minnum";
	LLVMTypeRef type = LLVMTypeOf(old);
	unsigned id = LLVMLookupIntrinsicID(name, 11);
	LLVMValueRef function = LLVMGetIntrinsicDeclaration(u->module, id, &type, 1);
	return LLVMBuildCall2(u->builder, LLVMIntrinsicGetType(u->context, id, &type, 1), function, (LLVMValueRef[]){ old, operand }, 2, "");
}

/* old = *p; do new = old op x; while (!compare_exchange(p, &old, new)); */
static void expand_float(struct unit *u, LLVMValueRef i)
{
	LLVMValueRef address = LLVMGetOperand(i, 0), operand = LLVMGetOperand(i, 1);
	LLVMTypeRef type = LLVMTypeOf(i);
	unsigned size = (unsigned)LLVMStoreSizeOfType(u->layout, type);
	LLVMTypeRef bits = LLVMIntTypeInContext(u->context, 8 * size);
	LLVMAtomicOrdering order = LLVMGetOrdering(i), failure = order;
	LLVMValueRef site = LLVMGetMetadata(i, u->site_kind);
	if (failure == LLVMAtomicOrderingRelease)
		failure = LLVMAtomicOrderingMonotonic;
	if (failure == LLVMAtomicOrderingAcquireRelease)
		failure = LLVMAtomicOrderingAcquire;
	LLVMBasicBlockRef head = LLVMGetInstructionParent(i), rest = door_split_before(i);
	LLVMBasicBlockRef loop = LLVMInsertBasicBlockInContext(u->context, rest, "raddle.float");
	LLVMValueRef jump = LLVMGetBasicBlockTerminator(head);
	LLVMPositionBuilderBefore(u->builder, jump);
	LLVMSetCurrentDebugLocation2(u->builder, LLVMInstructionGetDebugLoc(i));
	LLVMValueRef first = LLVMBuildLoad2(u->builder, bits, address, "");
	LLVMSetOrdering(first, LLVMAtomicOrderingMonotonic);
	LLVMSetAlignment(first, size);
	LLVMBuildBr(u->builder, loop);
	LLVMInstructionEraseFromParent(jump);
	LLVMPositionBuilderAtEnd(u->builder, loop);
	LLVMSetCurrentDebugLocation2(u->builder, LLVMInstructionGetDebugLoc(i));
	LLVMValueRef old = LLVMBuildPhi(u->builder, bits, "");
	LLVMValueRef before = LLVMBuildBitCast(u->builder, old, type, "");
	LLVMValueRef after = LLVMBuildBitCast(u->builder, build_float(u, LLVMGetAtomicRMWBinOp(i), before, operand), bits, "");
	LLVMValueRef pair = LLVMBuildAtomicCmpXchg(u->builder, address, old, after, order, failure, 0);
	LLVMValueRef found = LLVMBuildExtractValue(u->builder, pair, 0, "");
	LLVMBuildCondBr(u->builder, LLVMBuildExtractValue(u->builder, pair, 1, ""), rest, loop);
	LLVMAddIncoming(old, (LLVMValueRef[]){ first, found }, (LLVMBasicBlockRef[]){ head, loop }, 2);
	if (site) {
		LLVMSetMetadata(first, u->site_kind, site);
		LLVMSetMetadata(pair, u->site_kind, site);
	}
	LLVMReplaceAllUsesWith(i, before);
	LLVMInstructionEraseFromParent(i);
}

void atomic_expand(struct unit *u, LLVMValueRef function)
{
	for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
		for (LLVMValueRef in = LLVMGetFirstInstruction(b), next; in; in = next) {
			next = LLVMGetNextInstruction(in);
			if (is_float_operation(in)) {
				expand_float(u, in);
				break;                   /* what followed is in a block of its own, still to come */
			}
		}
}
