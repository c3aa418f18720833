/* cc/rounds.c -- where the steered body may go round, wait in assembly or write, and the runtime would see nothing of it.
 *
 * A loop that waits mostly reads, and each read is a point.  But what it reads may be read by inline assembly, and a compiler that knows that nobody
 * writes there leaves an empty loop.  So raddle_round stands at the end of each round (an edge back to a block that leads there) unless the block it
 * ends or the one it goes back to has an access the runtime sees anyway, or it counts up to something, and raddle_asm in front of each inline assembly that may do more than compute.  If that has a label,
 * it may go round inside: raddle_asm_begins and raddle_asm_ends stand around it.
 *
 * What a loop counts in a thread-local variable nobody else can see has no event, and what it asks of the outside (a clock, a random number) is in no memory.
 * raddle_own stands in front of both: two states of the thread that differ in that alone are two. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "cc/group.h"
#include "wire/interposed.h"

struct rounds {
	const struct function *f;
	const struct vmap *seen;                  /* accesses of the body the runtime sees */
	struct vmap ends;                         /* last instructions of blocks that end a round */
	struct vmap index;                        /* block -> its index in the body */
	enum { NEW, OPEN, DONE } *state;
};

struct visit { uint64_t block; unsigned next; };

/* Pauses and fences: whatever they do, no value changes by them. */
static bool is_idle(const char *text, size_t length)
{
	static const char *const words[] = { "pause", "rep", "nop", "mfence", "lfence", "sfence" };
	size_t at = 0;
	while (at < length) {
		size_t end = at, i = 0;
		while (end < length && isalnum((unsigned char)text[end]))
			end++;
		while (end > at && i < sizeof words / sizeof *words && (strlen(words[i]) != end - at || strncmp(words[i], text + at, end - at)))
			i++;
		if (i == sizeof words / sizeof *words || (end == at && !isspace((unsigned char)text[at]) && text[at] != ';'))
			return false;
		at = end + (end == at);
	}
	return true;
}

static bool is_assembly(LLVMValueRef in)
{
	size_t length;
	if ((!LLVMIsACallInst(in) && !LLVMIsACallBrInst(in)) || !LLVMIsAInlineAsm(LLVMGetCalledValue(in)))
		return false;
	LLVMValueRef code = LLVMGetCalledValue(in);
	const char *text = LLVMGetInlineAsmAsmString(code, &length);
	return !is_idle(text, length) && LLVMGetInlineAsmHasSideEffects(code);
}

/* Functions the runtime stands in front of that may say something else each time. */
static bool is_outside(const char *name)
{
	static const char *const names[] = {
#define X(name) #name,
		INTERPOSED_PLAIN(X)
#undef X
	};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (!strcmp(name, names[i]))
			return true;
	return false;
}

/* Does it write to a thread-local variable without an event, or ask the outside? */
static bool writes_own(LLVMValueRef in)
{
	if (LLVMIsAStoreInst(in))
		return filter_is_own(LLVMGetOperand(in, 1));
	if ((!LLVMIsACallInst(in) && !LLVMIsAInvokeInst(in)) || !LLVMIsAFunction(LLVMGetCalledValue(in)))
		return false;
	const char *name = name_of_callee(in);
	return is_outside(name) || (strncmp(name, "llvm.mem", 8) == 0 && filter_is_own(LLVMGetOperand(in, 0)));
}

/* Has it a label?  Then it may have a loop. */
static bool has_label(LLVMValueRef in)
{
	size_t length;
	const char *text = LLVMGetInlineAsmAsmString(LLVMGetCalledValue(in), &length);
	for (size_t i = 1; i < length; i++)
		if (text[i] == ':' && (isalnum((unsigned char)text[i - 1]) || text[i - 1] == '_' || text[i - 1] == '}') &&
			(i + 1 == length || isspace((unsigned char)text[i + 1]) || text[i + 1] == ';'))
			return true;
	return false;
}

bool rounds_waits_unseen(LLVMValueRef function)
{
	bool ends = false;
	for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
		for (LLVMValueRef in = LLVMGetFirstInstruction(b); in; in = LLVMGetNextInstruction(in)) {
			ends |= LLVMIsAReturnInst(in) || LLVMIsAUnreachableInst(in);
			if (is_assembly(in) || writes_own(in))
				return true;
		}
	return !ends;
}

static bool is_seen(const struct rounds *r, LLVMBasicBlockRef block)
{
	uint64_t at;
	for (LLVMValueRef in = LLVMGetFirstInstruction(block); in; in = LLVMGetNextInstruction(in))
		if (is_assembly(in) || (vmap_get(r->seen, in, &at) && (LLVMIsALoadInst(in) || LLVMIsAStoreInst(in) || atomic_is(in))))
			return true;
	return false;
}

