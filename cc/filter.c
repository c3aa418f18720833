/* cc/filter.c -- what need not be recorded, decided before a single hook is written.
 *   private memory   a local whose address never leaves the function, a constant, a thread-local variable of this module
 *                    that is only ever read and written by name: no other thread and no other function can see it;
 *   quiet calls      functions that cannot reach an event and touch no memory of the program (mathematics);
 *   idle branches    conditions computed from constants and counters alone. */
#include <string.h>

#include "cc/door.h"
#include "cc/pass.h"
#include "wire/interposed.h"

#define USE_DEPTH 12
#define SLICE_DEPTH 24

static bool nothing_filtered;

void filter_nothing(void)
{
	nothing_filtered = true;
}

/* Does this intrinsic only look at or mark the memory it is given? */
static bool harmless_intrinsic(LLVMValueRef call)
{
	static const char *const prefixes[] = { "llvm.lifetime.", "llvm.dbg.", "llvm.memcpy.", "llvm.memmove.", "llvm.memset.",
		"llvm.assume", "llvm.invariant.", "llvm.va_", "llvm.threadlocal.address", "llvm.experimental.noalias.scope.decl" };
	LLVMValueRef callee = LLVMGetCalledValue(call);
	unsigned id = LLVMIsAFunction(callee) ? LLVMGetIntrinsicID(callee) : 0;
	size_t length;
	const char *name = LLVMGetValueName2(callee, &length);
	if (!id)                                 /* our own stand-ins for the intrinsics below */
		return LLVMIsAFunction(callee) && strncmp(name, "raddle_mem", 10) == 0;
	for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
		if (strncmp(name, prefixes[i], strlen(prefixes[i])) == 0)
			return true;
	return false;
}

static bool stays_here(LLVMValueRef pointer, LLVMValueRef lent_to, int depth);

/* Is the pointer only lent to the callee, as far as this call goes?  What `lent_to` does with it is not asked. */
static bool is_lent(LLVMValueRef call, LLVMValueRef pointer, LLVMValueRef lent_to)
{
	unsigned kind = LLVMGetEnumAttributeKindForName("nocapture", 9);
	LLVMValueRef callee = LLVMGetCalledValue(call);
	if (!lent_to || callee == pointer)
		return false;
	for (unsigned i = 0; callee != lent_to && i < LLVMGetNumArgOperands(call); i++)
		if (LLVMGetOperand(call, i) == pointer && !LLVMGetCallSiteEnumAttribute(call, i + 1, kind) &&
			!(LLVMIsAFunction(callee) && i < LLVMCountParams(callee) && LLVMGetEnumAttributeAtIndex(callee, i + 1, kind)))
			return false;
	return true;
}

/* May this use make the pointer known to anybody else? */
static bool use_stays_here(LLVMValueRef pointer, LLVMValueRef user, LLVMValueRef lent_to, int depth)
{
	if (!LLVMIsAInstruction(user))
		return LLVMIsAConstantExpr(user) && LLVMGetConstOpcode(user) == LLVMGetElementPtr && stays_here(user, lent_to, depth + 1);
	switch (LLVMGetInstructionOpcode(user)) {
	case LLVMLoad:
	case LLVMICmp:
		return true;
	case LLVMStore:
		return LLVMGetOperand(user, 0) != pointer;
	case LLVMGetElementPtr:
	case LLVMBitCast:
	case LLVMPHI:
	case LLVMSelect:
		return stays_here(user, lent_to, depth + 1);
	case LLVMInvoke:
		return is_lent(user, pointer, lent_to);
	case LLVMCall:
		if (!harmless_intrinsic(user))
			return is_lent(user, pointer, lent_to);
		return LLVMGetTypeKind(LLVMTypeOf(user)) != LLVMPointerTypeKind || stays_here(user, lent_to, depth + 1);
	default:
		return false;
	}
}

static bool stays_here(LLVMValueRef pointer, LLVMValueRef lent_to, int depth)
{
	if (depth > USE_DEPTH)
		return false;
	for (LLVMUseRef use = LLVMGetFirstUse(pointer); use; use = LLVMGetNextUse(use))
		if (!use_stays_here(pointer, LLVMGetUser(use), lent_to, depth))
			return false;
	return true;
}

/* The object a pointer is computed from, through constant and variable steps. */
static LLVMValueRef object_of(LLVMValueRef pointer)
{
	for (;;) {
		bool step = LLVMIsAGetElementPtrInst(pointer) || LLVMIsABitCastInst(pointer) ||
			(LLVMIsAConstantExpr(pointer) && LLVMGetConstOpcode(pointer) == LLVMGetElementPtr);
		if (LLVMIsACallInst(pointer)) {
			LLVMValueRef callee = LLVMGetCalledValue(pointer);
			size_t length;
			const char *name = LLVMGetValueName2(callee, &length);
			step = LLVMIsAFunction(callee) && strncmp(name, "llvm.threadlocal.address", 24) == 0;
		}
		if (!step)
			return pointer;
		pointer = LLVMGetOperand(pointer, 0);
	}
}

