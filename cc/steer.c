/* cc/steer.c -- the steered body: one thread of the program runs at a time, and every access others can see is a hook.
 *
 * It is a function of its own, a copy of the recorded body taken before that got its groups, so each access has a twin there;
 * the twin's group gives it its site, (descriptor, number in it), and the tables do not grow.  What is written:
 *   accesses of 1, 2, 4 or 8 bytes   raddle_load, raddle_store instead; they make the access, the value passes through them;
 *                                    those of the first few of a group have names of their own, and less to be told
 *   results of instructions          (level full) through raddle_value, which returns what the program goes on with
 *   other accesses                   raddle_touch in front, and behind a write once more: it is known only then
 *   atomic operations                as in the recorded body: the hook is the same
 *   arguments, calls, branches       (level full) as in the recorded body where a fault is wanted there (fault.c); they are not recorded
 *   calls that may lead outside      raddle_call in front: it is told, and under a weak memory model nothing may wait while code nobody watches runs;
 *                                    of functions the runtime knows those that keep something (wire/told.h) are told too
 *   the end of a local others may    raddle_left in front (left.c)
 *   have
 *   inline assembly, ends of rounds  raddle_asm, raddle_round in front: what waits there is not seen to (rounds.c)
 *   writes only the thread sees      raddle_own in front (rounds.c)
 *   entry, return, landing           frames as in the recorded body, without records; by hooks where nothing lands */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cc/door.h"
#include "cc/group.h"
#include "wire/told.h"

struct twin { LLVMValueRef descriptor; unsigned nth; };
struct faulty {
	LLVMValueRef in, descriptor;            /* in: the call or branch, of the steered body */
	unsigned nth, operand;
	const struct ways *ways;
};

struct steered {
	struct function f;
	struct vmap twins;                        /* instruction of the recorded body -> of the steered one */
	struct vmap index;                        /* access or atomic operation of the steered body -> its place in site */
	struct twin *site;
	size_t count, room;
	struct faulty *faulty;
	size_t faulty_count, faulty_room;
	LLVMValueRef enter;                       /* the descriptor with the ENTER flag */
	struct rounds *rounds;
	bool lands;                               /* somewhere in it control comes back */
};

/* ---------------------------------------------------------------- while the recorded body is written */

struct steered *steer_start(const struct function *recorded)
{
	struct steered *s = calloc(1, sizeof *s);
	if (!s)
		abort();
	s->f = (struct function){ .unit = recorded->unit, .clean = recorded->clean, .index = recorded->index, .flow = true };
	clone_again(recorded, &s->f, &s->twins);
	return s;
}

void steer_remember(struct steered *s, LLVMValueRef in, LLVMValueRef descriptor, unsigned nth)
{
	uint64_t twin;
	if (!vmap_get(&s->twins, in, &twin))
		return;
	if (s->count == s->room) {
		s->room = s->room ? 2 * s->room : 64;
		s->site = realloc(s->site, s->room * sizeof *s->site);
		if (!s->site)
			abort();
	}
	s->site[s->count] = (struct twin){ descriptor, nth };
	vmap_set(&s->index, (void *)twin, s->count++);
}

static void remember_faulty(struct steered *s, LLVMValueRef in, LLVMValueRef descriptor, unsigned nth, unsigned operand, const struct ways *ways)
{
	uint64_t twin;
	if (!vmap_get(&s->twins, in, &twin))
		return;
	if (s->faulty_count == s->faulty_room) {
		s->faulty_room = s->faulty_room ? 2 * s->faulty_room : 64;
		s->faulty = realloc(s->faulty, s->faulty_room * sizeof *s->faulty);
		if (!s->faulty)
			abort();
	}
	s->faulty[s->faulty_count++] = (struct faulty){ (void *)twin, descriptor, nth, operand, ways };
}

void steer_remember_group(struct steered *s, const struct group *g, LLVMValueRef descriptor)
{
	if (g->flags & SITE_ENTER)
		s->enter = descriptor;
	for (unsigned i = 0; i < g->count; i++)
		if (g->access[i].result && g->access[i].write)          /* an argument is the result of something, or a constant */
			remember_faulty(s, g->access[i].in, descriptor, i, g->access[i].argument, NULL);
		else
			steer_remember(s, g->access[i].in, descriptor, i);
	if (g->flags & SITE_SKIPS)
		remember_faulty(s, g->call, descriptor, FAULT_CALL, 0, NULL);
	if (s->f.unit->full && g->flags & SITE_BRANCH)
		remember_faulty(s, g->branch, descriptor, FAULT_BRANCH, 0, g->ways);
}

