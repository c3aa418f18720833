/* cc/pass.c -- instruments one module: the door's instrument_module() and what the plugin's files share. */
#include "cc/pass.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "cc/bitcode.h"
#include "cc/door.h"
#include "cc/group.h"

int instrument_full(void)
{
	const char *level = getenv("RADDLE_LEVEL");
	return level && strcmp(level, "full") == 0;
}

int instrument_at_start(void)
{
	const char *point = getenv("RADDLE_POINT");
	return point && strcmp(point, "start") == 0;
}

/* ---------------------------------------------------------------- small help for everybody */

LLVMValueRef unit_number(struct unit *u, uint64_t value)
{
	return LLVMConstInt(u->i64, value, 0);
}

static void add_attribute(struct unit *u, LLVMValueRef function, const char *name)
{
	unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
	LLVMAddAttributeAtIndex(function, LLVMAttributeFunctionIndex, LLVMCreateEnumAttribute(u->context, kind, 0));
}

LLVMValueRef unit_hook(struct unit *u, const char *name, LLVMTypeRef result, LLVMTypeRef *params, unsigned count,
	LLVMTypeRef *type)
{
	*type = LLVMFunctionType(result, params, count, 0);
	LLVMValueRef hook = LLVMGetNamedFunction(u->module, name);
	if (hook)
		return hook;
	hook = LLVMAddFunction(u->module, name, *type);
	add_attribute(u, hook, "nounwind");
	add_attribute(u, hook, "nonlazybind");
	return hook;
}

LLVMValueRef unit_tls(struct unit *u, unsigned offset)
{
	LLVMValueRef index = unit_number(u, offset);
	return offset ? LLVMConstGEP2(u->i8, u->tls, &index, 1) : u->tls;
}

/* A call without a location is refused in a function that has line information. */
static void set_location(struct unit *u, LLVMValueRef near)
{
	LLVMMetadataRef location = LLVMInstructionGetDebugLoc(near);
	LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(near));
	LLVMMetadataRef subprogram = LLVMGetSubprogram(function);
	if (!location && subprogram)
		location = LLVMDIBuilderCreateDebugLocation(u->context, LLVMDISubprogramGetLine(subprogram), 0, subprogram, NULL);
	LLVMSetCurrentDebugLocation2(u->builder, location);
}

void unit_before(struct unit *u, LLVMValueRef instruction)
{
	LLVMPositionBuilderBefore(u->builder, instruction);
	set_location(u, instruction);
}

void unit_at(struct unit *u, LLVMValueRef before, LLVMValueRef line_of)
{
	LLVMPositionBuilderBefore(u->builder, before);
	set_location(u, line_of);
}

void unit_after(struct unit *u, LLVMValueRef instruction)
{
	unit_at(u, LLVMGetNextInstruction(instruction), instruction);
}

LLVMValueRef unit_bits(struct unit *u, LLVMValueRef value)
{
	LLVMTypeRef type = LLVMTypeOf(value);
	unsigned width = (unsigned)LLVMSizeOfTypeInBits(u->layout, type);
	if (LLVMGetTypeKind(type) == LLVMPointerTypeKind)
		return LLVMBuildPtrToInt(u->builder, value, u->i64, "");
	if (LLVMGetTypeKind(type) != LLVMIntegerTypeKind)
		value = LLVMBuildBitCast(u->builder, value, LLVMIntTypeInContext(u->context, width), "");
	return width < 64 ? LLVMBuildZExt(u->builder, value, u->i64, "") : value;
}

LLVMValueRef unit_unbits(struct unit *u, LLVMValueRef bits, LLVMTypeRef type)
{
	unsigned width = (unsigned)LLVMSizeOfTypeInBits(u->layout, type);
	if (LLVMGetTypeKind(type) == LLVMPointerTypeKind)
		return LLVMBuildIntToPtr(u->builder, bits, type, "");
	if (width < 64)
		bits = LLVMBuildTrunc(u->builder, bits, LLVMIntTypeInContext(u->context, width), "");
	return LLVMGetTypeKind(type) == LLVMIntegerTypeKind ? bits : LLVMBuildBitCast(u->builder, bits, type, "");
}

void unit_unlikely(struct unit *u, LLVMValueRef branch)
{
	LLVMMetadataRef weights[3] = { LLVMMDStringInContext2(u->context, "branch_weights", 14),
		LLVMValueAsMetadata(LLVMConstInt(u->i32, 1, 0)), LLVMValueAsMetadata(LLVMConstInt(u->i32, 100000, 0)) };
	LLVMMetadataRef node = LLVMMDNodeInContext2(u->context, weights, 3);
	LLVMSetMetadata(branch, LLVMGetMDKindIDInContext(u->context, "prof", 4), LLVMMetadataAsValue(u->context, node));
}

