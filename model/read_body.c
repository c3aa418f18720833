/* model/read_body.c -- the body of a function: its blocks, its instructions, its sites counted again (wire/sites.h). */
#include <string.h>

#include "model/read_inside.h"
#include "wire/sites.h"

bool read_is_named(LLVMValueRef callee, const char *prefix)
{
	size_t length;
	return LL(LLVMIsAFunction)(callee) && strncmp(LL(LLVMGetValueName2)(callee, &length), prefix, strlen(prefix)) == 0;
}

bool read_is_site(LLVMValueRef in)
{
	switch (LL(LLVMGetInstructionOpcode)(in)) {
	case LLVMLoad: case LLVMStore: case LLVMAtomicRMW: case LLVMAtomicCmpXchg: case LLVMFence: case LLVMInvoke: case LLVMCallBr: case LLVMSwitch:
		return true;
	case LLVMCall:
		return !read_is_named(LL(LLVMGetCalledValue)(in), "llvm.dbg.");
	case LLVMBr:
		return LL(LLVMIsConditional)(in);
	default:
		return false;
	}
}

static bool is_truth_type(LLVMTypeRef type)
{
	switch (LL(LLVMGetTypeKind)(type)) {
	case LLVMHalfTypeKind: case LLVMFloatTypeKind: case LLVMDoubleTypeKind: case LLVMX86_FP80TypeKind: case LLVMBFloatTypeKind:
	case LLVMFP128TypeKind:
		return true;
	case LLVMIntegerTypeKind:
		return LL(LLVMGetIntTypeWidth)(type) < 8;
	default:
		return false;
	}
}

static uint8_t computed(LLVMValueRef in)
{
	return is_truth_type(LL(LLVMTypeOf)(in)) ? OP_TRUTH : OP_MIX;
}

static uint8_t op_of(LLVMValueRef in)
{
	switch (LL(LLVMGetInstructionOpcode)(in)) {
	case LLVMAlloca:        return OP_ALLOCA;
	case LLVMLoad:          return OP_LOAD;
	case LLVMStore:         return OP_STORE;
	case LLVMAtomicRMW:     return OP_RMW;
	case LLVMAtomicCmpXchg: return OP_CAS;
	case LLVMFence:         return OP_FENCE;
	case LLVMGetElementPtr: return OP_STEP;
	case LLVMPHI:           return OP_PICK;
	case LLVMICmp: case LLVMFCmp: return OP_TRUTH;
	case LLVMCall: case LLVMInvoke: case LLVMCallBr:
		return LL(LLVMIsAInlineAsm)(LL(LLVMGetCalledValue)(in)) ? OP_ASM : OP_CALL;
	case LLVMRet:           return OP_RETURN;
	case LLVMBr:            return LL(LLVMIsConditional)(in) ? OP_BRANCH : OP_END;
	case LLVMSwitch: case LLVMIndirectBr: return OP_BRANCH;
	case LLVMResume: case LLVMUnreachable: return OP_END;
	case LLVMLandingPad: case LLVMVAArg: return OP_UNKNOWN;
	case LLVMSelect: case LLVMTrunc: case LLVMZExt: case LLVMSExt: case LLVMPtrToInt: case LLVMIntToPtr: case LLVMBitCast:
	case LLVMAddrSpaceCast: case LLVMFreeze: case LLVMExtractValue: case LLVMInsertValue: case LLVMExtractElement:
	case LLVMInsertElement: case LLVMShuffleVector:
		return OP_SAME;
	default:
		return computed(in);
	}
}

static void fill_access(struct reading *r, LLVMValueRef in, struct value *v)
{
	bool stored = v->op == OP_STORE || v->op == OP_RMW || v->op == OP_CAS;
	LLVMTypeRef type = stored ? LL(LLVMTypeOf)(LL(LLVMGetOperand)(in, v->op == OP_STORE ? 0 : 1)) : LL(LLVMTypeOf)(in);
	v->bytes = (uint32_t)LL(LLVMStoreSizeOfType)(r->layout, type);
	if (v->op == OP_RMW || v->op == OP_CAS || LL(LLVMGetOrdering)(in) != LLVMAtomicOrderingNotAtomic)
		v->flags |= VALUE_ATOMIC;
	if (LL(LLVMGetVolatile)(in))
		v->flags |= VALUE_VOLATILE;
}

/* Does control come to a phi that way? */
static bool is_come_from(const struct reading *r, LLVMValueRef phi, unsigned i)
{
	return map_get(&r->blocks, (uint64_t)(uintptr_t)LL(LLVMGetIncomingBlock)(phi, i)) != NULL;
}