/* ---------------------------------------------------------------- hooks */

static bool fits_a_hook(struct unit *u, LLVMTypeRef type, unsigned *log2size)
{
	LLVMTypeKind kind = LLVMGetTypeKind(type);
	uint64_t size = LLVMStoreSizeOfType(u->layout, type);
	if (kind != LLVMIntegerTypeKind && kind != LLVMPointerTypeKind && kind != LLVMFloatTypeKind && kind != LLVMDoubleTypeKind &&
		kind != LLVMHalfTypeKind && kind != LLVMBFloatTypeKind)
		return false;
	for (*log2size = 0; *log2size < 3 && 1u << *log2size < size; ++*log2size)
		;
	return 1u << *log2size == size;
}

LLVMValueRef steer_call(struct unit *u, const char *name, LLVMTypeRef result, LLVMTypeRef *params, LLVMValueRef *args, unsigned count)
{
	LLVMTypeRef type;
	LLVMValueRef hook = unit_hook(u, name, result, params, count, &type);
	LLVMSetFunctionCallConv(hook, LLVMPreserveMostCallConv);
	LLVMValueRef call = LLVMBuildCall2(u->builder, type, hook, args, count, "");
	LLVMSetInstructionCallConv(call, LLVMPreserveMostCallConv);
	return call;
}

/* The hook's name, and what it still has to be told behind its other arguments: returns how many. */
static unsigned name_hook(struct unit *u, const char *verb, unsigned log2size, const struct twin *site, char name[32],
	LLVMTypeRef *params, LLVMValueRef *args)
{
	unsigned count = 0;
	bool named = site->nth < DOORS_NTH;
	snprintf(name, 32, named ? "raddle_%s%u_%u" : "raddle_%s", verb, 1u << log2size, site->nth);
	if (!named) {
		params[count] = u->i32;
		args[count++] = LLVMConstInt(u->i32, WHAT(log2size, site->nth), 0);
	}
	params[count] = u->pointer;
	args[count++] = site->descriptor;
	return count;
}

static void hook_load(struct unit *u, LLVMValueRef in, unsigned log2size, const struct twin *site)
{
	char name[32];
	LLVMTypeRef params[3] = { u->pointer };
	LLVMValueRef args[3] = { LLVMGetOperand(in, 0) };
	unsigned count = 1 + name_hook(u, "load", log2size, site, name, params + 1, args + 1);
	unit_before(u, in);
	LLVMValueRef bits = steer_call(u, name, u->i64, params, args, count);
	LLVMReplaceAllUsesWith(in, unit_unbits(u, bits, LLVMTypeOf(in)));
	LLVMInstructionEraseFromParent(in);
}

static void hook_store(struct unit *u, LLVMValueRef in, unsigned log2size, const struct twin *site)
{
	char name[32];
	LLVMTypeRef params[4] = { u->pointer, u->i64 };
	unit_before(u, in);
	LLVMValueRef args[4] = { LLVMGetOperand(in, 1), unit_bits(u, LLVMGetOperand(in, 0)) };
	unsigned count = 2 + name_hook(u, "store", log2size, site, name, params + 2, args + 2);
	steer_call(u, name, u->nothing, params, args, count);
	LLVMInstructionEraseFromParent(in);
}

static void touch(struct unit *u, LLVMValueRef in, uint64_t bytes, enum touch when, const struct twin *site)
{
	LLVMTypeRef type, params[5] = { u->pointer, u->i64, u->i32, u->i32, u->pointer };
	LLVMValueRef hook = unit_hook(u, "raddle_touch", u->nothing, params, 5, &type);
	LLVMValueRef args[5] = { LLVMGetOperand(in, LLVMIsAStoreInst(in) ? 1 : 0), unit_number(u, bytes),
		LLVMConstInt(u->i32, when, 0), LLVMConstInt(u->i32, site->nth, 0), site->descriptor };
	if (when == TOUCH_WRITTEN)
		unit_after(u, in);
	else
		unit_before(u, in);
	LLVMBuildCall2(u->builder, type, hook, args, 5, "");
}

