/* cc/describe.c -- where the parts of a group stand in its record, and the descriptor that says so (wire/sites.h). */
#include <stdlib.h>
#include <string.h>

#include "cc/door.h"
#include "cc/group.h"

void group_lay_out(struct unit *u, struct group *g)
{
	unsigned at = 0;
	if (g->flags & SITE_BRANCH)
		g->branch_size = power_of_two((unsigned)LLVMStoreSizeOfType(u->layout, LLVMTypeOf(LLVMGetOperand(g->branch, 0))));
	for (unsigned i = 0; i < g->count; i++)
		if (g->access[i].address_mode == A_SLOT && !g->access[i].result) {
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

static void describe_value(struct bytes *d, const struct access *a)
{
	if (a->value_mode != V_NONE)
		bytes_varint(d, a->value_mode == V_SLOT ? a->value_slot : a->value_mode == V_SAME ? a->same : a->bits);
}

/* Named after the variable it is the value of, else after what the instruction does; an argument after the function called. */
static uint32_t result_name(struct unit *u, const struct access *a)
{
	uint32_t variable = a->write ? 0 : site_name(u, a->value);
	const char *word = a->write ? name_of_callee(a->in) : LLVMIsACallInst(a->in) ? name_of_callee(a->in) : door_word_of(a->in);
	return variable ? variable : *word ? table_string(u->table, word, strlen(word)) + 1 : 0;
}

static void describe_result(struct unit *u, struct bytes *d, const struct access *a)
{
	bytes_varint(d, SHAPE_RESULT | (a->write ? SHAPE_WRITE : 0) | (unsigned)a->value_mode << 4 | (a->vector ? SHAPE_VECTOR : 0));
	bytes_varint(d, a->element);
	if (a->vector)
		bytes_varint(d, a->size / a->element);
	bytes_varint(d, result_ordinal(u, a->in));
	bytes_varint(d, table_place(u->table, a->in));
	bytes_varint(d, result_name(u, a));
	describe_value(d, a);
}

static void describe_access(struct function *f, struct bytes *d, const struct access *a)
{
	struct unit *u = f->unit;
	if (a->result) {
		describe_result(u, d, a);
		return;
	}
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
	describe_value(d, a);
}

static uint32_t callee_string(struct unit *u, LLVMValueRef call)
{
	const char *name = name_of_callee(call);
	if (strncmp(name, "raddle_lib_", 11) == 0)
		name += 11;
	return *name ? table_string(u->table, name, strlen(name)) + 1 : 0;
}

/* The access of the group that read what is called, + 1; or 0. */
static unsigned pointer_read(const struct group *g)
{
	LLVMValueRef called = LLVMGetCalledValue(g->call);
	for (unsigned i = g->count; i-- > 0;)
		if (g->access[i].in == called && !g->access[i].write)
			return i + 1;
	return 0;
}

static void describe_call(struct unit *u, struct bytes *d, const struct group *g)
{
	uint64_t name = callee_string(u, g->call);
	bytes_varint(d, site_ordinal(u, g->call));
	bytes_varint(d, table_place(u->table, g->call));
	bytes_varint(d, name << 1 | g->hands_over);
	if (!name)
		bytes_varint(d, pointer_read(g));
}

LLVMValueRef group_describe(struct function *f, const struct group *g)
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
	if (g->flags & SITE_CALL)
		describe_call(u, &d, g);
	if (g->flags & SITE_BRANCH) {
		bytes_varint(&d, site_ordinal(u, g->branch));
		bytes_varint(&d, table_place(u->table, g->branch));
		bytes_varint(&d, g->branch_slot);
		bytes_varint(&d, g->branch_size);
		if (g->flags & SITE_WAYS)
			ways_describe(&d, g->ways);
	}
	LLVMValueRef descriptor = table_descriptor(u->table, &d);
	free(d.at);
	return descriptor;
}