/* va_arg reads the area the compiler itself filled at the call. */
static bool is_argument_area(LLVMValueRef object)
{
	if (!LLVMIsALoadInst(object))
		return false;
	LLVMValueRef from = object_of(LLVMGetOperand(object, 0));
	if (!LLVMIsAAllocaInst(from))
		return false;
	LLVMTypeRef type = LLVMGetAllocatedType(from);
	while (LLVMGetTypeKind(type) == LLVMArrayTypeKind)
		type = LLVMGetElementType(type);
	const char *name = LLVMGetTypeKind(type) == LLVMStructTypeKind ? LLVMGetStructName(type) : NULL;
	return name && strcmp(name, "struct.__va_list_tag") == 0;
}

/* A struct passed by value is the function's own copy. */
static bool is_by_value(LLVMValueRef object)
{
	if (!LLVMIsAArgument(object))
		return false;
	LLVMValueRef function = LLVMGetParamParent(object);
	unsigned kind = LLVMGetEnumAttributeKindForName("byval", 5);
	for (unsigned i = 0; i < LLVMCountParams(function); i++)
		if (LLVMGetParam(function, i) == object)
			return LLVMGetEnumAttributeAtIndex(function, i + 1, kind) != NULL;
	return false;
}

/* lent_to: the function it is handed to, if it is, does not count as somebody else. */
static bool is_private(LLVMValueRef pointer, LLVMValueRef lent_to, int depth)
{
	LLVMValueRef object = object_of(pointer);
	if (depth < 4 && LLVMIsASelectInst(object))
		return is_private(LLVMGetOperand(object, 1), lent_to, depth + 1) &&
			is_private(LLVMGetOperand(object, 2), lent_to, depth + 1);
	if (depth < 4 && LLVMIsAPHINode(object)) {
		for (unsigned i = 0; i < LLVMCountIncoming(object); i++)
			if (object_of(LLVMGetIncomingValue(object, i)) != object &&
				!is_private(LLVMGetIncomingValue(object, i), lent_to, depth + 1))
				return false;
		return true;
	}
	if (LLVMIsAAllocaInst(object) || is_by_value(object))
		return stays_here(object, lent_to, 0);
	if (LLVMIsAGlobalVariable(object)) {
		if (LLVMIsGlobalConstant(object))
			return true;
		LLVMLinkage linkage = LLVMGetLinkage(object);
		return LLVMIsThreadLocal(object) && (linkage == LLVMInternalLinkage || linkage == LLVMPrivateLinkage) &&
			stays_here(object, lent_to, 0);
	}
	return is_argument_area(object);
}

bool filter_is_private(LLVMValueRef pointer)
{
	return !nothing_filtered && is_private(pointer, NULL, 0);
}

static bool may_be_thread_local(LLVMValueRef pointer, int depth)
{
	LLVMValueRef object = object_of(pointer);
	bool some = LLVMIsAGlobalVariable(object) && LLVMIsThreadLocal(object);
	if (depth < 4 && LLVMIsASelectInst(object))
		return may_be_thread_local(LLVMGetOperand(object, 1), depth + 1) || may_be_thread_local(LLVMGetOperand(object, 2), depth + 1);
	for (unsigned i = 0; !some && depth < 4 && LLVMIsAPHINode(object) && i < LLVMCountIncoming(object); i++)
		some = object_of(LLVMGetIncomingValue(object, i)) != object && may_be_thread_local(LLVMGetIncomingValue(object, i), depth + 1);
	return some;
}

bool filter_is_own(LLVMValueRef pointer)
{
	return filter_is_private(pointer) && may_be_thread_local(pointer, 0);
}

static bool is_by_value_argument(LLVMValueRef call, unsigned i)
{
	return LLVMGetCallSiteEnumAttribute(call, i + 1, LLVMGetEnumAttributeKindForName("byval", 5)) != NULL;
}

bool filter_hands_over(LLVMValueRef call)
{
	for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++) {
		LLVMValueRef argument = LLVMGetOperand(call, i);
		if (LLVMGetTypeKind(LLVMTypeOf(argument)) != LLVMPointerTypeKind || is_by_value_argument(call, i))
			continue;
		LLVMValueRef object = object_of(argument);
		bool nothing = LLVMIsAConstantPointerNull(object) || LLVMIsUndef(object) || LLVMIsAFunction(object);
		if (!nothing && !is_private(argument, LLVMGetCalledValue(call), 0))
			return true;
	}
	return false;
}

bool filter_call_is_inline(LLVMValueRef call)
{
	LLVMValueRef callee = LLVMGetCalledValue(call);
	return LLVMIsAInlineAsm(callee) || (LLVMIsAFunction(callee) && LLVMGetIntrinsicID(callee));
}

static bool is_silent_intrinsic(LLVMValueRef call, LLVMValueRef callee)
{
	size_t length;
	return door_touches_no_memory(call) ||
		(harmless_intrinsic(call) && strncmp(LLVMGetValueName2(callee, &length), "llvm.mem", 8) != 0);
}