static void hook_access(struct unit *u, LLVMValueRef in, const struct twin *site)
{
	bool store = LLVMIsAStoreInst(in);
	LLVMTypeRef type = LLVMTypeOf(store ? LLVMGetOperand(in, 0) : in);
	unsigned log2size;
	if (fits_a_hook(u, type, &log2size)) {
		(store ? hook_store : hook_load)(u, in, log2size, site);
		return;
	}
	uint64_t bytes = LLVMStoreSizeOfType(u->layout, type);
	touch(u, in, bytes, store ? TOUCH_WRITE : TOUCH_READ, site);
	if (store)
		touch(u, in, bytes, TOUCH_WRITTEN, site);
}

/* bits = raddle_value(bits, ...); all that uses the result uses what came back. */
static void hook_value(struct unit *u, LLVMValueRef in, LLVMValueRef before, const struct twin *site)
{
	LLVMTypeRef type, params[3] = { u->i64, u->i32, u->pointer };
	LLVMTypeRef own = LLVMTypeOf(in);
	unsigned log2size = 0, narrow = 0;
	if (LLVMGetTypeKind(own) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(own) < 8)
		narrow = LLVMGetIntTypeWidth(own);
	else if (!fits_a_hook(u, own, &log2size))
		return;
	unit_before(u, before);
	LLVMValueRef seen = LLVMBuildFreeze(u->builder, in, "");
	LLVMValueRef hook = unit_hook(u, "raddle_value", u->i64, params, 3, &type);
	LLVMValueRef args[3] = { unit_bits(u, seen), LLVMConstInt(u->i32, WHAT_NARROW(WHAT(log2size, site->nth), narrow), 0), site->descriptor };
	LLVMValueRef bits = LLVMBuildCall2(u->builder, type, hook, args, 3, "");
	LLVMReplaceAllUsesWith(in, unit_unbits(u, bits, own));
	LLVMSetOperand(seen, 0, in);
}

/* Such a function becomes part of its caller; there may be no other copy of it anywhere, so its address must not be asked for. */
static bool is_always_inlined(LLVMValueRef callee)
{
	unsigned kind = LLVMGetEnumAttributeKindForName("alwaysinline", 12);
	return LLVMGetEnumAttributeAtIndex(callee, LLVMAttributeFunctionIndex, kind) != NULL;
}

static bool is_told(const char *name)
{
	static const char *const told[] = {
#define X(name) #name,
		TOLD(X)
#undef X
	};
	name += strncmp(name, "raddle_lib_", 11) ? 0 : 11;
	for (size_t i = 0; i < sizeof told / sizeof *told; i++)
		if (strcmp(name, told[i]) == 0)
			return true;
	return false;
}

/* May this call lead to code that was not built with raddle, or is it to be told? */
static bool may_lead_outside(LLVMValueRef in)
{
	if ((!LLVMIsACallInst(in) && !LLVMIsAInvokeInst(in)) || filter_call_is_quiet(in))
		return false;
	LLVMValueRef callee = LLVMGetCalledValue(in);
	return !LLVMIsAFunction(callee) ||
		!(function_is_watched(callee) || is_always_inlined(callee) || (filter_is_of_runtime(name_of_callee(in)) && !is_told(name_of_callee(in))));
}

static void hook_call(struct unit *u, LLVMValueRef in)
{
	LLVMValueRef callee = LLVMGetCalledValue(in);
	door_take_from_loader(callee);
	unit_before(u, in);
	if (filter_hands_over(in)) {
		LLVMValueRef number = LLVMBuildPtrToInt(u->builder, callee, u->i64, "");
		callee = LLVMBuildIntToPtr(u->builder, LLVMBuildOr(u->builder, number, LLVMConstInt(u->i64, CALL_HANDS_OVER, 0), ""), u->pointer, "");
	}
	steer_call(u, "raddle_call", u->nothing, &u->pointer, &callee, 1);
}

/* ---------------------------------------------------------------- the body */

static bool is_landing(LLVMBasicBlockRef block)
{
	if (block_lands(block))
		return true;
	for (LLVMValueRef in = LLVMGetFirstInstruction(block); in; in = LLVMGetNextInstruction(in))
		if (LLVMIsACallInst(in) && call_returns_twice(in))
			return true;
	return false;
}

static void call_enter(struct unit *u, LLVMValueRef descriptor)
{
	LLVMTypeRef params[] = { u->pointer, u->pointer };
	LLVMValueRef args[] = { descriptor, frame_returns_to(u) };
	steer_call(u, "raddle_enter", u->nothing, params, args, 2);
}