/* Control comes from the last of the blocks that one of LLVM's became. */
static void fill_from(struct reading *r, LLVMValueRef in, uint32_t index)
{
	struct code *c = r->code;
	c->values.at[index].number = (int64_t)c->from.count;
	for (unsigned i = 0; i < LL(LLVMCountIncoming)(in); i++) {
		LLVMValueRef last = LL(LLVMGetBasicBlockTerminator)(LL(LLVMGetIncomingBlock)(in, i));
		if (!is_come_from(r, in, i))
			continue;
		struct brought brings;
		memset(&brings, 0, sizeof brings);      /* padding too: it is handed over as bytes */
		if (read_constant(LL(LLVMGetIncomingValue)(in, i), &brings.number))
			brings.bits = read_bits(LL(LLVMGetIncomingValue)(in, i));
		vec_push(&c->brings, brings);
		vec_push(&c->from, c->values.at[*map_get(&r->values, (uint64_t)(uintptr_t)last)].block);
	}
}

/* The numbers a switch looks for, one for each successor behind the first, which takes all others. */
static void fill_cases(struct reading *r, LLVMValueRef in, uint32_t index)
{
	struct code *c = r->code;
	struct value *v = &c->values.at[index];
	unsigned bits = LL(LLVMGetIntTypeWidth)(LL(LLVMTypeOf)(LL(LLVMGetOperand)(in, 0)));
	if (bits > 64 || (r->lifted && LL(LLVMIsAConstantInt)(LL(LLVMGetOperand)(in, 0))))
		return;
	v->flags |= VALUE_SWITCHES;
	v->bytes = bits;
	v->number = (int64_t)c->cases.count;
	for (unsigned i = 1; i < LL(LLVMGetNumSuccessors)(in); i++)
		vec_push(&c->cases, LL(LLVMConstIntGetSExtValue)(LL(LLVMGetOperand)(in, 2 * i)));
}

/* The operands in the order model/code.h has them. */
static void fill_operands(struct reading *r, LLVMValueRef in, uint32_t index)
{
	uint8_t op = r->code->values.at[index].op;
	unsigned count = op == OP_PICK ? LL(LLVMCountIncoming)(in) :
		op == OP_CALL || op == OP_ASM ? LL(LLVMGetNumArgOperands)(in) + (op == OP_CALL) : (unsigned)LL(LLVMGetNumOperands)(in);
	LLVMValueRef *all = mem_take((count + 1) * sizeof *all);
	unsigned used = 0;
	for (unsigned i = 0; i < count; i++) {
		LLVMValueRef operand = op == OP_PICK ? LL(LLVMGetIncomingValue)(in, i) :
			op == OP_STORE ? LL(LLVMGetOperand)(in, 1 - i) :
			op == OP_CALL ? (i ? LL(LLVMGetOperand)(in, i - 1) : LL(LLVMGetCalledValue)(in)) : LL(LLVMGetOperand)(in, i);
		bool constant_case = op == OP_BRANCH && i > 0;          /* of a switch: only the condition matters */
		if (!LL(LLVMIsABasicBlock)(operand) && !constant_case && !(op == OP_PICK && !is_come_from(r, in, i)))
			all[used++] = operand;
	}
	read_operands(r, index, all, op == OP_END ? 0 : used);
	mem_free(all);
	if (op == OP_PICK)
		fill_from(r, in, index);
	if (LL(LLVMGetInstructionOpcode)(in) == LLVMSwitch)
		fill_cases(r, in, index);
}

/* Of a comparison, or of what may make a number of an address. */
static uint8_t asks_of(LLVMValueRef in, LLVMOpcode opcode)
{
	uint8_t flags = 0;
	LLVMIntPredicate how = opcode == LLVMICmp ? LL(LLVMGetICmpPredicate)(in) : LLVMIntEQ;
	if (opcode == LLVMBr)
		return VALUE_DECIDES;
	if (how != LLVMIntEQ && how != LLVMIntNE)
		flags |= VALUE_ORDERS;
	if (opcode == LLVMPtrToInt || (opcode == LLVMICmp && LL(LLVMGetTypeKind)(LL(LLVMTypeOf)(LL(LLVMGetOperand)(in, 0))) == LLVMPointerTypeKind))
		flags |= VALUE_ADDRESS;
	return flags;
}

static bool is_of_range(const struct reading *r, LLVMValueRef in)
{
	LLVMValueRef node = LL(LLVMGetMetadata)(in, r->range_kind), words[8];
	unsigned count = node ? LL(LLVMGetMDNodeNumOperands)(node) : 0, length = 0;
	if (!count || count > sizeof words / sizeof *words)
		return false;
	LL(LLVMGetMDNodeOperands)(node, words);
	for (unsigned i = 0; i < count; i++) {
		const char *word = words[i] ? LL(LLVMGetMDString)(words[i], &length) : NULL;
		if (word && length == sizeof RANGE_MARK - 1 && memcmp(word, RANGE_MARK, length) == 0)
			return true;
	}
	return false;
}

