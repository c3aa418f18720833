/* model/pointers.c -- see pointers.h.  A value's node is its own index; nodes for memory, results of functions and the like come behind. */
#include "model/pointers.h"

#include <string.h>

static uint32_t new_object(struct pointers *p, uint8_t kind, uint32_t index, uint64_t bytes)
{
	uint32_t object = points_object(p->points, bytes);
	check(object == p->things.count);
	vec_push(&p->things, ((struct thing){ kind, index }));
	return object;
}

uint32_t pointers_direct(const struct code *c, uint32_t value)
{
	for (int depth = 0; depth < 64; depth++) {
		const struct value *v = &c->values.at[value];
		if (v->op == OP_FUNCTION)
			return (uint32_t)v->number;
		if (v->op != OP_SAME || v->operand_count != 1 || v->function != NONE)
			break;
		value = code_operands(c, v)[0];
	}
	return NONE;
}

uint32_t pointers_stem(const struct code *c, uint32_t pointer, int64_t *behind)
{
	*behind = 0;
	for (uint32_t i = 0; i < POINTERS_STEPS; i++) {
		const struct value *v = &c->values.at[pointer];
		if (!(v->op == OP_STEP && !v->bytes) && v->how != HOW_KEEP)
			break;
		*behind += v->op == OP_STEP ? v->number : 0;
		pointer = code_operands(c, v)[0];
	}
	return pointer;
}

const struct effects *pointers_library(const struct pointers *p, const struct value *call)
{
	uint32_t f = pointers_direct(p->code, code_operands(p->code, call)[0]);
	if (f == NONE)
		return NULL;
	f = p->code->functions.at[f].leader;
	return p->known[f] ? &p->effects[f] : NULL;
}

uint32_t pointers_object(const struct pointers *p, uint32_t value)
{
	uint64_t *known = map_get(&p->value_object, value);
	return known ? (uint32_t)*known : 0;
}

static uint32_t object_of_value(struct pointers *p, uint32_t value, uint8_t kind)
{
	bool fresh;
	uint64_t *known = map_put(&p->value_object, value, &fresh);
	if (fresh)
		*known = new_object(p, kind, value, kind == THING_STACK ? p->code->values.at[value].bytes : 0);
	return (uint32_t)*known;
}

static uint32_t argument(const struct code *c, uint32_t call, uint32_t i)
{
	const struct value *v = &c->values.at[call];
	return i + 1 < v->operand_count ? code_operands(c, v)[i + 1] : 0;
}

static uint32_t argument_count(const struct code *c, uint32_t call)
{
	return c->values.at[call].operand_count - 1;
}

/* ---- calls ---- */

static void call_outside(struct pointers *p, uint32_t call)
{
	if (p->call_flags[call] & CALL_UNKNOWN)
		return;
	p->call_flags[call] |= CALL_UNKNOWN;
	for (uint32_t i = 0; i < argument_count(p->code, call); i++)
		if (argument(p->code, call, i))
			points_escape(p->points, argument(p->code, call, i));
	points_address(p->points, call, POINTS_OUTSIDE, 0);
}

static bool is_new_link(struct pointers *p, uint32_t call, uint32_t function, uint8_t how)
{
	bool fresh;
	map_put(&p->linked, (uint64_t)call << 32 | function, &fresh);
	if (fresh)
		vec_push(&p->links, ((struct link){ call, function, how }));
	return fresh;
}

static uint32_t vararg_of(struct pointers *p, uint32_t function)
{
	if (!p->vararg_object[function])
		p->vararg_object[function] = new_object(p, THING_VARARG, function, 0);
	return p->vararg_object[function];
}

/* The result of a call of a wrapper: an object of its own, which holds what the wrapper put there. */
static void give_clone(struct pointers *p, uint32_t call, uint32_t function)
{
	uint32_t clone = object_of_value(p, call, THING_HEAP);
	for (uint32_t i = 0; i < p->wrapped_count[function]; i++) {
		struct wrapped w = p->wrapped.at[p->wrapped_at[function] + i];
		points_address(p->points, call, clone, w.offset);
		points_clone(p->points, object_of_value(p, w.call, THING_HEAP), clone);
	}
}