/* A function of this module without a single event, which nobody can put another in the place of. */
static bool is_silent(LLVMValueRef function, int depth)
{
	LLVMLinkage linkage = LLVMGetLinkage(function);
	if (depth > 3 || LLVMIsDeclaration(function) || !door_is_dso_local(function) || linkage == LLVMWeakAnyLinkage ||
		linkage == LLVMLinkOnceAnyLinkage)
		return false;
	for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
		for (LLVMValueRef in = LLVMGetFirstInstruction(b); in; in = LLVMGetNextInstruction(in)) {
			bool call = LLVMIsACallInst(in) || LLVMIsAInvokeInst(in) || LLVMIsACallBrInst(in);
			LLVMValueRef callee = call ? LLVMGetCalledValue(in) : NULL;
			if (LLVMIsALoadInst(in) || LLVMIsAStoreInst(in)) {
				if (atomic_is(in) || !filter_is_private(LLVMGetOperand(in, LLVMIsAStoreInst(in) ? 1 : 0)))
					return false;
			} else if (atomic_is(in) || (call && (!LLVMIsAFunction(callee) || asked_by(in)))) {
				return false;
			} else if (call && !(LLVMGetIntrinsicID(callee) ? is_silent_intrinsic(in, callee) : is_silent(callee, depth + 1))) {
				return false;
			}
		}
	return true;
}

bool filter_call_is_quiet(LLVMValueRef call)
{
	static const char *const quiet[] = { "acos", "asin", "atan", "atan2", "cbrt", "ceil", "copysign", "cos", "cosh", "erf",
		"erfc", "exp", "exp2", "expm1", "fabs", "fdim", "floor", "fma", "fmax", "fmin", "fmod", "hypot", "ldexp",
		"llrint", "llround", "log", "log10", "log1p", "log2", "logb", "lrint", "lround", "nearbyint", "pow", "remainder",
		"rint", "round", "sin", "sinh", "sqrt", "tan", "tanh", "tgamma", "trunc", "abs", "labs", "llabs",
		"__errno_location", "__ctype_b_loc", "__ctype_tolower_loc", "__ctype_toupper_loc", "isalpha", "isdigit", "isspace",
		"tolower", "toupper", "ntohl", "ntohs", "htonl", "htons" };
	LLVMValueRef callee = LLVMGetCalledValue(call);
	if (filter_call_is_inline(call))
		return true;
	if (!LLVMIsAFunction(callee))
		return false;
	if (LLVMIsDeclaration(callee) && door_touches_no_memory(call))
		return true;
	if (is_silent(callee, 0))
		return true;
	size_t length;
	const char *name = LLVMGetValueName2(callee, &length);
	for (size_t i = 0; i < sizeof quiet / sizeof *quiet; i++) {
		size_t n = strlen(quiet[i]);
		if (strncmp(name, quiet[i], n) == 0 && (length == n || (length == n + 1 && (name[n] == 'f' || name[n] == 'l'))))
			return LLVMIsDeclaration(callee);
	}
	return false;
}

static bool computed_from_reads(LLVMValueRef value, struct vmap *seen, int depth)
{
	uint64_t unused;
	if (!LLVMIsAInstruction(value))
		return LLVMIsAArgument(value);
	if (vmap_get(seen, value, &unused))
		return false;
	vmap_set(seen, value, 1);
	if (depth > SLICE_DEPTH || LLVMIsALoadInst(value) || LLVMIsAInvokeInst(value) || LLVMIsAAtomicRMWInst(value) ||
		LLVMIsAAtomicCmpXchgInst(value) || LLVMIsALandingPadInst(value))
		return true;
	if (LLVMIsACallInst(value) && (asked_by(value) || !(LLVMIsAFunction(LLVMGetCalledValue(value)) && filter_call_is_quiet(value))))
		return true;
	unsigned count = LLVMIsACallInst(value) ? LLVMGetNumArgOperands(value) : (unsigned)LLVMGetNumOperands(value);
	for (unsigned i = 0; i < count; i++)
		if (computed_from_reads(LLVMGetOperand(value, i), seen, depth + 1))
			return true;
	return false;
}

bool filter_branch_matters(LLVMValueRef condition)
{
	if (nothing_filtered)
		return true;
	struct vmap seen = { 0 };
	bool matters = computed_from_reads(condition, &seen, 0);
	vmap_release(&seen);
	return matters;
}

bool filter_is_of_runtime(const char *name)
{
	static const char *const known[] = { "raddle_", "_Znw", "_Zna", "_Zdl", "_Zda" };
	static const char *const interposed[] = {
#define X(name) #name,
		INTERPOSED_THREADS(X) INTERPOSED_PLAIN(X)
#undef X
	};
	for (size_t i = 0; i < sizeof known / sizeof *known; i++)
		if (strncmp(name, known[i], strlen(known[i])) == 0)
			return true;
	for (size_t i = 0; i < sizeof interposed / sizeof *interposed; i++)
		if (strcmp(name, interposed[i]) == 0)
			return true;
	return false;
}
