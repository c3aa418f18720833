/* model/code.c -- the arrays of a program as bytes and back, and the look at every index that makes them safe to use. */
#include "model/code.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/str.h"

#define CODE_MAGIC 0x32444f434c444452ull        /* "RDDLCOD2" */

void code_release(struct code *c)
{
#define A(type, name) vec_release(&c->name);
	CODE_ARRAYS(A)
#undef A
}

static int put(int fd, const void *bytes, size_t count)
{
	const char *at = bytes;
	while (count) {
		ssize_t n = write(fd, at, count < 1u << 30 ? count : 1u << 30);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return -1;
		at += n;
		count -= (size_t)n;
	}
	return 0;
}

static int get(int fd, void *bytes, size_t count)
{
	char *at = bytes;
	while (count) {
		ssize_t n = read(fd, at, count < 1u << 30 ? count : 1u << 30);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return -1;
		at += n;
		count -= (size_t)n;
	}
	return 0;
}

int code_save(const struct code *c, int fd)
{
	uint64_t magic = CODE_MAGIC;
	if (put(fd, &magic, sizeof magic))
		return -1;
#define A(type, name) { uint64_t count = c->name.count; \
		if (put(fd, &count, sizeof count) || put(fd, c->name.at, count * sizeof(type))) return -1; }
	CODE_ARRAYS(A)
#undef A
	return 0;
}

static bool is_row(uint64_t at, uint64_t count, size_t of)
{
	return at <= of && count <= of - at;
}

static bool is_one(uint32_t index, size_t of)
{
	return index < of;
}

static bool is_one_or_none(uint32_t index, size_t of)
{
	return index == NONE || index < of;
}

static uint32_t needs(uint8_t how)
{
	return how == HOW_EITHER_LAST ? 3 : how == HOW_BOTH || how == HOW_EITHER ? 2 : how != HOW_UNSAID;
}

static bool cases_are_sound(const struct code *c, const struct value *v)
{
	uint32_t ways = v->block == NONE ? 0 : c->blocks.at[v->block].next_count;
	return ways > 0 && v->operand_count == 1 && v->number >= 0 && is_row((uint64_t)v->number, ways - 1, c->cases.count);
}

static bool value_is_sound(const struct code *c, const struct value *v)
{
	if (v->op > OP_END || !is_row(v->operand_at, v->operand_count, c->operands.count) ||
		!is_one_or_none(v->function, c->functions.count) || !is_one_or_none(v->block, c->blocks.count))
		return false;
	switch (v->op) {
	case OP_GLOBAL:   return v->number >= 0 && (uint64_t)v->number < c->globals.count;
	case OP_FUNCTION: return v->number >= 0 && (uint64_t)v->number < c->functions.count;
	case OP_STORE: case OP_RMW: return v->operand_count == 2;
	case OP_CAS:      return v->operand_count == 3;
	case OP_LOAD:     return v->operand_count == 1;
	case OP_STEP: case OP_CALL: return v->operand_count >= 1;
	case OP_PICK:     return v->number >= 0 && is_row((uint64_t)v->number, v->operand_count, c->from.count) && is_row((uint64_t)v->number, v->operand_count, c->brings.count);
	case OP_BRANCH:   return !(v->flags & VALUE_SWITCHES) || cases_are_sound(c, v);
	case OP_TRUTH: case OP_SAME: case OP_MIX: return v->how <= HOW_EITHER_LAST && v->operand_count >= needs(v->how);
	default:          return true;
	}
}

static bool function_is_sound(const struct code *c, const struct function *f)
{
	return is_one(f->name, c->strings.count) && is_one(f->unit, c->units.count) && is_one(f->value, c->values.count) &&
		is_row(f->param_at, f->param_count, c->values.count) && is_row(f->first, f->count, c->values.count) &&
		is_row(f->block_at, f->block_count, c->blocks.count) && is_row(f->site_at, f->site_count, c->sites.count) &&
		(!(f->flags & FUNCTION_DEFINED) || f->block_count > 0);
}

static bool block_is_sound(const struct code *c, uint32_t index)
{
	const struct block *b = &c->blocks.at[index];
	if (!is_one(b->function, c->functions.count) || !is_row(b->first, b->count, c->values.count) ||
		!is_row(b->next_at, b->next_count, c->next.count) || b->count == 0)
		return false;
	const struct function *f = &c->functions.at[b->function];
	if (index < f->block_at || index - f->block_at >= f->block_count)
		return false;
	for (uint32_t i = 0; i < b->next_count; i++)
		if (c->next.at[b->next_at + i] < f->block_at || c->next.at[b->next_at + i] - f->block_at >= f->block_count)
			return false;
	return true;
}

#define ALL(name, sound) for (size_t i = 0; i < c->name.count; i++) if (!(sound)) return #name
static const char *fault_of(const struct code *c)
{
	if (!c->values.count || !c->strings.count || c->strings.at[c->strings.count - 1])
		return "strings";
	ALL(values, value_is_sound(c, &c->values.at[i]));
	ALL(operands, is_one(c->operands.at[i], c->values.count));
	ALL(functions, function_is_sound(c, &c->functions.at[i]));
	ALL(blocks, block_is_sound(c, (uint32_t)i));
	ALL(globals, is_one(c->globals.at[i].name, c->strings.count) && is_one(c->globals.at[i].unit, c->units.count));
	ALL(inits, is_one(c->inits.at[i].global, c->globals.count) && is_one(c->inits.at[i].value, c->values.count));
	ALL(aliases, is_one(c->aliases.at[i].name, c->strings.count) && is_one(c->aliases.at[i].value, c->values.count));
	ALL(units, is_one(c->units.at[i].name, c->strings.count));
	ALL(sites, c->sites.at[i] == NONE || is_one(c->sites.at[i], c->values.count));
	ALL(from, is_one(c->from.at[i], c->blocks.count));
	return NULL;
}

#define ARRAY_MAX (1ull << 33)                  /* bytes */

int code_restore(struct code *c, int fd, struct err *why)
{
	uint64_t magic;
	memset(c, 0, sizeof *c);
	if (get(fd, &magic, sizeof magic) || magic != CODE_MAGIC)
		return err_set(why, "the reader of the bitcode handed over nothing");
#define A(type, name) { uint64_t count; \
		if (get(fd, &count, sizeof count) || count > ARRAY_MAX / sizeof(type)) goto cut; \
		c->name.at = mem_take(count * sizeof(type) + 1); \
		c->name.count = c->name.room = count; \
		if (get(fd, c->name.at, count * sizeof(type))) goto cut; }
	CODE_ARRAYS(A)
#undef A
	const char *fault = fault_of(c);
	if (!fault)
		return 0;
	code_release(c);
	return err_set(why, "the bitcode makes no sense: its %s", fault);
cut:
	code_release(c);
	return err_set(why, "the reader of the bitcode ended early");
}

const char *op_word(uint8_t op)
{
	static const char *const words[] = { "constant", "global", "function", "argument", "unknown", "alloca", "read", "write",
		"rmw", "cas", "fence", "step", "mix", "same", "truth", "pick", "call", "asm", "return", "branch", "end" };
	return op < sizeof words / sizeof *words ? words[op] : "?";
}