static bool stays(LLVMValueRef value)
{
	return LLVMIsAConstant(value) || LLVMIsAArgument(value) ||
		(LLVMIsAInstruction(value) && LLVMGetInstructionParent(value) == LLVMGetEntryBasicBlock(LLVMGetBasicBlockParent(LLVMGetInstructionParent(value))));
}

/* A number that grows by the same each round; `next` is what it is then. */
static bool is_counter(LLVMValueRef next)
{
	if (!LLVMIsABinaryOperator(next) || LLVMGetInstructionOpcode(next) != LLVMAdd || !LLVMIsAConstantInt(LLVMGetOperand(next, 1)))
		return false;
	LLVMValueRef phi = LLVMGetOperand(next, 0);
	for (unsigned i = 0; LLVMIsAPHINode(phi) && i < LLVMCountIncoming(phi); i++)
		if (LLVMGetIncomingValue(phi, i) == next)
			return true;
	return false;
}

/* It counts up to something: it ends by itself. */
static bool is_counted(LLVMValueRef end)
{
	LLVMValueRef asked = LLVMIsABranchInst(end) && LLVMIsConditional(end) ? LLVMGetCondition(end) : NULL;
	return asked && LLVMIsAICmpInst(asked) && is_counter(LLVMGetOperand(asked, 0)) && stays(LLVMGetOperand(asked, 1));
}

static void edge(struct rounds *r, LLVMBasicBlockRef from, LLVMBasicBlockRef to)
{
	if (!is_seen(r, from) && !is_seen(r, to) && !is_counted(LLVMGetBasicBlockTerminator(from)))
		vmap_set(&r->ends, LLVMGetBasicBlockTerminator(from), 1);
}

/* Depth first, without recursion: functions may have many blocks. */
static void walk(struct rounds *r, uint64_t first, struct visit *stack)
{
	size_t depth = 1;
	stack[0] = (struct visit){ first, 0 };
	r->state[first] = OPEN;
	while (depth) {
		struct visit *v = &stack[depth - 1];
		LLVMValueRef last = LLVMGetBasicBlockTerminator(r->f->body[v->block]);
		uint64_t to;
		if (v->next == LLVMGetNumSuccessors(last)) {
			r->state[v->block] = DONE;
			depth--;
		} else if (vmap_get(&r->index, LLVMGetSuccessor(last, v->next++), &to)) {
			if (r->state[to] == OPEN)
				edge(r, r->f->body[v->block], r->f->body[to]);
			if (r->state[to] == NEW) {
				r->state[to] = OPEN;
				stack[depth++] = (struct visit){ to, 0 };
			}
		}
	}
}

struct rounds *rounds_find(const struct function *f, const struct vmap *seen)
{
	struct rounds *r = calloc(1, sizeof *r);
	struct visit *stack = calloc(f->body_count + 1, sizeof *stack);
	if (!r || !stack || !(r->state = calloc(f->body_count + 1, sizeof *r->state)))
		abort();
	r->f = f;
	r->seen = seen;
	for (size_t i = 0; i < f->body_count; i++)
		vmap_set(&r->index, f->body[i], i);
	for (size_t i = 0; i < f->body_count; i++)
		if (r->state[i] == NEW)
			walk(r, i, stack);
	free(stack);
	return r;
}

/* After it.  Of asm goto that is where each of its ways begins: a thread that comes there by another way has not begun, and ends nothing. */
static void asm_ends(struct unit *u, LLVMValueRef in)
{
	unsigned ways = LLVMIsACallBrInst(in) ? LLVMGetNumSuccessors(in) : 0;
	for (unsigned i = 0; i < ways; i++) {
		unit_before(u, first_real(LLVMGetSuccessor(in, i)));
		steer_call(u, "raddle_asm_ends", u->nothing, NULL, NULL, 0);
	}
	if (!ways) {
		unit_after(u, in);
		steer_call(u, "raddle_asm_ends", u->nothing, NULL, NULL, 0);
	}
}

void rounds_at(const struct rounds *r, LLVMValueRef in)
{
	struct unit *u = r->f->unit;
	uint64_t at;
	const char *name = is_assembly(in) ? "raddle_asm" : vmap_get(&r->ends, in, &at) ? "raddle_round" : writes_own(in) ? "raddle_own" : NULL;
	if (!name)
		return;
	unit_before(u, in);
	steer_call(u, name, u->nothing, NULL, NULL, 0);
	if (!is_assembly(in) || !has_label(in))
		return;
	steer_call(u, "raddle_asm_begins", u->nothing, NULL, NULL, 0);
	asm_ends(u, in);
}

void rounds_release(struct rounds *r)
{
	vmap_release(&r->ends);
	vmap_release(&r->index);
	free(r->state);
	free(r);
}
