/* cc/expand.c -- memory moved by intrinsics and by library functions raddle has a model of, in the recorded body.
 *   up to SMALL bytes of known length   loads and stores, which group.c records like any other
 *   anything longer                     raddle_memcpy and friends: they do it and note it
 *   structs passed by value              read by the call, written at the entry of the function called
 *   va_start, va_copy                    what they set up is noted, if others can see it
 *   modelled library functions          raddle_lib_NAME instead of NAME (wire/modelled.h) */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cc/pass.h"
#include "wire/modelled.h"

#define SMALL 64
#define PIECES 16                       /* of a structure handed over by value: one with more is told as a whole */

static const char *const modelled[] = {
#define X(name) #name,
	MODELLED(X)
#undef X
};

static const char *callee_name(LLVMValueRef call, size_t *length)
{
	LLVMValueRef callee = LLVMGetCalledValue(call);
	return LLVMIsAFunction(callee) ? LLVMGetValueName2(callee, length) : NULL;
}

static LLVMTypeRef chunk_type(struct unit *u, unsigned size)
{
	return size == 16 ? LLVMVectorType(u->i64, 2) : LLVMIntTypeInContext(u->context, 8 * size);
}

static unsigned chunk_size(uint64_t left)
{
	unsigned size = 16;
	while (size > left)
		size /= 2;
	return size;
}

static LLVMValueRef at_offset(struct unit *u, LLVMValueRef base, uint64_t offset)
{
	LLVMValueRef index = unit_number(u, offset);
	return offset ? LLVMBuildGEP2(u->builder, u->i8, base, &index, 1, "") : base;
}

static void keep_site(struct unit *u, LLVMValueRef from, LLVMValueRef to)
{
	LLVMValueRef site = LLVMGetMetadata(from, u->site_kind);
	if (site && LLVMIsAInstruction(to))
		LLVMSetMetadata(to, u->site_kind, site);
}

/* ---- copies ---- */

/* The name of the type a field is accessed as: a tag is (type, type, offset), and a type begins with its name. */
static bool is_of_type(LLVMValueRef tag, const char *type)
{
	LLVMValueRef in[8];
	unsigned length = 0;
	for (int depth = 0; depth < 2; depth++) {
		unsigned count = LLVMIsAMDNode(tag) ? LLVMGetMDNodeNumOperands(tag) : 0;
		if (!count || count > 8)
			return false;
		LLVMGetMDNodeOperands(tag, in);
		if (!(tag = in[0]))
			return false;
	}
	const char *name = LLVMIsAMDString(tag) ? LLVMGetMDString(tag, &length) : NULL;
	return name && length == strlen(type) && !memcmp(name, type, length);
}

/* Which of its bytes a copy is about, one bit each: those of the fields, where the compiler says which these are (!tbaa.struct: offset, bytes, kind of each).  What lies
 * between them is padding, which has whatever was there before; so is all of an empty class, and what a long double has behind its ten bytes. */
static uint64_t bytes_of_fields(struct unit *u, LLVMValueRef call, uint64_t bytes)
{
	enum { WORDS = 3 * SMALL };
	LLVMValueRef node = LLVMGetMetadata(call, LLVMGetMDKindIDInContext(u->context, "tbaa.struct", 11)), word[WORDS];
	uint64_t all = bytes < 64 ? (1ull << bytes) - 1 : UINT64_MAX, fields = 0;
	unsigned count = node ? LLVMGetMDNodeNumOperands(node) : 0;
	if (!node || count > WORDS)
		return all;
	LLVMGetMDNodeOperands(node, word);
	for (unsigned i = 0; i + 2 < count; i += 3) {
		if (!LLVMIsAConstantInt(word[i]) || !LLVMIsAConstantInt(word[i + 1]))
			return all;
		uint64_t at = LLVMConstIntGetZExtValue(word[i]), size = LLVMConstIntGetZExtValue(word[i + 1]);
		if (size == 16 && is_of_type(word[i + 2], "long double"))
			size = 10;
		if (at < 64)
			fields |= (size < 64 ? (1ull << size) - 1 : UINT64_MAX) << at;
	}
	return fields & all || !count ? fields & all : all;
}

/* How many bytes from there on are, or are not, among these. */
static uint64_t run_at(uint64_t fields, uint64_t at, uint64_t bytes, bool *in)
{
	uint64_t end = at;
	*in = fields >> at & 1;
	while (end < bytes && (fields >> end & 1) == *in)
		end++;
	return end - at;
}

