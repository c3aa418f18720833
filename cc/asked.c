/* cc/asked.c -- what decides a run and is no call that is interposed (wire/asked.h), in the recorded body: a hook in front of each names it.
 *   instructions   by their intrinsic, or by their name in inline assembly; other assembly that may touch memory is named as such
 *   threads        pthread_self() whose value goes anywhere but into == and !=, or into a function that takes a thread: kept in memory,
 *                  printed, hashed, returned.  Which thread is which does not change from run to run, the numbers do.
 *   barriers       pthread_barrier_wait() whose result is used: which thread is the serial one */
#include <ctype.h>
#include <string.h>

#include "cc/door.h"
#include "cc/pass.h"
#include "wire/asked.h"

#define USE_DEPTH 8

static const struct { const char *name; enum asked what; } by_name[] = {        /* a '.' at the end: and whatever follows */
	{ "llvm.x86.rdtsc", ASKED_RDTSC }, { "llvm.x86.rdtscp", ASKED_RDTSCP }, { "llvm.x86.rdrand.", ASKED_RDRAND },
	{ "llvm.x86.rdseed.", ASKED_RDSEED }, { "llvm.x86.rdpmc", ASKED_RDPMC }, { "llvm.x86.rdpid", ASKED_RDPID },
	{ "llvm.readcyclecounter", ASKED_RDTSC }, { "llvm.readsteadycounter", ASKED_RDTSC },
	{ "pthread_barrier_wait", ASKED_SERIAL }, { "pthread_self", ASKED_SELF }, { "thrd_current", ASKED_CURRENT }, { "_ZNSt13random_device9_M_getvalEv", ASKED_DEVICE }
};

/* In assembly a letter for the size may follow. */
static const struct { const char *name; enum asked what; } by_word[] = {
	{ "rdtsc", ASKED_RDTSC }, { "rdtscp", ASKED_RDTSCP }, { "rdrand", ASKED_RDRAND }, { "rdseed", ASKED_RDSEED },
	{ "rdpmc", ASKED_RDPMC }, { "rdpid", ASKED_RDPID }, { "cpuid", ASKED_CPUID }, { "syscall", ASKED_SYSCALL }, { "sysenter", ASKED_SYSCALL },
	{ "pause", ASKED_NOTHING }, { "nop", ASKED_NOTHING }, { "rep", ASKED_NOTHING }, { "mfence", ASKED_NOTHING }, { "lfence", ASKED_NOTHING },
	{ "sfence", ASKED_NOTHING }
};

/* ---------------------------------------------------------------- assembly */

/* What the word of `length` letters says; ASKED_ASSEMBLY: it is none of those above. */
static enum asked word_says(const char *word, size_t length)
{
	for (size_t i = 0; i < sizeof by_word / sizeof *by_word; i++) {
		size_t n = strlen(by_word[i].name);
		if (length >= n && !memcmp(word, by_word[i].name, n) && (length == n || (length == n + 1 && strchr("wlq", word[n]))))
			return by_word[i].what;
	}
	return ASKED_ASSEMBLY;
}

static enum asked assembly_says(LLVMValueRef call)
{
	size_t length, n;
	const char *text = door_assembly(LLVMGetCalledValue(call), &length);
	enum asked all = ASKED_NOTHING;
	for (size_t i = 0; i < length; i += n ? n : 1) {
		for (n = 0; i + n < length && (isalnum((unsigned char)text[i + n]) || text[i + n] == '_'); n++)
			;
		enum asked one = n ? word_says(text + i, n) : ASKED_NOTHING;
		if (one && (all == ASKED_NOTHING || all == ASKED_ASSEMBLY || (all == ASKED_CPUID && one != ASKED_ASSEMBLY)))   /* cpuid; rdtsc */
			all = one;
	}
	return all == ASKED_ASSEMBLY && door_touches_no_memory(call) ? ASKED_NOTHING : all;
}

/* ---------------------------------------------------------------- numbers of threads */

/* Of a library, though its header may say what is in it. */
static bool is_elsewhere(LLVMValueRef function)
{
	return LLVMIsDeclaration(function) || LLVMGetLinkage(function) == LLVMAvailableExternallyLinkage;
}