static void enter(struct pointers *p, uint32_t call, uint32_t function, bool direct)
{
	const struct code *c = p->code;
	const struct function *f = &c->functions.at[function];
	if (!is_new_link(p, call, function, LINK_CALL))
		return;
	for (uint32_t i = 0; i < argument_count(c, call); i++) {
		uint32_t from = argument(c, call, i);
		if (!from)
			continue;
		if (i < f->param_count) {
			points_copy(p->points, from, f->param_at + i, 0, 0);
		} else if (f->flags & FUNCTION_VARARG) {
			uint32_t at = points_node(p->points);
			points_address(p->points, at, vararg_of(p, function), 0);
			points_store(p->points, from, at, 0, 0);
		}
	}
	if (direct && p->wrapped_count[function] && f->same == NONE)
		give_clone(p, call, function);
	else
		points_copy(p->points, p->return_node[function], call, 0, 0);
}

static void apply_library(struct pointers *p, uint32_t call, const struct effects *effects);

static void call_function(struct pointers *p, uint32_t call, uint32_t function, bool direct)
{
	const struct code *c = p->code;
	uint32_t leader = c->functions.at[function].leader;
	if (c->functions.at[leader].flags & FUNCTION_DEFINED) {
		for (uint32_t f = leader; f != NONE; f = c->functions.at[f].same)
			enter(p, call, f, direct);
	} else if (!p->known[leader] || !direct) {
		call_outside(p, call);
	} else if (is_new_link(p, call, leader, LINK_CALL)) {
		p->links.count--;                       /* nothing of ours is entered */
		apply_library(p, call, &p->effects[leader]);
	}
}

/* The library calls a function it was given. */
static void call_back(struct pointers *p, uint32_t index, uint32_t function)
{
	struct callback k = p->callbacks.at[index];
	const struct code *c = p->code;
	uint32_t leader = c->functions.at[function].leader;
	for (uint32_t f = leader; f != NONE && c->functions.at[f].flags & FUNCTION_DEFINED; f = c->functions.at[f].same) {
		const struct function *fn = &c->functions.at[f];
		if (!is_new_link(p, k.call, f, k.how))
			continue;
		for (uint32_t i = 0; i < fn->param_count; i++) {
			if (k.how == LINK_SIGNAL || i >= k.count)
				points_address(p->points, fn->param_at + i, POINTS_OUTSIDE, 0);
			else if (argument(c, k.call, (uint32_t)k.args[i]))
				points_copy(p->points, argument(c, k.call, (uint32_t)k.args[i]), fn->param_at + i, 0, k.how == LINK_CALLBACK ? 1 : 0);
		}
		points_escape(p->points, p->return_node[f]);
	}
}

static void add_callback(struct pointers *p, uint32_t call, uint32_t pointer, const struct effect *e, uint8_t how)
{
	struct callback k = { .call = call, .how = how };
	for (uint32_t i = 1; i < e->count && k.count < sizeof k.args; i++)
		k.args[k.count++] = e->args[i];
	vec_push(&p->callbacks, k);
	points_call(p->points, pointer, (uint32_t)(p->code->values.count + p->callbacks.count - 1));
}

/* ---- what the library does ---- */

static void copy_memory(struct pointers *p, uint32_t to, uint32_t from, uint32_t bytes)
{
	if (bytes && bytes <= 256) {
		for (uint32_t at = 0; at < bytes; at += 8) {
			uint32_t word = points_node(p->points);
			points_load(p->points, from, word, at, bytes - at < 8 ? bytes - at : 8);
			points_store(p->points, word, to, at, bytes - at < 8 ? bytes - at : 8);
		}
		return;
	}
	uint32_t all = points_node(p->points);
	points_load(p->points, from, all, 0, 0);
	points_store(p->points, all, to, 0, 0);
}

static void store_new(struct pointers *p, uint32_t call, uint32_t pointer, bool outside)
{
	uint32_t node = points_node(p->points);
	points_address(p->points, node, outside ? POINTS_OUTSIDE : object_of_value(p, call, THING_HEAP), 0);
	points_store(p->points, node, pointer, 0, 0);
}