static void enter(struct steered *s)
{
	struct unit *u = s->f.unit;
	if (s->lands)
		frame_push(&s->f, s->enter);
	else
		call_enter(u, s->enter);
}

static void leave(struct steered *s)
{
	if (s->lands)
		frame_pop(&s->f);
	else
		steer_call(s->f.unit, "raddle_leave", s->f.unit->nothing, NULL, NULL, 0);
}

static void steer_instruction(struct steered *s, LLVMValueRef in)
{
	struct function *f = &s->f;
	uint64_t at;
	LLVMValueRef before = LLVMGetPreviousInstruction(in);
	left_at(f, in);
	if (may_lead_outside(in))
		hook_call(f->unit, in);
	rounds_at(s->rounds, in);
	bool known = vmap_get(&s->index, in, &at);
	if (known && atomic_is(in)) {
		atomic_replace(f, in, s->site[at].descriptor, false);
	} else if (known && (LLVMIsALoadInst(in) || LLVMIsAStoreInst(in))) {
		hook_access(f->unit, in, &s->site[at]);
	} else if (known && !(LLVMIsACallInst(in) && call_returns_twice(in))) {
		hook_value(f->unit, in, LLVMGetNextInstruction(in), &s->site[at]);
	} else if (LLVMIsACallInst(in) && call_is_last(in)) {
		left_on_return(f, in);
		unit_before(f->unit, in);
		leave(s);
	} else if (LLVMIsACallInst(in) && call_returns_twice(in)) {
		unit_after(f->unit, in);
		frame_land(f);
		left_on_jump(f);
	} else if (LLVMIsAReturnInst(in) && !(before && call_is_last(before))) {
		left_on_return(f, in);
		unit_before(f->unit, in);
		leave(s);
	} else if (LLVMIsAResumeInst(in)) {
		left_on_return(f, in);
	}
}

static void steer_block(struct steered *s, LLVMBasicBlockRef block)
{
	size_t count;
	uint64_t at;
	LLVMValueRef *all = instructions_of(block, &count);
	unit_before(s->f.unit, all[0]);
	if (block == s->f.body[0]) {
		enter(s);
	} else if (block_lands(block)) {
		frame_land(&s->f);
		left_on_landing(&s->f, block);
	}
	for (size_t i = 0; i < count; i++)
		steer_instruction(s, all[i]);
	free(all);
	LLVMValueRef body = first_real(block);
	for (LLVMValueRef in = LLVMGetFirstInstruction(block); LLVMIsAPHINode(in); in = LLVMGetNextInstruction(in))
		if (vmap_get(&s->index, in, &at))
			hook_value(s->f.unit, in, body, &s->site[at]);
}

/* When all else is written: what faults are made of is as in the recorded body.  Entries of one call stand behind each other. */
static void steer_faults(struct steered *s)
{
	struct unit *u = s->f.unit;
	struct group g = { 0 };
	for (size_t i = 0; i < s->faulty_count; i++) {
		const struct faulty *x = &s->faulty[i];
		if (g.call != x->in || g.descriptor != x->descriptor) {
			g = (struct group){ .call = x->in, .descriptor = x->descriptor, .flags = SITE_SKIPS };
			unit_before(u, x->in);
			fault_arm(u, &g);
		}
		if (x->nth == FAULT_CALL)
			fault_around_call(&s->f, &g);
		else if (x->nth == FAULT_BRANCH)
			LLVMSetOperand(x->in, 0, fault_branch(&s->f, &g, x->ways, x->in));
		else
			LLVMSetOperand(x->in, x->operand, fault_through(&s->f, &g, x->nth, LLVMGetOperand(x->in, x->operand), NULL, x->in));
	}
}

void steer_finish(struct steered *s)
{
	for (size_t i = 0; i < s->f.body_count; i++)
		s->lands |= is_landing(s->f.body[i]);
	s->rounds = rounds_find(&s->f, &s->index);
	for (size_t i = 0; i < s->f.body_count; i++)
		steer_block(s, s->f.body[i]);
	steer_faults(s);
	known_callees(s->f.unit, s->f.value);
	if (s->f.value != s->f.clean) {
		door_lines_only(s->f.value);
		door_make_cold(s->f.value);
	}
	vmap_release(&s->twins);
	vmap_release(&s->index);
	rounds_release(s->rounds);
	free(s->site);
	free(s->faulty);
	free(s->f.body);
	free(s);
}