static uint8_t sum_of_rmw(LLVMValueRef in)
{
	switch (LL(LLVMGetAtomicRMWBinOp)(in)) {
	case LLVMAtomicRMWBinOpAdd: return SUM_ADD;
	case LLVMAtomicRMWBinOpSub: return SUM_SUB;
	case LLVMAtomicRMWBinOpAnd: return SUM_AND;
	case LLVMAtomicRMWBinOpOr:  return SUM_OR;
	case LLVMAtomicRMWBinOpXor: return SUM_XOR;
	case LLVMAtomicRMWBinOpMin: return SUM_SMIN;
	case LLVMAtomicRMWBinOpMax: return SUM_SMAX;
	case LLVMAtomicRMWBinOpUMin: return SUM_UMIN;
	case LLVMAtomicRMWBinOpUMax: return SUM_UMAX;
	default: return SUM_NONE;
	}
}

static uint8_t sum_of_call(LLVMValueRef callee)
{
	return read_is_named(callee, "llvm.smin.") ? SUM_SMIN : read_is_named(callee, "llvm.smax.") ? SUM_SMAX :
		read_is_named(callee, "llvm.umin.") ? SUM_UMIN : read_is_named(callee, "llvm.umax.") ? SUM_UMAX : SUM_NONE;
}

static uint8_t sum_of(LLVMValueRef in, LLVMOpcode opcode)
{
	switch (opcode) {
	case LLVMAdd: return SUM_ADD;
	case LLVMSub: return SUM_SUB;
	case LLVMMul: return SUM_MUL;
	case LLVMAnd: return SUM_AND;
	case LLVMOr:  return SUM_OR;
	case LLVMXor: return SUM_XOR;
	case LLVMTrunc: case LLVMZExt: case LLVMSExt: case LLVMFreeze: return SUM_WIDTH;
	case LLVMSelect: return SUM_CHOICE;
	case LLVMAtomicRMW: return sum_of_rmw(in);
	case LLVMCall: return sum_of_call(LL(LLVMGetCalledValue)(in));
	default: return SUM_NONE;
	}
}

static uint8_t width_of(LLVMTypeRef type)
{
	unsigned bits = LL(LLVMGetTypeKind)(type) == LLVMIntegerTypeKind ? LL(LLVMGetIntTypeWidth)(type) : 0;
	return bits == 8 || bits == 16 || bits == 32 || bits == 64 ? (uint8_t)(bits / 8) : 0;
}

static void fill(struct reading *r, LLVMValueRef in, uint32_t index)
{
	struct value *v = &r->code->values.at[index];
	LLVMOpcode opcode = LL(LLVMGetInstructionOpcode)(in);
	if (v->op == OP_STEP) {
		read_step(r, in, index);
		return;
	}
	if (v->op == OP_LOAD || v->op == OP_STORE || v->op == OP_RMW || v->op == OP_CAS)
		fill_access(r, in, v);
	if (v->op == OP_ALLOCA && LL(LLVMIsAConstantInt)(LL(LLVMGetOperand)(in, 0))) {
		uint64_t bytes = read_size(r, LL(LLVMGetAllocatedType)(in)) * (uint64_t)LL(LLVMConstIntGetSExtValue)(LL(LLVMGetOperand)(in, 0));
		v->bytes = bytes > UINT32_MAX ? 0 : (uint32_t)bytes;
	}
	if (v->op == OP_CALL && read_is_named(LL(LLVMGetCalledValue)(in), "llvm.mem") && LL(LLVMIsAConstantInt)(LL(LLVMGetOperand)(in, 2)))
		v->bytes = (uint32_t)LL(LLVMConstIntGetSExtValue)(LL(LLVMGetOperand)(in, 2));
	v->flags |= asks_of(in, opcode);
	v->width = width_of(LL(LLVMTypeOf)(in));
	v->sum = v->width ? sum_of(in, opcode) : SUM_NONE;
	read_how(in, v);
	if (opcode == LLVMInvoke)
		v->flags |= VALUE_INVOKE;
	if (opcode == LLVMResume || opcode == LLVMUnreachable)
		v->flags |= VALUE_LEAVES;
	if ((v->op == OP_MIX || v->op == OP_TRUTH) && is_of_range(r, in))
		v->flags |= VALUE_RANGE;
	fill_operands(r, in, index);
}