static void apply_one(struct pointers *p, uint32_t call, const struct effect *e, uint32_t a, uint32_t b)
{
	struct points *points = p->points;
	switch (e->letter) {
	case 'n': points_address(points, call, object_of_value(p, call, THING_HEAP), 0); break;
	case 'r': points_copy(points, a, call, 0, 0); break;
	case 'i': points_copy(points, a, call, 0, 1); break;
	case 'C': copy_memory(p, a, b, p->code->values.at[call].bytes); break;
	case 'D': {
		uint32_t at = points_node(points);
		points_address(points, at, object_of_value(p, call, THING_HEAP), 0);
		copy_memory(p, at, a, 0);
		break;
	}
	case 'I': {
		uint32_t inside = points_node(points);
		points_copy(points, b, inside, 0, 1);
		points_store(points, inside, a, 0, 8);
		break;
	}
	case 'H': store_new(p, call, a, false); break;
	case 'U': store_new(p, call, a, true); break;
	case 'K': add_callback(p, call, a, e, LINK_CALLBACK); break;
	case 'T': add_callback(p, call, a, e, LINK_THREAD); break;
	case 'X': add_callback(p, call, a, e, LINK_EXIT); break;
	case 'S': add_callback(p, call, a, e, LINK_SIGNAL); break;
	case 'A': {
		uint32_t handler = points_node(points);
		points_load(points, a, handler, 0, 0);
		add_callback(p, call, handler, e, LINK_SIGNAL);
		break;
	}
	case 'V': {
		uint32_t area = points_node(points);
		points_address(points, area, vararg_of(p, p->code->values.at[call].function), 0);
		points_store(points, area, a, 0, 0);
		points_store(points, area, area, 0, 0);
		break;
	}
	case 'L': {
		uint32_t area = points_node(points), given = points_node(points);
		points_load(points, a, area, 0, 0);
		points_load(points, area, given, 0, 0);
		points_escape(points, given);
		break;
	}
	case 'P': {
		uint32_t sent = points_node(points);
		points_load(points, a, sent, 0, 0);
		points_escape(points, sent);
		break;
	}
	case 'E': points_escape(points, a); break;
	case 'o': points_address(points, call, POINTS_OUTSIDE, 0); break;
	default: break;
	}
}

static void apply_library(struct pointers *p, uint32_t call, const struct effects *effects)
{
	uint32_t count = argument_count(p->code, call);
	for (uint32_t i = 0; i < effects->count; i++) {
		const struct effect *e = &effects->at[i];
		bool all = e->count && e->args[0] < 0;
		for (uint32_t k = 0; k < (all ? count : 1); k++) {
			uint32_t a = all ? argument(p->code, call, k) : e->count ? argument(p->code, call, (uint32_t)e->args[0]) : 0;
			uint32_t b = e->count > 1 && e->args[1] >= 0 ? argument(p->code, call, (uint32_t)e->args[1]) : 0;
			if (a || !e->count)
				apply_one(p, call, e, a, b);
		}
	}
}

/* ---- constraints of values ---- */

static void constrain_call(struct pointers *p, uint32_t index, const struct value *v)
{
	uint32_t callee = code_operands(p->code, v)[0], function = pointers_direct(p->code, callee);
	if (function != NONE)
		call_function(p, index, function, true);
	else if (callee)
		points_call(p->points, callee, index);
}

static void mix(struct pointers *p, uint32_t index, const struct value *v, uint32_t stride)
{
	for (uint32_t i = 0; i < v->operand_count; i++)
		if (code_operands(p->code, v)[i])
			points_copy(p->points, code_operands(p->code, v)[i], index, 0, stride);
}

static void constrain(struct pointers *p, uint32_t index)
{
	const struct code *c = p->code;
	const struct value *v = &c->values.at[index];
	const uint32_t *operands = code_operands(c, v);
	struct points *points = p->points;
	switch (v->op) {
	case OP_GLOBAL:
		points_address(points, index, p->global_object[v->number], 0);
		break;
	case OP_FUNCTION:
		points_address(points, index, p->function_object[v->number], 0);
		break;
	case OP_UNKNOWN:
		points_address(points, index, POINTS_OUTSIDE, 0);
		break;
	case OP_ALLOCA:
		points_address(points, index, object_of_value(p, index, THING_STACK), 0);
		break;
	case OP_LOAD:
		if (operands[0])
			points_load(points, operands[0], index, 0, v->bytes);
		break;
	case OP_STORE: case OP_RMW: case OP_CAS:
		if (v->op != OP_STORE && operands[0])
			points_load(points, operands[0], index, 0, v->bytes);
		if (operands[0] && operands[v->op == OP_CAS ? 2 : 1])
			points_store(points, operands[v->op == OP_CAS ? 2 : 1], operands[0], 0, v->bytes);
		break;
	case OP_STEP:
		if (operands[0])
			points_copy(points, operands[0], index, v->number, v->bytes);
		break;
	case OP_SAME: case OP_PICK:
		mix(p, index, v, 0);
		break;
	case OP_MIX:
		if (!(v->flags & VALUE_RANGE && v->sum == SUM_SUB))     /* how far apart is a number */
			mix(p, index, v, 1);
		break;
	case OP_CALL:
		constrain_call(p, index, v);
		break;
	case OP_ASM:
		for (uint32_t i = 0; i < v->operand_count; i++)
			if (operands[i])
				points_escape(points, operands[i]);
		points_address(points, index, POINTS_OUTSIDE, 0);
		break;
	case OP_RETURN:
		if (v->operand_count && operands[0])
			points_copy(points, operands[0], p->return_node[v->function], 0, 0);
		break;
	default:
		break;
	}
}

