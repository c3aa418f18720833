/* cc/write.c -- the recorded body's groups, as planned, written inline; and the cursor handed over around calls. */
#include <stdlib.h>
#include <string.h>

#include "cc/door.h"
#include "cc/group.h"

static LLVMValueRef load_cursor(struct function *f)
{
	return LLVMBuildLoad2(f->unit->builder, f->unit->i64, f->cursor, "raddle.cursor");
}

/* Volatile, both: an optimiser that comes after us believes what malloc and its like are declared to leave alone. */
static void spill(struct function *f, LLVMValueRef before)
{
	struct unit *u = f->unit;
	unit_before(u, before);
	LLVMSetVolatile(LLVMBuildStore(u->builder, load_cursor(f), unit_tls(u, TLS_CURSOR)), 1);
}

static void reload(struct function *f, LLVMValueRef before)
{
	struct unit *u = f->unit;
	unit_before(u, before);
	LLVMValueRef cursor = LLVMBuildLoad2(u->builder, u->i64, unit_tls(u, TLS_CURSOR), "");
	LLVMSetVolatile(cursor, 1);
	LLVMBuildStore(u->builder, cursor, f->cursor);
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
	unit_unlikely(u, LLVMBuildCondBr(u->builder, late, full, rest));
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

/* Before there is a record here its slots are zero, those never reached stay so, and so is the header word behind it: nobody clears a
 * segment, which would bring all of it into the cache a second time.  By two words at a time, so ZERO_BEYOND bytes more may be. */
static void zero_ahead(struct function *f, const struct group *g, LLVMValueRef base)
{
	struct unit *u = f->unit;
	LLVMValueRef zero = LLVMConstNull(g->payload ? LLVMVectorType(u->i64, 2) : u->i64);
	for (unsigned at = 8, end = 8 + g->payload + 8; at < end; at += 16)
		log_at(f, base, at, zero, 8);
}

/* The value as it goes into its slot: odd integers are widened. */
static LLVMValueRef storable(struct unit *u, LLVMValueRef value, unsigned slot_size)
{
	LLVMTypeRef type = LLVMTypeOf(value);
	if (LLVMGetTypeKind(type) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) < 8 * slot_size)
		return LLVMBuildZExt(u->builder, value, LLVMIntTypeInContext(u->context, 8 * slot_size), "");
	return value;
}

static void log_value(struct function *f, const struct access *a, LLVMValueRef base, LLVMValueRef value)
{
	if (a->value_mode == V_SLOT)
		log_at(f, base, 8 + a->value_slot, storable(f->unit, value, a->slot_size), a->slot_size < 8 ? a->slot_size : 8);
}

/* A result where it is known and the record has begun; an argument in front of its call. */
static void write_result(struct function *f, struct group *g, unsigned nth, LLVMValueRef base)
{
	const struct access *a = &g->access[nth];
	LLVMValueRef value;
	g->behind = a->write ? a->in : a->at_start ? g->start : LLVMGetNextInstruction(a->in);
	if (a->write) {
		value = fault_through(f, g, nth, LLVMGetOperand(a->in, a->argument), NULL, a->in);
		LLVMSetOperand(a->in, a->argument, value);
	} else {
		value = fault_result(f, g, nth, g->behind);
	}
	unit_at(f->unit, g->behind, a->at_start ? g->start : a->in);
	log_value(f, a, base, value);
}

static void write_access(struct function *f, struct group *g, unsigned nth, LLVMValueRef base)
{
	struct unit *u = f->unit;
	const struct access *a = &g->access[nth];
	LLVMValueRef pointer = LLVMGetOperand(a->in, a->write ? 1 : 0), value = a->in;
	if (a->address_mode == A_SLOT) {
		unit_before(u, a->in);
		log_at(f, base, 8 + a->address_slot, pointer, 8);
	}
	g->behind = LLVMGetNextInstruction(a->in);
	if (a->write) {
		value = fault_through(f, g, nth, LLVMGetOperand(a->in, 0), pointer, a->in);
		LLVMSetOperand(a->in, 0, value);
	} else {
		value = fault_result(f, g, nth, g->behind);
	}
	unit_at(u, g->behind, a->in);
	log_value(f, a, base, value);
}

static void close_group(struct function *f, const struct group *g, LLVMValueRef cursor, LLVMValueRef base)
{
	struct unit *u = f->unit;
	if (g->flags & SITE_BRANCH)
		LLVMSetOperand(g->branch, 0, fault_branch(f, g, g->ways, g->branch));
	unit_before(u, g->end ? g->end : g->behind);
	if (g->flags & SITE_BRANCH) {
		LLVMValueRef way = storable(u, LLVMGetOperand(g->branch, 0), g->branch_size);
		log_at(f, base, 8 + g->branch_slot, way, g->branch_size);
	}
	if (g->flags & SITE_LEAVE)
		frame_pop(f);
	LLVMValueRef next = LLVMBuildAdd(u->builder, cursor, unit_number(u, 8 + g->payload), "");
	LLVMBuildStore(u->builder, next, f->cursor);
}

/* What was replaced since the group was planned, an atomic operation in front of it or a value of it, has another name now. */
static void look_again(struct group *g)
{
	for (unsigned i = 0; i < g->count; i++) {
		struct access *a = &g->access[i];
		if (a->result) {
			a->value = a->write ? LLVMGetOperand(a->in, a->argument) : a->in;
			continue;
		}
		a->pointer = LLVMGetOperand(a->in, a->write ? 1 : 0);
		a->value = a->write ? LLVMGetOperand(a->in, 0) : a->in;
	}
}

static void write_group(struct function *f, struct group *g)
{
	struct unit *u = f->unit;
	look_again(g);
	g->descriptor = group_describe(f, g);
	if (f->steered)
		steer_remember_group(f->steered, g, g->descriptor);
	if (g->has_room)
		unit_before(u, g->start);
	else
		make_room(f, g->start);
	LLVMValueRef cursor = load_cursor(f);
	LLVMValueRef base = LLVMBuildIntToPtr(u->builder, cursor, u->pointer, "");
	zero_ahead(f, g, base);
	log_at(f, base, 0, g->descriptor, 8);
	fault_arm(u, g);
	if (g->flags & SITE_ENTER)
		frame_push(f, g->descriptor);
	if (g->flags & SITE_LANDED)
		log_at(f, base, 8 + g->depth_slot, frame_land(f), 4);
	for (unsigned i = 0; i < g->count; i++)
		(g->access[i].result ? write_result : write_access)(f, g, i, base);
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

static bool ends_here(LLVMValueRef in)
{
	return LLVMIsAReturnInst(in) || LLVMIsAUnreachableInst(in) || LLVMIsAResumeInst(in);
}

LLVMValueRef *instructions_of(LLVMBasicBlockRef block, size_t *count)
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

static void write_atomic(struct function *f, LLVMValueRef in)
{
	LLVMValueRef site = atomic_site(f, in);
	if (f->steered)
		steer_remember(f->steered, in, site, 0);
	atomic_replace(f, in, site, false);
}

void write_block(struct function *f, struct plan *p, LLVMBasicBlockRef block)
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
				write_atomic(f, in);
		} else if (LLVMIsATerminatorInst(in)) {
			if (ends_here(in) && !hand.in_tls)
				spill(f, in);
			else if (!ends_here(in) && hand.in_tls)
				reload(f, in);
		}
	}
	free(all);
	for (unsigned i = 0; i < p->count; i++)
		fault_around_call(f, &p->group[i]);
}