static uint32_t noted_number(LLVMValueRef instruction, unsigned kind)
{
	LLVMValueRef node = LLVMGetMetadata(instruction, kind);
	if (!node)
		return 0;
	LLVMValueRef number;
	LLVMGetMDNodeOperands(node, &number);
	return (uint32_t)LLVMConstIntGetZExtValue(number);
}

static void note_number(struct unit *u, LLVMValueRef instruction, unsigned kind, uint32_t value)
{
	LLVMMetadataRef number = LLVMValueAsMetadata(LLVMConstInt(u->i32, value, 0));
	LLVMMetadataRef node = LLVMMDNodeInContext2(u->context, &number, 1);
	LLVMSetMetadata(instruction, kind, LLVMMetadataAsValue(u->context, node));
}

uint32_t site_ordinal(struct unit *u, LLVMValueRef instruction)
{
	return noted_number(instruction, u->site_kind);
}

uint32_t result_ordinal(struct unit *u, LLVMValueRef instruction)
{
	return RESULT_ORDINAL + noted_number(instruction, u->number_kind);
}

/* "count12" and "count.i.i" are still count; names the front end makes up are nobody's. */
static uint32_t useful_name(struct unit *u, const char *name, size_t length)
{
	static const char *const made_up[] = { "arrayidx", "incdec.ptr", "add.ptr", "arraydecay", "scevgep", "this1", "retval",
		"gep", "uglygep", "lsr", "cond", "call", "phi", "tmp", "ref.tmp", "agg", "coerce" };
	const char *dot = memchr(name, '.', length);
	for (size_t i = 0; i < sizeof made_up / sizeof *made_up; i++)
		if (strncmp(name, made_up[i], strlen(made_up[i])) == 0)
			return 0;
	if (dot)
		length = (size_t)(dot - name);
	while (length && isdigit((unsigned char)name[length - 1]))
		length--;
	return length && (isalpha((unsigned char)name[0]) || name[0] == '_') ? table_string(u->table, name, length) + 1 : 0;
}

uint32_t site_name(struct unit *u, LLVMValueRef pointer)
{
	size_t length;
	const char *name;
	for (;;) {
		name = LLVMGetValueName2(pointer, &length);
		if (LLVMIsAGlobalVariable(pointer))
			return length ? table_string(u->table, name, length) + 1 : 0;
		uint32_t useful = length ? useful_name(u, name, length) : 0;
		bool step = LLVMIsAGetElementPtrInst(pointer) ||
			(LLVMIsAConstantExpr(pointer) && LLVMGetConstOpcode(pointer) == LLVMGetElementPtr);
		if (useful || !step)
			return useful;
		pointer = LLVMGetOperand(pointer, 0);
	}
}

/* ---------------------------------------------------------------- functions */

static bool is_left_alone(LLVMValueRef function)
{
	static const char *const attributes[] = { "naked", "disable_sanitizer_instrumentation" };
	if (LLVMIsDeclaration(function) || LLVMGetLinkage(function) == LLVMAvailableExternallyLinkage)
		return true;
	for (size_t i = 0; i < sizeof attributes / sizeof *attributes; i++) {
		unsigned kind = LLVMGetEnumAttributeKindForName(attributes[i], strlen(attributes[i]));
		if (LLVMGetEnumAttributeAtIndex(function, LLVMAttributeFunctionIndex, kind))
			return true;
	}
	return false;
}

/* no_sanitize("thread"): its atomics are events, and what it calls; its accesses are not. */
static bool is_sync_only(LLVMValueRef function)
{
	return LLVMGetStringAttributeAtIndex(function, LLVMAttributeFunctionIndex, SYNC_ONLY, sizeof SYNC_ONLY - 1) != NULL;
}

/* Resolvers run before the program is relocated: no thread-local storage there yet. */
static void leave_resolvers_alone(struct unit *u, struct vmap *skip)
{
	for (LLVMValueRef i = LLVMGetFirstGlobalIFunc(u->module); i; i = LLVMGetNextGlobalIFunc(i))
		vmap_set(skip, LLVMGetGlobalIFuncResolver(i), 1);
}

bool function_is_watched(LLVMValueRef function)
{
	return !is_left_alone(function) && !is_sync_only(function);
}

static bool is_debug_call(LLVMValueRef in)
{
	LLVMValueRef callee = LLVMGetCalledValue(in);
	size_t length;
	return LLVMIsAFunction(callee) && strncmp(LLVMGetValueName2(callee, &length), "llvm.dbg.", 9) == 0;
}

