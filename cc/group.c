/* cc/group.c -- the recorded body: its accesses, gathered into groups and written inline.
 *
 * A group is a run of plain accesses in one block with no call and no atomic operation between them.  It costs one look at
 * the cursor, one header word (the address of its descriptor), and per access what the descriptor cannot know: an address,
 * unless it lies at a fixed distance from another one of the group or in a global; a value, unless it is a constant or was
 * just read.  A branch, a call, the entry and the end of the function ride along in a neighbouring group when there is one.
 *
 * Whoever finds the cursor below SEGMENT_LIMIT may write SEGMENT_SLACK bytes from there, so only the first group of a row
 * looks, also when the row crosses blocks: a group need not if on every way to it that much was found and not yet used.
 *
 * The cursor lives in an alloca that becomes a register; around calls it is handed over through raddle_tls.cursor:
 *   (1) at the start and end of every block it is in the register, except where a block starts right after an invoke;
 *   (2) before anything that may write records (any call that is not quiet) it is in raddle_tls.
 * Plan first, write second: no decision looks at code that is already changed. */
#include <stdlib.h>
#include <string.h>

#include "cc/door.h"
#include "cc/pass.h"

#define PAYLOAD_LIMIT 448u                        /* of a group; with a slot for a branch it stays below GROUP_MAX */

struct address {                                  /* base + variable * scale + offset */
	LLVMValueRef base, variable;
	int64_t scale, offset;
};

struct access {
	LLVMValueRef in, pointer, value;          /* the instruction; value read or written */
	bool write, is_volatile, vector;
	unsigned size, element, slot_size;        /* bytes touched; of one element; of the value in the payload */
	struct address address;
	enum address_mode address_mode;
	enum value_mode value_mode;
	unsigned near, address_slot, value_slot;  /* earlier access referred to; offsets in the payload */
	unsigned same;
	int64_t distance;
	uint64_t bits;
};

struct group {
	LLVMValueRef start;                       /* the instruction the group is opened in front of */
	LLVMValueRef end;                         /* closed in front of it; NULL: behind the last access */
	struct access *access;
	unsigned count;
	unsigned flags;
	LLVMValueRef call, branch;
	unsigned branch_slot, branch_size, depth_slot;
	unsigned payload, budget;
	bool has_room;                            /* somebody before it has looked */
};

struct plan {                                     /* what happens in one block, in order */
	struct group *group;
	unsigned count, room;
	bool starts_after_invoke;                 /* the cursor is in raddle_tls */
};

struct writer {
	struct function *f;
	struct plan *plan;                        /* one per block of the body */
};

/* ---------------------------------------------------------------- planning: what is an access */

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

static unsigned power_of_two(unsigned size)
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