/* Padding goes along, and nobody is told. */
static void copy_padding(struct unit *u, LLVMValueRef to, LLVMValueRef from, uint64_t fields, uint64_t bytes)
{
	bool in;
	for (uint64_t at = 0, run; at < bytes; at += run) {
		run = run_at(fields, at, bytes, &in);
		if (!in)
			LLVMBuildMemCpy(u->builder, at_offset(u, to, at), 1, at_offset(u, from, at), 1, unit_number(u, run));
	}
}

struct chunk { uint64_t at; unsigned size; };

static unsigned chunks_of(uint64_t fields, uint64_t bytes, struct chunk out[SMALL])
{
	unsigned count = 0;
	bool in;
	for (uint64_t at = 0, run; at < bytes; at += run) {
		run = run_at(fields, at, bytes, &in);
		for (uint64_t done = 0; in && done < run; done += out[count++].size)
			out[count] = (struct chunk){ at + done, chunk_size(run - done) };
	}
	return count;
}

/* All loads before all stores: right for overlapping moves too. */
static void expand_copy(struct unit *u, LLVMValueRef call, uint64_t bytes, bool move)
{
	LLVMValueRef to = LLVMGetOperand(call, 0), from = LLVMGetOperand(call, 1), values[SMALL];
	struct chunk chunks[SMALL];
	uint64_t fields = move ? UINT64_MAX : bytes_of_fields(u, call, bytes);
	unsigned count = chunks_of(fields, bytes, chunks);
	unit_before(u, call);
	copy_padding(u, to, from, fields, bytes);
	for (unsigned i = 0; i < count; i++) {
		values[i] = LLVMBuildLoad2(u->builder, chunk_type(u, chunks[i].size), at_offset(u, from, chunks[i].at), "");
		LLVMSetAlignment(values[i], 1);
		keep_site(u, call, values[i]);
	}
	for (unsigned i = 0; i < count; i++) {
		LLVMValueRef store = LLVMBuildStore(u->builder, values[i], at_offset(u, to, chunks[i].at));
		LLVMSetAlignment(store, 1);
		keep_site(u, call, store);
	}
	LLVMInstructionEraseFromParent(call);
}

/* ---- fills ---- */

/* The byte repeated over the whole chunk. */
static LLVMValueRef spread(struct unit *u, LLVMValueRef byte, unsigned size)
{
	LLVMTypeRef type = LLVMIntTypeInContext(u->context, 8 * (size == 16 ? 8 : size));
	LLVMValueRef ones = LLVMConstInt(type, 0x0101010101010101ull, 0);
	LLVMValueRef word = LLVMBuildMul(u->builder, LLVMBuildZExt(u->builder, byte, type, ""), ones, "");
	if (size != 16)
		return word;
	LLVMValueRef pair = LLVMBuildInsertElement(u->builder, LLVMGetPoison(chunk_type(u, 16)), word, unit_number(u, 0), "");
	return LLVMBuildInsertElement(u->builder, pair, word, unit_number(u, 1), "");
}

static void expand_fill(struct unit *u, LLVMValueRef call, uint64_t bytes)
{
	LLVMValueRef to = LLVMGetOperand(call, 0), byte = LLVMGetOperand(call, 1);
	unit_before(u, call);
	for (uint64_t at = 0; at < bytes; at += chunk_size(bytes - at)) {
		LLVMValueRef store = LLVMBuildStore(u->builder, spread(u, byte, chunk_size(bytes - at)), at_offset(u, to, at));
		LLVMSetAlignment(store, 1);
		keep_site(u, call, store);
	}
	LLVMInstructionEraseFromParent(call);
}

LLVMValueRef library_site(struct function *f, LLVMValueRef call, const char *name)
{
	struct unit *u = f->unit;
	struct bytes d = { 0 };
	bytes_varint(&d, SITE_LIBRARY);
	bytes_varint(&d, f->index);
	bytes_varint(&d, 0);
	bytes_varint(&d, site_ordinal(u, call));
	bytes_varint(&d, table_place(u->table, call));
	bytes_varint(&d, table_string(u->table, name, strlen(name)) + 1);
	LLVMValueRef site = table_descriptor(u->table, &d);
	free(d.at);
	return site;
}