static bool is_site(LLVMValueRef in)
{
	switch (LLVMGetInstructionOpcode(in)) {
	case LLVMLoad: case LLVMStore: case LLVMAtomicRMW: case LLVMAtomicCmpXchg: case LLVMFence: case LLVMInvoke: case LLVMCallBr: case LLVMSwitch:
		return true;
	case LLVMCall:
		return !is_debug_call(in);
	case LLVMBr:
		return LLVMIsConditional(in);
	default:
		return false;
	}
}

static void number_sites(struct unit *u, LLVMValueRef function)
{
	uint32_t ordinal = 0, number = 0;
	for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
		for (LLVMValueRef in = LLVMGetFirstInstruction(b); in; in = LLVMGetNextInstruction(in)) {
			if (is_site(in))
				note_number(u, in, u->site_kind, ordinal++);
			if (u->full)
				note_number(u, in, u->number_kind, number++);
		}
}

struct contents { bool accesses, calls, atomics; };

static struct contents look_at(LLVMValueRef function)
{
	struct contents c = { false, false, false };
	for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
		for (LLVMValueRef in = LLVMGetFirstInstruction(b); in; in = LLVMGetNextInstruction(in)) {
			if (atomic_is(in))
				c.atomics = true;
			else if (LLVMIsALoadInst(in) || LLVMIsAStoreInst(in))
				c.accesses |= !filter_is_private(LLVMGetOperand(in, LLVMIsAStoreInst(in) ? 1 : 0));
			else if (LLVMIsACallInst(in) || LLVMIsAInvokeInst(in) || LLVMIsACallBrInst(in)) {
				size_t length;
				LLVMValueRef callee = LLVMGetCalledValue(in);
				const char *name = LLVMIsAFunction(callee) ? LLVMGetValueName2(callee, &length) : "";
				c.accesses |= strncmp(name, "llvm.mem", 8) == 0 || strncmp(name, "llvm.masked.", 12) == 0;
				c.calls |= !filter_call_is_quiet(in) || asked_by(in);
			}
		}
	return c;
}

/* Atomics of a clean body: native unless somebody records. */
static void guard_atomics(struct function *f, LLVMBasicBlockRef *blocks, size_t count)
{
	LLVMValueRef *found = NULL;
	size_t n = 0;
	for (size_t i = 0; i < count; i++)
		for (LLVMValueRef in = LLVMGetFirstInstruction(blocks[i]); in; in = LLVMGetNextInstruction(in))
			if (atomic_is(in)) {
				found = realloc(found, (n + 1) * sizeof *found);
				if (!found)
					abort();
				found[n++] = in;
			}
	for (size_t i = 0; i < n; i++)
		atomic_replace(f, found[i], atomic_site(f, found[i]), true);
	free(found);
}

/* Level full: what a phi has where nobody gave it a value is whatever a register holds, our own cursor perhaps, and would be recorded.  It is 0 then,
 * which is as good as any. */
static void settle_undefined(LLVMValueRef function)
{
	for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
		for (LLVMValueRef in = LLVMGetFirstInstruction(b); in && LLVMIsAPHINode(in); in = LLVMGetNextInstruction(in))
			for (unsigned i = 0; i < LLVMCountIncoming(in); i++)
				if (LLVMIsUndef(LLVMGetIncomingValue(in, i)) || LLVMIsPoison(LLVMGetIncomingValue(in, i)))
					LLVMSetOperand(in, i, LLVMConstNull(LLVMTypeOf(in)));
}

/* What the runtime is asked for tells its place by where it returns to: by a jump it would return to our caller, and be told there. */
static void call_runtime_to_return(LLVMValueRef function)
{
	for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
		for (LLVMValueRef in = LLVMGetFirstInstruction(b); in; in = LLVMGetNextInstruction(in))
			if (LLVMIsACallInst(in) && LLVMGetTailCallKind(in) == LLVMTailCallKindTail && filter_is_of_runtime(name_of_callee(in)))
				LLVMSetTailCallKind(in, LLVMTailCallKindNoTail);
}