/* Does a block end behind this?  Behind a call control may never come back. */
static bool splits(LLVMValueRef in)
{
	return LL(LLVMGetInstructionOpcode)(in) == LLVMCall && !LL(LLVMIsAInlineAsm)(LL(LLVMGetCalledValue)(in)) &&
		!(LL(LLVMIsAFunction)(LL(LLVMGetCalledValue)(in)) && LL(LLVMGetIntrinsicID)(LL(LLVMGetCalledValue)(in)));
}

static bool is_read(const struct reading *r, LLVMBasicBlockRef b)
{
	return map_get(&r->blocks, (uint64_t)(uintptr_t)b) != NULL;
}

static void number_site(struct reading *r, LLVMValueRef in, uint32_t v, uint32_t site_at)
{
	struct code *c = r->code;
	uint32_t ordinal = r->lifted ? read_ordinal(r, in) : (uint32_t)c->sites.count - site_at;
	if (!r->lifted)
		vec_push(&c->sites, v);
	else if (ordinal < c->sites.count - site_at)
		c->sites.at[site_at + ordinal] = v;
	else
		ordinal = NONE;
	c->values.at[v].ordinal = ordinal;
}

/* Values and blocks get their numbers first, in the order of the bitcode; what they refer to can be asked then. */
static void number(struct reading *r, LLVMValueRef function, uint32_t index)
{
	struct code *c = r->code;
	uint32_t first = (uint32_t)c->values.count, block_at = (uint32_t)c->blocks.count, site_at = (uint32_t)c->sites.count;
	for (uint64_t i = r->lifted ? *map_get(&r->site_counts, (uint64_t)(uintptr_t)function) : 0; i > 0; i--)
		vec_push(&c->sites, NONE);
	for (LLVMBasicBlockRef b = LL(LLVMGetFirstBasicBlock)(function); b; b = LL(LLVMGetNextBasicBlock)(b)) {
		if (!is_read(r, b))
			continue;
		*map_put(&r->blocks, (uint64_t)(uintptr_t)b, NULL) = c->blocks.count;
		vec_push(&c->blocks, ((struct block){ .function = index, .first = (uint32_t)c->values.count }));
		for (LLVMValueRef in = LL(LLVMGetFirstInstruction)(b); in; in = LL(LLVMGetNextInstruction)(in)) {
			uint32_t v = read_new(r, in, op_of(in), index);
			c->values.at[v].block = (uint32_t)c->blocks.count - 1;
			c->blocks.at[c->blocks.count - 1].count++;
			if (read_is_site(in))
				number_site(r, in, v, site_at);
			if (splits(in))
				vec_push(&c->blocks, ((struct block){ .function = index, .first = (uint32_t)c->values.count }));
		}
	}
	struct function *f = &c->functions.at[index];
	f->first = first;
	f->count = (uint32_t)c->values.count - first;
	f->block_at = block_at;
	f->block_count = (uint32_t)c->blocks.count - block_at;
	f->site_at = site_at;
	f->site_count = (uint32_t)c->sites.count - site_at;
}

/* Where control goes from the blocks that one of LLVM's became. */
static void connect(struct reading *r, LLVMBasicBlockRef b)
{
	struct code *c = r->code;
	uint32_t at = (uint32_t)*map_get(&r->blocks, (uint64_t)(uintptr_t)b);
	LLVMValueRef last = NULL;
	for (LLVMValueRef in = LL(LLVMGetFirstInstruction)(b); in; in = LL(LLVMGetNextInstruction)(in)) {
		last = in;
		if (splits(in)) {
			c->blocks.at[at].next_at = (uint32_t)c->next.count;
			c->blocks.at[at].next_count = 1;
			vec_push(&c->next, at + 1);
			at++;
		}
	}
	c->blocks.at[at].next_at = (uint32_t)c->next.count;
	unsigned first, count = read_ways(r, last, &first);
	for (unsigned i = first; i < first + count; i++)
		vec_push(&c->next, (uint32_t)*map_get(&r->blocks, (uint64_t)(uintptr_t)LL(LLVMGetSuccessor)(last, i)));
	c->blocks.at[at].next_count = count;
}

void read_body(struct reading *r, LLVMValueRef function, uint32_t index)
{
	read_reach(r, function);
	number(r, function, index);
	uint32_t at = r->code->functions.at[index].first;
	for (LLVMBasicBlockRef b = LL(LLVMGetFirstBasicBlock)(function); b; b = LL(LLVMGetNextBasicBlock)(b)) {
		if (!is_read(r, b))
			continue;
		connect(r, b);
		for (LLVMValueRef in = LL(LLVMGetFirstInstruction)(b); in; in = LL(LLVMGetNextInstruction)(in))
			fill(r, in, at++);
	}
	map_release(&r->blocks);
}