/* ---- what the solver tells ---- */

static void told_call(void *with, uint32_t call, uint32_t object)
{
	struct pointers *p = with;
	struct thing t = p->things.at[object];
	bool back = call >= p->code->values.count;
	uint32_t index = back ? call - (uint32_t)p->code->values.count : call;
	if (t.kind == THING_FUNCTION && back)
		call_back(p, index, t.index);
	else if (t.kind == THING_FUNCTION)
		call_function(p, call, t.index, false);
	else if (t.kind == THING_OUTSIDE)
		call_outside(p, back ? p->callbacks.at[index].call : call);
}

static void told_escape(void *with, uint32_t object)
{
	struct pointers *p = with;
	struct thing t = p->things.at[object];
	if (t.kind != THING_FUNCTION)
		return;
	const struct function *f = &p->code->functions.at[t.index];
	p->function_flags[t.index] |= FROM_OUTSIDE;
	for (uint32_t i = 0; i < f->param_count && f->flags & FUNCTION_DEFINED; i++)
		points_address(p->points, f->param_at + i, POINTS_OUTSIDE, 0);
	if (f->flags & FUNCTION_DEFINED)
		points_escape(p->points, p->return_node[t.index]);
}

/* ---- the program ---- */

/* Constants that point nowhere, texts above all, are one object: nothing is ever stored there. */
static void make_constants(struct pointers *p)
{
	const struct code *c = p->code;
	bool *points = mem_take(c->globals.count + 1);
	uint32_t shared = 0;
	for (size_t i = 0; i < c->inits.count; i++)
		points[c->inits.at[i].global] = true;
	for (uint32_t i = 0; i < c->globals.count; i++) {
		const struct global *g = &c->globals.at[i];
		const uint32_t wanted = GLOBAL_CONSTANT | GLOBAL_DEFINED | GLOBAL_LOCAL;
		if (points[i] || (g->flags & wanted) != wanted)
			continue;
		if (!shared)
			shared = new_object(p, THING_GLOBAL, i, 0);
		p->global_object[i] = shared;
	}
	mem_free(points);
}

static void make_objects(struct pointers *p)
{
	const struct code *c = p->code;
	make_constants(p);
	for (uint32_t i = 0; i < c->globals.count; i++)
		if (c->globals.at[i].leader == i && !p->global_object[i])
			p->global_object[i] = new_object(p, THING_GLOBAL, i, c->globals.at[i].bytes);
	for (uint32_t i = 0; i < c->globals.count; i++)
		p->global_object[i] = p->global_object[c->globals.at[i].leader];
	for (uint32_t i = 0; i < c->functions.count; i++) {
		p->return_node[i] = points_node(p->points);
		p->function_object[i] = new_object(p, THING_FUNCTION, i, 0);
		const struct function *f = &c->functions.at[i];
		if (f->leader == i && !(f->flags & FUNCTION_DEFINED))
			p->known[i] = library_effects(code_text(c, f->name), &p->effects[i]);
	}
}

static void escape_of(struct pointers *p, uint32_t object)
{
	uint32_t node = points_node(p->points);
	points_address(p->points, node, object, 0);
	points_escape(p->points, node);
}

static bool has_main(const struct code *c)
{
	for (uint32_t i = 0; i < c->functions.count; i++)
		if (c->functions.at[i].flags & FUNCTION_DEFINED && !strcmp(code_text(c, c->functions.at[i].name), "main"))
			return true;
	return false;
}