static void instrument_function(struct unit *u, LLVMValueRef function)
{
	call_runtime_to_return(function);
	atomic_expand(u, function);
	struct contents c = look_at(function);
	c.accesses |= u->full;
	c.calls |= rounds_waits_unseen(function);
	if (u->full)
		settle_undefined(function);
	struct function f = { .unit = u, .clean = function, .value = function };
	if (c.atomics || u->level >= MODE_ACCESS)
		f.index = table_function(u->table, function);
	if (!c.atomics && (u->level < MODE_ACCESS || (!c.accesses && !c.calls)))
		return;
	size_t count = LLVMCountBasicBlocks(function);
	LLVMBasicBlockRef *clean = malloc(sizeof(LLVMBasicBlockRef) * count);
	if (!clean)
		abort();
	LLVMGetBasicBlocks(function, clean);
	bool record = u->level >= MODE_ACCESS && (c.accesses || c.calls) && !is_sync_only(function);
	if (record) {
		f.flow = clone_body(&f);
		table_stands_for(u->table, f.value, function);
		split_body(&f);
		expand_memory(&f);
		if (f.flow)
			f.steered = steer_start(&f);
		LLVMPositionBuilderBefore(u->builder, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(f.value)));
		LLVMSetCurrentDebugLocation2(u->builder, NULL);
		f.cursor = LLVMBuildAlloca(u->builder, u->i64, "raddle.cursor");
		group_body(&f);
		if (f.steered)
			steer_finish(f.steered);
		known_callees(u, f.value);
		if (f.value != function)
			door_lines_only(f.value);
	}
	if (c.atomics && (!record || f.flow))
		guard_atomics(&f, clean, count);
	free(f.body);
	free(clean);
}

/* What called.c looks for in front of a function. */
static void mark_built(struct unit *u, LLVMValueRef function)
{
	LLVMValueRef words[2] = { unit_number(u, BUILT_MARK_1), unit_number(u, BUILT_MARK_2) };
	if (u->level >= MODE_ACCESS && function_is_watched(function))
		door_put_in_front(function, LLVMConstArray2(u->i64, words, 2));
}

/* ---------------------------------------------------------------- the module */

static void set_up(struct unit *u, LLVMModuleRef module)
{
	const char *level = getenv("RADDLE_LEVEL");
	u->module = module;
	u->context = LLVMGetModuleContext(module);
	u->layout = LLVMGetModuleDataLayout(module);
	u->builder = LLVMCreateBuilderInContext(u->context);
	u->i1 = LLVMInt1TypeInContext(u->context);
	u->i8 = LLVMInt8TypeInContext(u->context);
	u->i32 = LLVMInt32TypeInContext(u->context);
	u->i64 = LLVMInt64TypeInContext(u->context);
	u->pointer = LLVMPointerTypeInContext(u->context, 0);
	u->nothing = LLVMVoidTypeInContext(u->context);
	u->site_kind = LLVMGetMDKindIDInContext(u->context, "raddle.site", 11);
	u->kept_kind = LLVMGetMDKindIDInContext(u->context, "raddle.kept", 11);
	u->number_kind = LLVMGetMDKindIDInContext(u->context, "raddle.number", 13);
	u->level = level && strcmp(level, "sync") == 0 ? MODE_SYNC : MODE_ACCESS;
	u->full = instrument_full();
	if (u->full)
		filter_nothing();
	u->tls = LLVMAddGlobal(module, LLVMArrayType2(u->i8, sizeof(struct raddle_tls)), "raddle_tls");
	LLVMSetThreadLocalMode(u->tls, LLVMInitialExecTLSModel);
	LLVMSetAlignment(u->tls, 8);
}

static bool was_done(LLVMModuleRef module)
{
	return LLVMGetNamedGlobal(module, "raddle_tls") || LLVMGetNamedFunction(module, "raddle.announce");
}

int instrument_module(LLVMModuleRef module)
{
	struct unit unit, *u = &unit;
	struct vmap skip = { 0 };
	uint64_t unused;
	size_t length;
	if (was_done(module))
		return 0;
	memset(u, 0, sizeof *u);
	set_up(u, module);
	leave_resolvers_alone(u, &skip);
	bitcode_keep(u);
	for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
		if (!LLVMIsDeclaration(f))
			number_sites(u, f);
	for (LLVMValueRef f = LLVMGetFirstFunction(module); f && !u->full; f = LLVMGetNextFunction(f))
		if (!LLVMIsDeclaration(f) && !is_left_alone(f))
			left_mark(u, f);
	u->table = table_new(u, LLVMGetSourceFileName(module, &length));
	LLVMValueRef last = LLVMGetLastFunction(module);
	for (LLVMValueRef f = LLVMGetFirstFunction(module), next; f; f = next) {
		next = f == last ? NULL : LLVMGetNextFunction(f);
		if (is_left_alone(f) || vmap_get(&skip, f, &unused))
			continue;
		instrument_function(u, f);
		mark_built(u, f);
	}
	table_finish(u->table);
	vmap_release(&skip);
	ways_release(u);
	LLVMDisposeBuilder(u->builder);
	return 1;
}