static void hook_bulk(struct function *f, LLVMValueRef call, const char *hook_name, bool fill)
{
	struct unit *u = f->unit;
	LLVMTypeRef type, params[4] = { u->pointer, fill ? u->i32 : u->pointer, u->i64, u->pointer };
	LLVMValueRef hook = unit_hook(u, hook_name, u->pointer, params, 4, &type);
	unit_before(u, call);
	LLVMValueRef second = LLVMGetOperand(call, 1), length = LLVMGetOperand(call, 2);
	if (fill)
		second = LLVMBuildZExt(u->builder, second, u->i32, "");
	if (LLVMTypeOf(length) != u->i64)
		length = LLVMBuildZExt(u->builder, length, u->i64, "");
	LLVMValueRef args[4] = { LLVMGetOperand(call, 0), second, length, library_site(f, call, hook_name + strlen("raddle_")) };
	LLVMBuildCall2(u->builder, type, hook, args, 4, "");
	LLVMInstructionEraseFromParent(call);
}

/* A list of arguments that others will use was set up: by code nobody records. */
static void note_argument_list(struct function *f, LLVMValueRef call, const char *name)
{
	enum { LIST_BYTES = 24 };
	struct unit *u = f->unit;
	LLVMTypeRef type, params[4] = { u->pointer, u->i64, u->i32, u->pointer };
	LLVMValueRef hook = unit_hook(u, "raddle_range", u->nothing, params, 4, &type), list = LLVMGetOperand(call, 0);
	if (filter_is_private(list))
		return;
	LLVMValueRef args[4] = { list, unit_number(u, LIST_BYTES), LLVMConstInt(u->i32, 1, 0), library_site(f, call, name) };
	unit_before(u, LLVMGetNextInstruction(call));
	LLVMBuildCall2(u->builder, type, hook, args, 4, "");
}

static void expand_intrinsic(struct function *f, LLVMValueRef call, const char *name)
{
	if (strncmp(name, "llvm.va_start", 13) == 0 || strncmp(name, "llvm.va_copy", 12) == 0)
		note_argument_list(f, call, name[8] == 's' ? "va_start" : "va_copy");
	struct unit *u = f->unit;
	bool fill = strncmp(name, "llvm.memset", 11) == 0, move = strncmp(name, "llvm.memmove", 12) == 0;
	if (!fill && !move && strncmp(name, "llvm.memcpy", 11) != 0)
		return;
	LLVMValueRef length = LLVMGetOperand(call, 2), is_volatile = LLVMGetOperand(call, 3);
	bool known = LLVMIsAConstantInt(length) && LLVMConstIntGetZExtValue(length) <= SMALL;
	bool to_private = filter_is_private(LLVMGetOperand(call, 0));
	if (to_private && (fill || filter_is_private(LLVMGetOperand(call, 1))))
		return;
	bool small = known && LLVMConstIntGetZExtValue(is_volatile) == 0;
	if (small && fill)
		expand_fill(u, call, LLVMConstIntGetZExtValue(length));
	else if (small)
		expand_copy(u, call, LLVMConstIntGetZExtValue(length), move);
	else
		hook_bulk(f, call, fill ? "raddle_memset" : move ? "raddle_memmove" : "raddle_memcpy", fill);
}

static bool is_modelled(const char *name)
{
	for (size_t i = 0; i < sizeof modelled / sizeof *modelled; i++)
		if (strcmp(modelled[i], name) == 0)
			return true;
	return false;
}

static void use_model(struct unit *u, LLVMValueRef call, const char *name)
{
	char hook_name[80];
	LLVMValueRef callee = LLVMGetCalledValue(call);
	snprintf(hook_name, sizeof hook_name, "raddle_lib_%s", name);
	LLVMValueRef hook = LLVMGetNamedFunction(u->module, hook_name);
	if (!hook)
		hook = LLVMAddFunction(u->module, hook_name, LLVMGlobalGetValueType(callee));
	LLVMSetOperand(call, (unsigned)LLVMGetNumOperands(call) - 1, hook);
	if (LLVMIsACallInst(call) && LLVMGetTailCallKind(call) == LLVMTailCallKindTail)
		LLVMSetTailCall(call, 0);
}

/* Is what is called somewhere else?  Headers of libc have bodies for some functions (atoi), to be used where that is better, and never written out. */
static bool is_elsewhere(LLVMValueRef callee)
{
	return LLVMIsDeclaration(callee) || LLVMGetLinkage(callee) == LLVMAvailableExternallyLinkage;
}

static void expand_call(struct function *f, LLVMValueRef call)
{
	size_t length;
	const char *name = callee_name(call, &length);
	if (!name)
		return;
	LLVMValueRef callee = LLVMGetCalledValue(call);
	if (LLVMGetIntrinsicID(callee))
		expand_intrinsic(f, call, name);
	else if (is_elsewhere(callee) && is_modelled(name))
		use_model(f->unit, call, name);
}

/* ---- structs passed by value: the caller's copy is implied by the call, no instruction reads it ---- */