/* What main gets: a number, the words of the command line, and an environment, which the library has, too. */
static void constrain_main(struct pointers *p, uint32_t function)
{
	const struct function *f = &p->code->functions.at[function];
	uint32_t words = new_object(p, THING_ARGUMENTS, function, 0), inside = points_node(p->points);
	p->function_flags[function] |= AT_START;
	points_address(p->points, inside, words, POINTS_ANYWHERE);
	points_store(p->points, inside, inside, 0, 0);          /* an array of pointers, and behind it the bytes they point to */
	for (uint32_t i = 0; i < f->param_count; i++)
		points_address(p->points, f->param_at + i, i == 1 ? words : POINTS_OUTSIDE, i == 1 ? POINTS_ANYWHERE : 0);
}

/* Where control comes in, and what is known outside by its name. */
static void constrain_edges(struct pointers *p)
{
	const struct code *c = p->code;
	bool program = has_main(c);
	for (uint32_t i = 0; i < c->globals.count; i++) {
		const struct global *g = &c->globals.at[i];
		if (g->leader == i && (!(g->flags & GLOBAL_DEFINED) || g->flags & GLOBAL_EXPORTED || (!program && !(g->flags & GLOBAL_LOCAL))))
			escape_of(p, p->global_object[i]);
	}
	for (uint32_t i = 0; i < c->functions.count; i++) {
		const struct function *f = &c->functions.at[i];
		if (!(f->flags & FUNCTION_DEFINED))
			continue;
		if (program && !strcmp(code_text(c, f->name), "main"))
			constrain_main(p, i);
		else if (f->flags & FUNCTION_EXPORTED || (!program && !(f->flags & FUNCTION_LOCAL)))
			escape_of(p, p->function_object[i]);
	}
	for (size_t i = 0; i < c->inits.count; i++) {
		const struct init *in = &c->inits.at[i];
		uint32_t at = points_node(p->points), f = pointers_direct(c, in->value);
		points_address(p->points, at, p->global_object[in->global], (int64_t)in->offset);
		points_store(p->points, in->value, at, 0, 8);
		const char *name = code_text(c, c->globals.at[in->global].name);
		if (f != NONE && (!strcmp(name, "llvm.global_ctors") || !strcmp(name, "llvm.global_dtors")))
			p->function_flags[f] |= AT_START;
	}
}

void pointers_make(struct pointers *p, const struct code *c)
{
	struct points_hooks hooks = { p, told_call, told_escape };
	memset(p, 0, sizeof *p);
	p->code = c;
	p->points = points_new((uint32_t)c->values.count);
	vec_push(&p->things, ((struct thing){ THING_OUTSIDE, 0 }));
	size_t functions = c->functions.count + 1;
	p->global_object = mem_take((c->globals.count + 1) * sizeof(uint32_t));
	p->function_object = mem_take(functions * sizeof(uint32_t));
	p->return_node = mem_take(functions * sizeof(uint32_t));
	p->vararg_object = mem_take(functions * sizeof(uint32_t));
	p->wrapped_at = mem_take(functions * sizeof(uint32_t));
	p->wrapped_count = mem_take(functions * sizeof(uint32_t));
	p->effects = mem_take(functions * sizeof *p->effects);
	p->known = mem_take(functions);
	p->function_flags = mem_take(functions);
	p->call_flags = mem_take(c->values.count + 1);
	make_objects(p);
	wrappers_find(p);
	for (uint32_t i = 1; i < c->values.count; i++)
		constrain(p, i);
	constrain_edges(p);
	points_solve(p->points, &hooks);
}

void pointers_release(struct pointers *p)
{
	points_free(p->points);
	vec_release(&p->things);
	vec_release(&p->links);
	vec_release(&p->callbacks);
	vec_release(&p->wrapped);
	map_release(&p->value_object);
	map_release(&p->linked);
	mem_free(p->global_object);
	mem_free(p->function_object);
	mem_free(p->return_node);
	mem_free(p->vararg_object);
	mem_free(p->wrapped_at);
	mem_free(p->wrapped_count);
	mem_free(p->effects);
	mem_free(p->known);
	mem_free(p->function_flags);
	mem_free(p->call_flags);
}
