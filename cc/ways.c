/* cc/ways.c -- where a branch can go: which way each value of a switch takes, and a value that takes another.
 * Ways are numbered: 0 is the default, 1, 2, ... the other blocks in the order of their first cases.  A default that cannot be reached is no way. */
#include <stdlib.h>

#include "cc/group.h"

static void *take(size_t count, size_t size)
{
	void *room = calloc(count + 1, size);
	if (!room)
		abort();
	return room;
}

static bool is_never(LLVMBasicBlockRef block)
{
	return LLVMIsAUnreachableInst(LLVMGetFirstInstruction(block));
}

/* The least value no case has; false: all have one. */
static bool find_other_value(const struct ways *w, unsigned width, uint64_t *out)
{
	uint64_t value = 0, values = width < 64 ? 1ull << width : UINT64_MAX;
	bool *seen = take(w->count, sizeof *seen);
	for (unsigned i = 0; i < w->count; i++)
		if (w->value[i] <= w->count)
			seen[w->value[i]] = true;
	while (value <= w->count && seen[value])
		value++;
	free(seen);
	*out = value;
	return value < values;
}

/* One way and another: values that take them.  `near` is the one with the fewest cases, for it is asked for case by case. */
static bool choose(struct ways *w, unsigned width, bool has_default, unsigned highest)
{
	unsigned *cases = take(highest + 1, sizeof *cases), i;
	for (i = 0; i < w->count; i++)
		cases[w->way[i]]++;
	for (i = 0; i < w->count; i++)
		if (w->way[i] && (!w->near || cases[w->way[i]] < cases[w->near])) {
			w->near = w->way[i];
			w->near_value = w->value[i];
		}
	free(cases);
	if (!w->near)
		return false;
	if (has_default && find_other_value(w, width, &w->far_value))
		return true;
	for (i = 0; i < w->count; i++)
		if (w->way[i] != w->near && (w->way[i] || has_default)) {
			w->far_value = w->value[i];
			return true;
		}
	return false;
}

static struct ways *ways_of_switch(struct unit *u, LLVMValueRef last)
{
	struct ways *w = take(1, sizeof *w);
	LLVMBasicBlockRef otherwise = LLVMGetSwitchDefaultDest(last);
	unsigned highest = 0;
	w->count = (unsigned)LLVMGetNumOperands(last) / 2 - 1;
	w->value = take(w->count, sizeof *w->value);
	w->way = take(w->count, sizeof *w->way);
	struct vmap number = { 0 };
	vmap_set(&number, otherwise, 0);
	for (unsigned i = 0; i < w->count; i++) {
		LLVMBasicBlockRef to = LLVMValueAsBasicBlock(LLVMGetOperand(last, 2 * i + 3));
		uint64_t way;
		if (!vmap_get(&number, to, &way))
			vmap_set(&number, to, way = ++highest);
		w->value[i] = LLVMConstIntGetZExtValue(LLVMGetOperand(last, 2 * i + 2));
		w->way[i] = (unsigned)way;
	}
	vmap_release(&number);
	w->next = u->ways;
	u->ways = w;
	return choose(w, LLVMGetIntTypeWidth(LLVMTypeOf(LLVMGetOperand(last, 0))), !is_never(otherwise), highest) ? w : NULL;
}

bool branch_ways(struct unit *u, LLVMValueRef last, struct ways **ways)
{
	*ways = NULL;
	if (LLVMGetInstructionOpcode(last) == LLVMSwitch)
		return (*ways = ways_of_switch(u, last)) != NULL;
	return LLVMGetInstructionOpcode(last) == LLVMBr && LLVMIsConditional(last) && LLVMGetSuccessor(last, 0) != LLVMGetSuccessor(last, 1);
}

void ways_release(struct unit *u)
{
	while (u->ways) {
		struct ways *w = u->ways;
		u->ways = w->next;
		free(w->value);
		free(w->way);
		free(w);
	}
}

void ways_describe(struct bytes *d, const struct ways *w)
{
	bytes_varint(d, w->count);
	for (unsigned i = 0; i < w->count; i++) {
		bytes_varint(d, w->value[i]);
		bytes_varint(d, w->way[i]);
	}
}

/*   value takes the near way ? far_value : near_value */
LLVMValueRef ways_other(struct unit *u, const struct ways *w, LLVMValueRef value)
{
	LLVMTypeRef type = LLVMTypeOf(value);
	LLVMValueRef is_near = LLVMConstInt(u->i1, 0, 0);
	for (unsigned i = 0; i < w->count; i++)
		if (w->way[i] == w->near)
			is_near = LLVMBuildOr(u->builder, is_near, LLVMBuildICmp(u->builder, LLVMIntEQ, value, LLVMConstInt(type, w->value[i], 0), ""), "");
	LLVMValueRef other = LLVMBuildSelect(u->builder, is_near, unit_number(u, w->far_value), unit_number(u, w->near_value), "");
	return LLVMBuildIntToPtr(u->builder, other, u->pointer, "");
}