struct piece { uint64_t at, bytes; };
struct pieces { struct piece at[PIECES]; unsigned count; bool whole; };

static void add_piece(struct pieces *p, uint64_t at, uint64_t bytes)
{
	struct piece *last = p->count ? &p->at[p->count - 1] : NULL;
	if (last && last->at + last->bytes == at)
		last->bytes += bytes;
	else if (p->count < PIECES)
		p->at[p->count++] = (struct piece){ at, bytes };
	else
		p->whole = true;
}

/* A union has the type of one of its members: what is a gap there may be another one's field. */
static bool is_union(LLVMTypeRef type)
{
	const char *name = LLVMGetStructName(type);
	return !name || (strncmp(name, "struct.", 7) != 0 && strncmp(name, "class.", 6) != 0);
}

/* The bytes its fields have, in order; what cannot be told apart is one field. */
static void add_fields(struct unit *u, LLVMTypeRef type, uint64_t at, struct pieces *out)
{
	LLVMTypeKind kind = LLVMGetTypeKind(type);
	if (kind == LLVMStructTypeKind && !is_union(type)) {
		for (unsigned i = 0; i < LLVMCountStructElementTypes(type) && !out->whole; i++)
			add_fields(u, LLVMStructGetTypeAtIndex(type, i), at + LLVMOffsetOfElement(u->layout, type, i), out);
	} else if (kind == LLVMArrayTypeKind) {
		LLVMTypeRef of = LLVMGetElementType(type);
		for (uint64_t i = 0; i < LLVMGetArrayLength2(type) && !out->whole; i++)
			add_fields(u, of, at + i * LLVMABISizeOfType(u->layout, of), out);
	} else {
		add_piece(out, at, kind == LLVMStructTypeKind ? LLVMABISizeOfType(u->layout, type) : LLVMStoreSizeOfType(u->layout, type));
	}
}

static void note_range(struct function *f, LLVMValueRef before, LLVMValueRef pointer, LLVMTypeRef of, bool write)
{
	struct unit *u = f->unit;
	LLVMTypeRef type, params[4] = { u->pointer, u->i64, u->i32, u->pointer };
	LLVMValueRef hook = unit_hook(u, "raddle_range", u->nothing, params, 4, &type), site = library_site(f, before, "by-value");
	struct pieces fields = { .count = 0 };
	add_fields(u, of, 0, &fields);
	if (fields.whole)
		fields = (struct pieces){ .at = { { 0, LLVMABISizeOfType(u->layout, of) } }, .count = 1 };
	unit_before(u, before);
	for (unsigned i = 0; i < fields.count; i++) {
		LLVMValueRef args[4] = { at_offset(u, pointer, fields.at[i].at), unit_number(u, fields.at[i].bytes), LLVMConstInt(u->i32, write, 0), site };
		LLVMBuildCall2(u->builder, type, hook, args, 4, "");
	}
}

static LLVMTypeRef by_value_type(LLVMAttributeRef attribute)
{
	return attribute ? LLVMGetTypeAttributeValue(attribute) : NULL;
}

static void note_by_value(struct function *f, LLVMValueRef call)
{
	unsigned kind = LLVMGetEnumAttributeKindForName("byval", 5);
	for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++) {
		LLVMTypeRef type = by_value_type(LLVMGetCallSiteEnumAttribute(call, i + 1, kind));
		if (type && !filter_is_private(LLVMGetOperand(call, i)))
			note_range(f, call, LLVMGetOperand(call, i), type, false);
	}
}

/* What came by value was written by the call itself; whoever can see it later must find a writer. */
static void note_own_by_value(struct function *f)
{
	unsigned kind = LLVMGetEnumAttributeKindForName("byval", 5);
	LLVMValueRef first = LLVMGetFirstInstruction(f->body[0]);
	for (unsigned i = 0; i < LLVMCountParams(f->value); i++) {
		LLVMTypeRef type = by_value_type(LLVMGetEnumAttributeAtIndex(f->value, i + 1, kind));
		if (type && !filter_is_private(LLVMGetParam(f->value, i)))
			note_range(f, first, LLVMGetParam(f->value, i), type, true);
	}
}

void expand_memory(struct function *f)
{
	note_own_by_value(f);
	for (size_t i = 0; i < f->body_count; i++)
		for (LLVMValueRef in = LLVMGetFirstInstruction(f->body[i]), next; in; in = next) {
			next = LLVMGetNextInstruction(in);
			asked_note(f, in);
			if (LLVMIsACallInst(in) || LLVMIsAInvokeInst(in)) {
				note_by_value(f, in);
				expand_call(f, in);
			}
		}
}