static void choose_address(struct group *g, struct access *a)
{
	LLVMValueRef base = a->address.base;
	a->address_mode = A_SLOT;
	if (!a->address.variable && LLVMIsAGlobalVariable(base) && !LLVMIsThreadLocal(base) && door_is_dso_local(base)) {
		a->address_mode = A_GLOBAL;
		a->distance = a->address.offset;
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

/* ---------------------------------------------------------------- planning: groups of a block */

static struct group *new_group(struct plan *p, LLVMValueRef start)
{
	if (p->count == p->room) {
		p->room = p->room ? 2 * p->room : 4;
		p->group = realloc(p->group, p->room * sizeof *p->group);
		if (!p->group)
			abort();
	}
	struct group *g = &p->group[p->count++];
	memset(g, 0, sizeof *g);
	g->start = start;
	return g;
}

static void add_access(struct function *f, struct plan *p, struct group **open, struct access *a)
{
	struct unit *u = f->unit;
	struct group *g = *open;
	if (g && (g->count == GROUP_ACCESSES || g->budget + 8 + a->slot_size > PAYLOAD_LIMIT))
		g = NULL;
	if (!g)
		g = new_group(p, a->in);
	g->access = realloc(g->access, (g->count + 1) * sizeof *g->access);
	if (!g->access)
		abort();
	a->address = take_apart(u, a->pointer);
	choose_address(g, a);
	choose_value(u, g, a);
	g->budget += (a->address_mode == A_SLOT ? 8 : 0) + (a->value_mode == V_SLOT ? (a->slot_size < 8 ? 8 : a->slot_size) : 0);
	g->access[g->count++] = *a;
	g->flags |= SITE_ACCESS;
	*open = g;
}

static bool is_recorded_access(struct unit *u, LLVMValueRef in, struct access *a)
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

static const char *name_of_callee(LLVMValueRef call)
{
	LLVMValueRef callee = LLVMGetCalledValue(call);
	size_t length;
	return LLVMIsAFunction(callee) ? LLVMGetValueName2(callee, &length) : "";
}

static bool is_our_hook(LLVMValueRef call)
{
	const char *name = name_of_callee(call);
	return strncmp(name, "raddle_", 7) == 0 && strncmp(name, "raddle_lib_", 11) != 0;
}

static bool is_call(LLVMValueRef in)
{
	return LLVMIsACallInst(in) || LLVMIsAInvokeInst(in);
}

/* A call in tail position: nothing may stand between it and the return. */
static bool is_tail(LLVMValueRef in)
{
	if (!LLVMIsACallInst(in) || LLVMGetTailCallKind(in) == LLVMTailCallKindNone ||
		LLVMGetTailCallKind(in) == LLVMTailCallKindNoTail)
		return false;
	LLVMValueRef next = LLVMGetNextInstruction(in);
	return next && LLVMIsAReturnInst(next) && (LLVMGetNumOperands(next) == 0 || LLVMGetOperand(next, 0) == in);
}

static bool returns_twice(LLVMValueRef in)
{
	LLVMValueRef callee = LLVMGetCalledValue(in);
	unsigned kind = LLVMGetEnumAttributeKindForName("returns_twice", 13);
	return LLVMGetCallSiteEnumAttribute(in, LLVMAttributeFunctionIndex, kind) ||
		(LLVMIsAFunction(callee) && LLVMGetEnumAttributeAtIndex(callee, LLVMAttributeFunctionIndex, kind));
}

static void plan_call(struct function *f, struct plan *p, struct group **open, LLVMValueRef in)
{
	if (!is_our_hook(in) && !filter_call_is_quiet(in)) {
		if (!*open)
			*open = new_group(p, in);
		(*open)->flags |= SITE_CALL;
		(*open)->call = in;
		if (f->flow && is_tail(in))
			(*open)->flags |= SITE_LEAVE;
	}
	if (*open)
		(*open)->end = in;
	*open = NULL;
	if (f->flow && !LLVMIsATerminatorInst(in) && returns_twice(in)) {
		*open = new_group(p, LLVMGetNextInstruction(in));
		(*open)->flags |= SITE_LANDED;
	}
}

static void plan_end(struct function *f, struct plan *p, struct group **open, LLVMValueRef last)
{
	LLVMOpcode op = LLVMGetInstructionOpcode(last);
	LLVMValueRef before = LLVMGetPreviousInstruction(last);
	bool branches = (op == LLVMBr && LLVMIsConditional(last)) || op == LLVMSwitch;
	if (branches && LLVMGetMetadata(last, f->unit->site_kind) && filter_branch_matters(LLVMGetOperand(last, 0)) &&
		LLVMStoreSizeOfType(f->unit->layout, LLVMTypeOf(LLVMGetOperand(last, 0))) <= 8) {
		if (!*open)
			*open = new_group(p, last);
		(*open)->flags |= SITE_BRANCH;
		(*open)->branch = last;
	}
	if (f->flow && op == LLVMRet && !(before && is_call(before) && is_tail(before))) {
		if (!*open)
			*open = new_group(p, last);
		(*open)->flags |= SITE_LEAVE;
	}
	if (*open)
		(*open)->end = last;
	*open = NULL;
}

static LLVMValueRef first_real(LLVMBasicBlockRef block)
{
	LLVMValueRef in = LLVMGetFirstInstruction(block);
	while (LLVMIsAPHINode(in) || LLVMIsALandingPadInst(in))
		in = LLVMGetNextInstruction(in);
	return in;
}

static void plan_block(struct function *f, struct plan *p, LLVMBasicBlockRef block)
{
	struct group *open = NULL;
	struct access a;
	bool entry = block == f->body[0];
	bool lands = LLVMIsALandingPadInst(LLVMGetFirstInstruction(block)) ||
		(LLVMIsAPHINode(LLVMGetFirstInstruction(block)) && LLVMIsALandingPadInst(LLVMGetPreviousInstruction(first_real(block))));
	p->starts_after_invoke |= entry || lands;
	if (f->flow && (entry || lands)) {
		open = new_group(p, first_real(block));
		open->flags |= entry ? SITE_ENTER : SITE_LANDED;
	}
	for (LLVMValueRef in = first_real(block); in; in = LLVMGetNextInstruction(in)) {
		if (atomic_is(in)) {
			if (open)
				open->end = in;
			open = NULL;
		} else if (is_call(in)) {
			if (!filter_call_is_inline(in) || LLVMIsATerminatorInst(in))
				plan_call(f, p, &open, in);
		} else if (LLVMIsATerminatorInst(in)) {
			plan_end(f, p, &open, in);
		} else if (is_recorded_access(f->unit, in, &a)) {
			add_access(f, p, &open, &a);
		}
	}
}

/* ---------------------------------------------------------------- layout and descriptor */

static void lay_out(struct unit *u, struct group *g)
{
	unsigned at = 0;
	if (g->flags & SITE_BRANCH)
		g->branch_size = power_of_two((unsigned)LLVMStoreSizeOfType(u->layout, LLVMTypeOf(LLVMGetOperand(g->branch, 0))));
	for (unsigned i = 0; i < g->count; i++)
		if (g->access[i].address_mode == A_SLOT) {
			g->access[i].address_slot = at;
			at += 8;
		}
	for (unsigned size = 64; size; size /= 2) {
		for (unsigned i = 0; i < g->count; i++)
			if (g->access[i].value_mode == V_SLOT && g->access[i].slot_size == size) {
				g->access[i].value_slot = at;
				at += size;
			}
		if (size == 4 && g->flags & SITE_LANDED) {
			g->depth_slot = at;
			at += 4;
		}
		if (g->flags & SITE_BRANCH && g->branch_size == size) {
			g->branch_slot = at;
			at += size;
		}
	}
	g->payload = (at + 7) / 8 * 8;
}

static void describe_access(struct function *f, struct bytes *d, const struct access *a)
{
	struct unit *u = f->unit;
	bytes_varint(d, (a->write ? SHAPE_WRITE : 0) | (a->is_volatile ? SHAPE_VOLATILE : 0) | (unsigned)a->address_mode << 2 |
		(unsigned)a->value_mode << 4 | (a->vector ? SHAPE_VECTOR : 0));
	bytes_varint(d, a->element);
	if (a->vector)
		bytes_varint(d, a->size / a->element);
	bytes_varint(d, site_ordinal(u, a->in));
	bytes_varint(d, table_place(u->table, a->in));
	bytes_varint(d, site_name(u, a->pointer));
	if (a->address_mode == A_SLOT)
		bytes_varint(d, a->address_slot);
	else
		bytes_varint(d, a->address_mode == A_GLOBAL ? table_relative(u->table, a->address.base) : a->near);
	if (a->address_mode != A_SLOT)
		bytes_signed(d, a->distance);
	if (a->value_mode != V_NONE)
		bytes_varint(d, a->value_mode == V_SLOT ? a->value_slot : a->value_mode == V_SAME ? a->same : a->bits);
}

static uint32_t callee_string(struct unit *u, LLVMValueRef call)
{
	const char *name = name_of_callee(call);
	if (strncmp(name, "raddle_lib_", 11) == 0)
		name += 11;
	return *name ? table_string(u->table, name, strlen(name)) + 1 : 0;
}

static LLVMValueRef describe(struct function *f, const struct group *g)
{
	struct unit *u = f->unit;
	struct bytes d = { 0 };
	bytes_varint(&d, g->flags);
	bytes_varint(&d, f->index);
	bytes_varint(&d, g->payload);
	if (g->flags & SITE_LANDED)
		bytes_varint(&d, g->depth_slot);
	if (g->flags & SITE_ACCESS) {
		bytes_varint(&d, g->count);
		for (unsigned i = 0; i < g->count; i++)
			describe_access(f, &d, &g->access[i]);
	}
	if (g->flags & SITE_CALL) {
		bytes_varint(&d, site_ordinal(u, g->call));
		bytes_varint(&d, table_place(u->table, g->call));
		bytes_varint(&d, callee_string(u, g->call));
	}
	if (g->flags & SITE_BRANCH) {
		bytes_varint(&d, site_ordinal(u, g->branch));
		bytes_varint(&d, table_place(u->table, g->branch));
		bytes_varint(&d, g->branch_slot);
		bytes_varint(&d, g->branch_size);
	}
	LLVMValueRef descriptor = table_descriptor(u->table, &d);
	free(d.at);
	return descriptor;
}

/* ---------------------------------------------------------------- writing */

static LLVMValueRef load_cursor(struct function *f)
{
	return LLVMBuildLoad2(f->unit->builder, f->unit->i64, f->cursor, "raddle.cursor");
}

static void spill(struct function *f, LLVMValueRef before)
{
	struct unit *u = f->unit;
	unit_before(u, before);
	LLVMBuildStore(u->builder, load_cursor(f), unit_tls(u, TLS_CURSOR));
}

static void reload(struct function *f, LLVMValueRef before)
{
	struct unit *u = f->unit;
	unit_before(u, before);
	LLVMValueRef cursor = LLVMBuildLoad2(u->builder, u->i64, unit_tls(u, TLS_CURSOR), "");
	LLVMBuildStore(u->builder, cursor, f->cursor);
}

static void mark_unlikely(struct unit *u, LLVMValueRef branch)
{
	LLVMMetadataRef weights[3] = { LLVMMDStringInContext2(u->context, "branch_weights", 14),
		LLVMValueAsMetadata(LLVMConstInt(u->i32, 1, 0)), LLVMValueAsMetadata(LLVMConstInt(u->i32, 100000, 0)) };
	LLVMMetadataRef node = LLVMMDNodeInContext2(u->context, weights, 3);
	LLVMSetMetadata(branch, LLVMGetMDKindIDInContext(u->context, "prof", 4), LLVMMetadataAsValue(u->context, node));
}

static LLVMValueRef next_segment_hook(struct unit *u, LLVMTypeRef *type)
{
	LLVMTypeRef params[1] = { u->i64 };
	LLVMValueRef hook = unit_hook(u, "raddle_next_segment", u->i64, params, 1, type);
	LLVMSetFunctionCallConv(hook, LLVMPreserveAllCallConv);
	return hook;
}

/* if (no room) cursor = raddle_next_segment(cursor);   The builder ends up where the room is certain. */
static void make_room(struct function *f, LLVMValueRef start)
{
	struct unit *u = f->unit;
	LLVMBasicBlockRef head = LLVMGetInstructionParent(start);
	LLVMBasicBlockRef rest = door_split_before(start);
	LLVMBasicBlockRef full = LLVMAppendBasicBlockInContext(u->context, f->value, "raddle.full");
	LLVMValueRef jump = LLVMGetBasicBlockTerminator(head);
	unit_before(u, jump);
	LLVMSetCurrentDebugLocation2(u->builder, LLVMInstructionGetDebugLoc(start));
	LLVMValueRef cursor = load_cursor(f);
	LLVMValueRef place = LLVMBuildAnd(u->builder, cursor, unit_number(u, SEGMENT_BYTES - 1), "");
	LLVMValueRef late = LLVMBuildICmp(u->builder, LLVMIntUGE, place, unit_number(u, SEGMENT_LIMIT), "");
	mark_unlikely(u, LLVMBuildCondBr(u->builder, late, full, rest));
	LLVMInstructionEraseFromParent(jump);
	LLVMPositionBuilderAtEnd(u->builder, full);
	LLVMSetCurrentDebugLocation2(u->builder, NULL);     /* nobody's line */
	LLVMTypeRef type;
	LLVMValueRef hook = next_segment_hook(u, &type);
	LLVMValueRef call = LLVMBuildCall2(u->builder, type, hook, &cursor, 1, "");
	LLVMSetInstructionCallConv(call, LLVMPreserveAllCallConv);
	LLVMBuildStore(u->builder, call, f->cursor);
	LLVMBuildBr(u->builder, rest);
	unit_before(u, start);
}

/* Stores into the log; volatile so that nothing moves it past the access it belongs to. */
static void log_at(struct function *f, LLVMValueRef base, unsigned offset, LLVMValueRef value, unsigned align)
{
	struct unit *u = f->unit;
	LLVMValueRef index = unit_number(u, offset);
	LLVMValueRef at = LLVMBuildGEP2(u->builder, u->i8, base, &index, 1, "");
	LLVMValueRef store = LLVMBuildStore(u->builder, value, at);
	LLVMSetVolatile(store, 1);
	LLVMSetAlignment(store, align);
}

/* The value as it goes into its slot: odd integers are widened. */
static LLVMValueRef storable(struct unit *u, LLVMValueRef value, unsigned slot_size)
{
	LLVMTypeRef type = LLVMTypeOf(value);
	if (LLVMGetTypeKind(type) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) < 8 * slot_size)
		return LLVMBuildZExt(u->builder, value, LLVMIntTypeInContext(u->context, 8 * slot_size), "");
	return value;
}

static void write_access(struct function *f, const struct access *a, LLVMValueRef base)
{
	struct unit *u = f->unit;
	if (a->address_mode == A_SLOT) {
		unit_before(u, a->in);
		log_at(f, base, 8 + a->address_slot, a->pointer, 8);
	}
	if (a->value_mode == V_SLOT) {
		unit_after(u, a->in);
		log_at(f, base, 8 + a->value_slot, storable(u, a->value, a->slot_size), a->slot_size < 8 ? a->slot_size : 8);
	}
}

static LLVMValueRef area_field(struct function *f, LLVMValueRef area, unsigned offset)
{
	LLVMValueRef index = unit_number(f->unit, offset);
	return LLVMBuildGEP2(f->unit->builder, f->unit->i8, area, &index, 1, "");
}

static LLVMValueRef load_area(struct function *f)
{
	struct unit *u = f->unit;
	return LLVMBuildLoad2(u->builder, u->pointer, unit_tls(u, TLS_AREA), "raddle.area");
}

/* area->frames[min(depth, last)] = descriptor; area->depth = depth + 1 */
static void push_frame(struct function *f, LLVMValueRef descriptor)
{
	struct unit *u = f->unit;
	LLVMValueRef area = load_area(f), last = LLVMConstInt(u->i32, AREA_FRAMES - 1, 0);
	LLVMValueRef depth_at = area_field(f, area, AREA_DEPTH_AT);
	f->depth = LLVMBuildLoad2(u->builder, u->i32, depth_at, "raddle.depth");
	LLVMValueRef over = LLVMBuildICmp(u->builder, LLVMIntUGT, f->depth, last, "");
	LLVMValueRef slot = LLVMBuildZExt(u->builder, LLVMBuildSelect(u->builder, over, last, f->depth, ""), u->i64, "");
	LLVMValueRef frames = area_field(f, area, AREA_FRAMES_AT);
	LLVMValueRef at = LLVMBuildGEP2(u->builder, u->i64, frames, &slot, 1, "");
	LLVMBuildStore(u->builder, descriptor, at);
	LLVMBuildStore(u->builder, LLVMBuildAdd(u->builder, f->depth, LLVMConstInt(u->i32, 1, 0), ""), depth_at);
}

static void pop_frame(struct function *f)
{
	struct unit *u = f->unit;
	LLVMValueRef depth_at = area_field(f, load_area(f), AREA_DEPTH_AT);
	LLVMValueRef depth = LLVMBuildLoad2(u->builder, u->i32, depth_at, "");
	LLVMBuildStore(u->builder, LLVMBuildSub(u->builder, depth, LLVMConstInt(u->i32, 1, 0), ""), depth_at);
}

static void write_landed(struct function *f, const struct group *g, LLVMValueRef base)
{
	struct unit *u = f->unit;
	LLVMValueRef depth = LLVMBuildAdd(u->builder, f->depth, LLVMConstInt(u->i32, 1, 0), "");
	LLVMBuildStore(u->builder, depth, area_field(f, load_area(f), AREA_DEPTH_AT));
	log_at(f, base, 8 + g->depth_slot, depth, 4);
}

static void close_group(struct function *f, const struct group *g, LLVMValueRef cursor, LLVMValueRef base)
{
	struct unit *u = f->unit;
	if (g->end)
		unit_before(u, g->end);
	else
		unit_after(u, g->access[g->count - 1].in);
	if (g->flags & SITE_BRANCH) {
		LLVMValueRef way = storable(u, LLVMGetOperand(g->branch, 0), g->branch_size);
		log_at(f, base, 8 + g->branch_slot, way, g->branch_size);
	}
	if (g->flags & SITE_LEAVE)
		pop_frame(f);
	LLVMValueRef next = LLVMBuildAdd(u->builder, cursor, unit_number(u, 8 + g->payload), "");
	LLVMBuildStore(u->builder, next, f->cursor);
}

/* An atomic operation in front of the group has been replaced since it was planned: its result has another name now. */
static void look_again(struct group *g)
{
	for (unsigned i = 0; i < g->count; i++) {
		struct access *a = &g->access[i];
		a->pointer = LLVMGetOperand(a->in, a->write ? 1 : 0);
		a->value = a->write ? LLVMGetOperand(a->in, 0) : a->in;
	}
}

static void write_group(struct function *f, struct group *g)
{
	struct unit *u = f->unit;
	look_again(g);
	LLVMValueRef descriptor = describe(f, g);
	if (g->has_room)
		unit_before(u, g->start);
	else
		make_room(f, g->start);
	LLVMValueRef cursor = load_cursor(f);
	LLVMValueRef base = LLVMBuildIntToPtr(u->builder, cursor, u->pointer, "");
	log_at(f, base, 0, descriptor, 8);
	if (g->flags & SITE_ENTER)
		push_frame(f, descriptor);
	if (g->flags & SITE_LANDED)
		write_landed(f, g, base);
	for (unsigned i = 0; i < g->count; i++)
		write_access(f, &g->access[i], base);
	close_group(f, g, cursor, base);
}

/* ---------------------------------------------------------------- handing the cursor over */

/* Where the cursor is while a block is walked. */
struct hand { bool in_tls; };

static void before_foreign(struct function *f, struct hand *h, LLVMValueRef in)
{
	if (!h->in_tls)
		spill(f, in);
	h->in_tls = true;
}

/* Anything but an intrinsic may turn out to be instrumented code, whatever its declaration promises. */
static bool writes_records(LLVMValueRef in)
{
	return atomic_is(in) || LLVMIsAInvokeInst(in) || (LLVMIsACallInst(in) && !filter_call_is_inline(in));
}

static bool ends_here(LLVMValueRef in)
{
	return LLVMIsAReturnInst(in) || LLVMIsAUnreachableInst(in) || LLVMIsAResumeInst(in);
}

/* Collects the instructions of a block before anything is changed. */
static LLVMValueRef *instructions_of(LLVMBasicBlockRef block, size_t *count)
{
	*count = 0;
	for (LLVMValueRef in = first_real(block); in; in = LLVMGetNextInstruction(in))
		++*count;
	LLVMValueRef *all = malloc(sizeof *all * (*count + 1));
	if (!all)
		abort();
	size_t i = 0;
	for (LLVMValueRef in = first_real(block); in; in = LLVMGetNextInstruction(in))
		all[i++] = in;
	return all;
}

static void write_block(struct function *f, struct plan *p, LLVMBasicBlockRef block)
{
	struct hand hand = { .in_tls = p->starts_after_invoke };
	size_t count;
	LLVMValueRef *all = instructions_of(block, &count);
	unsigned next_group = 0;
	for (size_t i = 0; i < count; i++) {
		LLVMValueRef in = all[i];
		while (next_group < p->count && p->group[next_group].start == in) {
			if (hand.in_tls)
				reload(f, in);
			hand.in_tls = false;
			write_group(f, &p->group[next_group++]);
		}
		if (writes_records(in)) {
			before_foreign(f, &hand, in);
			if (atomic_is(in))
				atomic_replace(f, in, false);
		} else if (LLVMIsATerminatorInst(in)) {
			if (ends_here(in) && !hand.in_tls)
				spill(f, in);
			else if (!ends_here(in) && hand.in_tls)
				reload(f, in);
		}
	}
	free(all);
}

static bool has_one_predecessor(LLVMBasicBlockRef block, LLVMBasicBlockRef from)
{
	for (LLVMUseRef use = LLVMGetFirstUse(LLVMBasicBlockAsValue(block)); use; use = LLVMGetNextUse(use)) {
		LLVMValueRef user = LLVMGetUser(use);
		if (!LLVMIsAInstruction(user) || LLVMGetInstructionParent(user) != from)
			return false;
	}
	return true;
}

/* After an invoke that returned, the cursor is in raddle_tls: give the edge a block where it can be fetched. */
static void split_invokes(struct function *f)
{
	for (size_t i = 0, count = f->body_count; i < count; i++) {
		LLVMValueRef last = LLVMGetBasicBlockTerminator(f->body[i]);
		if (!LLVMIsAInvokeInst(last) || !writes_records(last))
			continue;
		LLVMBasicBlockRef to = LLVMGetNormalDest(last);
		if (has_one_predecessor(to, f->body[i]))
			continue;
		f->body = realloc(f->body, (f->body_count + 1) * sizeof *f->body);
		if (!f->body)
			abort();
		f->body[f->body_count++] = door_split_edge(f->body[i], to);
	}
}

static void mark_after_invokes(struct function *f, struct plan *plans, const struct vmap *index)
{
	for (size_t i = 0; i < f->body_count; i++) {
		LLVMValueRef last = LLVMGetBasicBlockTerminator(f->body[i]);
		uint64_t to;
		if (LLVMIsAInvokeInst(last) && writes_records(last) && vmap_get(index, LLVMGetNormalDest(last), &to))
			plans[to].starts_after_invoke = true;
	}
}

/* ---------------------------------------------------------------- who looks whether there is room */

#define UNKNOWN UINT32_MAX                        /* bytes used since somebody looked: too many, or who knows */

/* At the start of the block: the most any predecessor leaves, if all of them are known. */
static uint32_t used_before(const struct plan *p, const uint32_t *used, const struct vmap *index, LLVMBasicBlockRef block)
{
	uint32_t most = 0;
	uint64_t from;
	LLVMUseRef use = LLVMGetFirstUse(LLVMBasicBlockAsValue(block));
	if (p->starts_after_invoke || !use)
		return UNKNOWN;
	for (; use; use = LLVMGetNextUse(use)) {
		LLVMValueRef user = LLVMGetUser(use);
		if (!LLVMIsAInstruction(user) || !vmap_get(index, LLVMGetInstructionParent(user), &from) || used[from] == UNKNOWN)
			return UNKNOWN;
		if (used[from] > most)
			most = used[from];
	}
	return most;
}

/* Walks the block as write_block() will; returns what is used at its end. */
static uint32_t plan_room(struct unit *u, struct plan *p, LLVMBasicBlockRef block, uint32_t used)
{
	unsigned next = 0;
	for (LLVMValueRef in = first_real(block); in; in = LLVMGetNextInstruction(in)) {
		for (; next < p->count && p->group[next].start == in; next++) {
			struct group *g = &p->group[next];
			lay_out(u, g);
			g->has_room = used != UNKNOWN && used + 8 + g->payload <= SEGMENT_SLACK;
			used = (g->has_room ? used : 0) + 8 + g->payload;
		}
		if (writes_records(in))
			used = UNKNOWN;
	}
	return used;
}

/* One round over the blocks as they stand; what comes round a loop is unknown. */
static void plan_rooms(struct function *f, struct plan *plans, const struct vmap *index)
{
	uint32_t *used = malloc(sizeof *used * (f->body_count + 1));
	if (!used)
		abort();
	for (size_t i = 0; i < f->body_count; i++)
		used[i] = UNKNOWN;
	for (size_t i = 0; i < f->body_count; i++)
		used[i] = plan_room(f->unit, &plans[i], f->body[i], used_before(&plans[i], used, index, f->body[i]));
	free(used);
}

void group_body(struct function *f)
{
	struct vmap index = { 0 };
	split_invokes(f);
	struct plan *plans = calloc(f->body_count, sizeof *plans);
	if (!plans)
		abort();
	for (size_t i = 0; i < f->body_count; i++)
		vmap_set(&index, f->body[i], i);
	mark_after_invokes(f, plans, &index);
	for (size_t i = 0; i < f->body_count; i++)
		plan_block(f, &plans[i], f->body[i]);
	plan_rooms(f, plans, &index);
	for (size_t i = 0; i < f->body_count; i++)
		write_block(f, &plans[i], f->body[i]);
	for (size_t i = 0; i < f->body_count; i++) {
		for (unsigned g = 0; g < plans[i].count; g++)
			free(plans[i].group[g].access);
		free(plans[i].group);
	}
	free(plans);
	vmap_release(&index);
}