static bool takes_a_thread(LLVMValueRef call)
{
	static const char *const names[] = { "pthread_equal", "pthread_join", "pthread_detach", "pthread_cancel", "pthread_kill", "pthread_sigqueue",
		"pthread_setname_np", "pthread_getname_np", "pthread_setaffinity_np", "pthread_getaffinity_np", "pthread_setschedparam",
		"pthread_getschedparam", "pthread_setschedprio", "pthread_tryjoin_np", "pthread_timedjoin_np", "thrd_equal", "thrd_join", "thrd_detach" };
	LLVMValueRef callee = LLVMGetCalledValue(call);
	size_t length;
	const char *name = LLVMIsAFunction(callee) && is_elsewhere(callee) ? LLVMGetValueName2(callee, &length) : "";
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (!strcmp(name, names[i]))
			return true;
	return false;
}

static bool is_used(LLVMValueRef number, int depth);

/* Where a variable's life begins and ends. */
static bool marks_only(LLVMValueRef user)
{
	size_t length;
	LLVMValueRef callee = LLVMIsACallInst(user) ? LLVMGetCalledValue(user) : NULL;
	return callee && LLVMIsAFunction(callee) && !strncmp(LLVMGetValueName2(callee, &length), "llvm.lifetime.", 14);
}

/* A local variable the number is kept in: all that is read from it may be the number. */
static bool is_used_from(LLVMValueRef variable, int depth)
{
	if (!LLVMIsAAllocaInst(variable) || !filter_is_private(variable))
		return true;
	for (LLVMUseRef use = LLVMGetFirstUse(variable); use; use = LLVMGetNextUse(use)) {
		LLVMValueRef user = LLVMGetUser(use);
		if (LLVMIsALoadInst(user) ? is_used(user, depth + 1) : !LLVMIsAStoreInst(user) && !marks_only(user))
			return true;
	}
	return false;
}

static bool is_used_by(LLVMValueRef number, LLVMValueRef user, int depth)
{
	if (!LLVMIsAInstruction(user))
		return true;
	switch (LLVMGetInstructionOpcode(user)) {
	case LLVMICmp:
		return LLVMGetICmpPredicate(user) != LLVMIntEQ && LLVMGetICmpPredicate(user) != LLVMIntNE;
	case LLVMCall: case LLVMInvoke:
		return !takes_a_thread(user);
	case LLVMPHI: case LLVMSelect:
		return is_used(user, depth + 1);
	case LLVMStore:
		return LLVMGetOperand(user, 0) == number && is_used_from(LLVMGetOperand(user, 1), depth);
	default:
		return true;
	}
}

static bool is_used(LLVMValueRef number, int depth)
{
	if (depth > USE_DEPTH)
		return true;
	for (LLVMUseRef use = LLVMGetFirstUse(number); use; use = LLVMGetNextUse(use))
		if (is_used_by(number, LLVMGetUser(use), depth))
			return true;
	return false;
}

/* ---------------------------------------------------------------- the door */

static bool is_called(const char *name, const char *wanted)
{
	size_t n = strlen(wanted);
	return wanted[n - 1] == '.' ? !strncmp(name, wanted, n) : !strcmp(name, wanted);
}

uint32_t asked_by(LLVMValueRef in)
{
	if (!LLVMIsACallInst(in) && !LLVMIsAInvokeInst(in) && !LLVMIsACallBrInst(in))
		return ASKED_NOTHING;
	LLVMValueRef callee = LLVMGetCalledValue(in);
	size_t length;
	if (LLVMIsAInlineAsm(callee))
		return assembly_says(in);
	if (!LLVMIsAFunction(callee) || !LLVMIsDeclaration(callee))
		return ASKED_NOTHING;
	const char *name = LLVMGetValueName2(callee, &length);
	for (size_t i = 0; i < sizeof by_name / sizeof *by_name; i++)
		if (is_called(name, by_name[i].name)) {
			bool thread = by_name[i].what == ASKED_SELF || by_name[i].what == ASKED_CURRENT;
			bool unused = by_name[i].what == ASKED_SERIAL && !LLVMGetFirstUse(in);
			return unused || (thread && !is_used(in, 0)) ? ASKED_NOTHING : by_name[i].what;
		}
	return ASKED_NOTHING;
}

void asked_note(struct function *f, LLVMValueRef in)
{
	static const char *const words[] = { "",
#define X(name, words) words,
		ASKED(X)
#undef X
	};
	struct unit *u = f->unit;
	uint32_t what = asked_by(in);
	LLVMTypeRef type, params[2] = { u->i32, u->pointer };
	if (!what)
		return;
	LLVMValueRef hook = unit_hook(u, "raddle_asks", u->nothing, params, 2, &type);
	LLVMValueRef args[2] = { LLVMConstInt(u->i32, what, 0), library_site(f, in, words[what]) };
	unit_before(u, in);
	LLVMBuildCall2(u->builder, type, hook, args, 2, "");
}
