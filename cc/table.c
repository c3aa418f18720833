/* cc/table.c -- writes the site tables of one module (layout: wire/sites.h) and the constructor that announces them.
 * Descriptors are handed out as addresses before the table's size is known: they point into a stand-in global that is
 * replaced by the real one at the end, where descriptors stand first, right behind the head. */
#include <stdlib.h>
#include <string.h>

#include "cc/door.h"
#include "cc/pass.h"
#include "wire/version.h"

/* Where bytes already stand in the table, by hash, open addressing. */
struct seen { struct { uint64_t hash; uint32_t at, length; } *entry; size_t count, room; };

struct place { uint64_t file, function, line, column, inlined_at; };

struct table {
	struct unit *unit;
	LLVMValueRef stand_in;
	struct bytes descriptors, functions, places, strings;
	struct bytes known_places;                      /* each as five fields */
	struct place last_place;
	uint32_t function_count, place_count, unit_name;
	LLVMValueRef *relative;
	uint32_t relative_count, relative_room;
	struct vmap relative_index, function_index, place_index, stands_for;
	struct seen text, same, spots;                  /* strings; descriptors; places */
	struct vmap spot_index;                         /* offset + 1 of a place -> its index */
};

struct table *table_new(struct unit *u, const char *unit_name)
{
	struct table *t = calloc(1, sizeof *t);
	if (!t)
		abort();
	t->unit = u;
	t->stand_in = LLVMAddGlobal(u->module, u->i8, "raddle.stand.in");
	table_string(t, "", 0);                         /* offset 0 is the empty string */
	t->unit_name = table_string(t, unit_name, strlen(unit_name));
	return t;
}

static uint64_t hash_bytes(const uint8_t *at, size_t length)
{
	uint64_t hash = 0xcbf29ce484222325ull;
	for (size_t i = 0; i < length; i++)
		hash = (hash ^ at[i]) * 0x100000001b3ull;
	return hash | 1;
}

static void seen_grow(struct seen *s)
{
	struct seen old = *s;
	s->room = old.room ? 2 * old.room : 256;
	s->entry = calloc(s->room, sizeof *s->entry);
	if (!s->entry)
		abort();
	for (size_t i = 0; i < old.room; i++)
		if (old.entry[i].hash) {
			size_t at = old.entry[i].hash & (s->room - 1);
			while (s->entry[at].hash)
				at = (at + 1) & (s->room - 1);
			s->entry[at] = old.entry[i];
		}
	free(old.entry);
}

/* The offset of these bytes in `in`, appended unless they are there already. */
static uint32_t place_bytes(struct seen *s, struct bytes *in, const void *bytes, size_t length)
{
	if (2 * (s->count + 1) > s->room)
		seen_grow(s);
	uint64_t hash = hash_bytes(bytes, length);
	size_t at = hash & (s->room - 1);
	for (; s->entry[at].hash; at = (at + 1) & (s->room - 1))
		if (s->entry[at].hash == hash && s->entry[at].length == length &&
			memcmp(in->at + s->entry[at].at, bytes, length) == 0)
			return s->entry[at].at;
	s->entry[at].hash = hash;
	s->entry[at].at = (uint32_t)in->count;
	s->entry[at].length = (uint32_t)length;
	s->count++;
	bytes_add(in, bytes, length);
	return s->entry[at].at;
}

uint32_t table_string(struct table *t, const char *text, size_t length)
{
	length = strnlen(text, length);
	size_t end = t->strings.count;
	uint32_t at = place_bytes(&t->text, &t->strings, text, length);
	if (t->strings.count > end || at == end)
		bytes_add(&t->strings, "", 1);
	return at;
}

/* ---- debug information: file, function and line of a scope, through the generic node operands ---- */

static LLVMMetadataRef operand(struct unit *u, LLVMMetadataRef node, unsigned index)
{
	LLVMValueRef value = LLVMMetadataAsValue(u->context, node);
	int count = LLVMGetMDNodeNumOperands(value);
	if ((int)index >= count)
		return NULL;
	LLVMValueRef *all = malloc(sizeof *all * (size_t)count);
	if (!all)
		abort();
	LLVMGetMDNodeOperands(value, all);
	LLVMMetadataRef result = all[index] ? LLVMValueAsMetadata(all[index]) : NULL;
	free(all);
	return result;
}

/* The string operand of a node, interned; 0 if it has none. */
static uint32_t operand_string(struct table *t, LLVMMetadataRef node, unsigned index)
{
	LLVMMetadataRef text = operand(t->unit, node, index);
	unsigned length = 0;
	const char *chars = text ? LLVMGetMDString(LLVMMetadataAsValue(t->unit->context, text), &length) : NULL;
	return chars ? table_string(t, chars, length) : 0;
}

static LLVMMetadataRef subprogram_of(struct unit *u, LLVMMetadataRef scope)
{
	for (int depth = 0; scope && depth < 256; depth++) {
		LLVMMetadataKind kind = LLVMGetMetadataKind(scope);
		if (kind == LLVMDISubprogramMetadataKind)
			return scope;
		if (kind != LLVMDILexicalBlockMetadataKind && kind != LLVMDILexicalBlockFileMetadataKind)
			return NULL;
		scope = operand(u, scope, 1);
	}
	return NULL;
}

static uint32_t file_of(struct table *t, LLVMMetadataRef scope)
{
	LLVMMetadataRef file = scope ? LLVMDIScopeGetFile(scope) : NULL;
	unsigned length = 0;
	const char *name = file ? LLVMDIFileGetFilename(file, &length) : NULL;
	return name ? table_string(t, name, length) : 0;
}

static uint64_t zigzag(int64_t value)
{
	return (uint64_t)value << 1 ^ (uint64_t)(value >> 63);
}

static void write_place(struct table *t, const struct place *p)
{
	const struct place *last = &t->last_place;
	bool elsewhere = p->file != last->file || p->function != last->function || p->inlined_at != last->inlined_at;
	bytes_varint(&t->places, zigzag((int64_t)(p->line - last->line)) << 1 | elsewhere);
	if (elsewhere) {
		bytes_varint(&t->places, p->file);
		bytes_varint(&t->places, p->function);
		bytes_varint(&t->places, p->inlined_at);
	}
	bytes_varint(&t->places, p->column);
	t->last_place = *p;
}

static uint32_t add_place(struct table *t, const struct place *p)
{
	uint64_t known;
	uintptr_t at = place_bytes(&t->spots, &t->known_places, p, sizeof *p) + 1;
	if (!vmap_get(&t->spot_index, (void *)at, &known)) {
		vmap_set(&t->spot_index, (void *)at, known = t->place_count++);
		write_place(t, p);
	}
	return (uint32_t)known;
}

static uint32_t place_of_location(struct table *t, LLVMMetadataRef location)
{
	uint64_t known;
	if (vmap_get(&t->place_index, location, &known))
		return (uint32_t)known;
	LLVMMetadataRef outer = LLVMDILocationGetInlinedAt(location);
	uint64_t outer_place = outer ? place_of_location(t, outer) + 1 : 0;
	LLVMMetadataRef scope = LLVMDILocationGetScope(location);
	LLVMMetadataRef subprogram = subprogram_of(t->unit, scope);
	struct place here = { file_of(t, scope), subprogram ? operand_string(t, subprogram, 2) : 0,
		LLVMDILocationGetLine(location), LLVMDILocationGetColumn(location), outer_place };
	uint32_t place = add_place(t, &here);
	vmap_set(&t->place_index, location, place);
	return place;
}

/* A function with no line information still has a name. */
static uint32_t place_of_function(struct table *t, LLVMValueRef function)
{
	uint64_t known;
	if (vmap_get(&t->place_index, function, &known))
		return (uint32_t)known;
	size_t length;
	const char *name = LLVMGetValueName2(function, &length);
	LLVMMetadataRef subprogram = LLVMGetSubprogram(function);
	struct place here = { file_of(t, subprogram), table_string(t, name, length),
		subprogram ? LLVMDISubprogramGetLine(subprogram) : 0, 0, 0 };
	uint32_t place = add_place(t, &here);
	vmap_set(&t->place_index, function, place);
	return place;
}

uint32_t table_place(struct table *t, LLVMValueRef instruction)
{
	LLVMMetadataRef location = LLVMInstructionGetDebugLoc(instruction);
	if (location)
		return place_of_location(t, location);
	LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(instruction));
	uint64_t original;
	return place_of_function(t, vmap_get(&t->stands_for, function, &original) ? (LLVMValueRef)original : function);
}

void table_stands_for(struct table *t, LLVMValueRef copy, LLVMValueRef function)
{
	if (copy != function)
		vmap_set(&t->stands_for, copy, (uint64_t)function);
}

uint32_t table_function(struct table *t, LLVMValueRef function)
{
	uint64_t known;
	if (vmap_get(&t->function_index, function, &known))
		return (uint32_t)known;
	size_t length;
	const char *name = LLVMGetValueName2(function, &length);
	uint32_t linkage = table_string(t, name, length), display = linkage;
	LLVMMetadataRef subprogram = LLVMGetSubprogram(function);
	if (subprogram && operand_string(t, subprogram, 2))
		display = operand_string(t, subprogram, 2);
	bytes_varint(&t->functions, linkage);
	bytes_varint(&t->functions, display);
	bytes_varint(&t->functions, file_of(t, subprogram));
	bytes_varint(&t->functions, subprogram ? LLVMDISubprogramGetLine(subprogram) : 0);
	vmap_set(&t->function_index, function, t->function_count);
	return t->function_count++;
}

uint32_t table_relative(struct table *t, LLVMValueRef global)
{
	uint64_t known;
	if (vmap_get(&t->relative_index, global, &known))
		return (uint32_t)known;
	if (t->relative_count == t->relative_room) {
		t->relative_room = t->relative_room ? 2 * t->relative_room : 64;
		t->relative = realloc(t->relative, t->relative_room * sizeof *t->relative);
		if (!t->relative)
			abort();
	}
	vmap_set(&t->relative_index, global, t->relative_count);
	t->relative[t->relative_count] = global;
	return t->relative_count++;
}

LLVMValueRef table_descriptor(struct table *t, const struct bytes *descriptor)
{
	struct unit *u = t->unit;
	uint32_t at = place_bytes(&t->same, &t->descriptors, descriptor->at, descriptor->count);
	LLVMValueRef offset = unit_number(u, sizeof(struct sites_unit) + at);
	return LLVMConstGEP2(u->i8, t->stand_in, &offset, 1);
}

/* ---- at the end ---- */

static LLVMValueRef byte_constant(struct unit *u, const struct bytes *b)
{
	return LLVMConstStringInContext2(u->context, (const char *)b->at, b->count, 1);
}

static void pad_to(struct bytes *b, size_t base, size_t align)
{
	while ((base + b->count) % align)
		bytes_add(b, "", 1);
}

static LLVMValueRef relative_constant(struct unit *u, LLVMValueRef global, LLVMValueRef unit)
{
	LLVMValueRef distance = LLVMConstSub(LLVMConstPtrToInt(global, u->i64), LLVMConstPtrToInt(unit, u->i64));
	return LLVMConstTrunc(distance, u->i32);
}

/* Appends an element to one of LLVM's appending arrays. */
static void append_special(struct unit *u, const char *name, LLVMTypeRef type, LLVMValueRef element, const char *section)
{
	LLVMValueRef old = LLVMGetNamedGlobal(u->module, name);
	size_t count = old ? LLVMGetArrayLength2(LLVMGlobalGetValueType(old)) : 0;
	LLVMValueRef *all = malloc(sizeof *all * (count + 1));
	if (!all)
		abort();
	for (size_t i = 0; i < count; i++)
		all[i] = LLVMGetAggregateElement(LLVMGetInitializer(old), (unsigned)i);
	all[count] = element;
	LLVMValueRef array = LLVMConstArray2(type, all, count + 1);
	if (old)
		LLVMSetValueName2(old, "", 0);
	LLVMValueRef new = LLVMAddGlobal(u->module, LLVMTypeOf(array), name);
	LLVMSetInitializer(new, array);
	LLVMSetLinkage(new, LLVMAppendingLinkage);
	if (section)
		LLVMSetSection(new, section);
	if (old)
		LLVMDeleteGlobal(old);
	free(all);
}

static LLVMValueRef section_edge(struct unit *u, const char *name)
{
	LLVMValueRef edge = LLVMGetNamedGlobal(u->module, name);
	if (!edge)
		edge = LLVMAddGlobal(u->module, u->i8, name);
	LLVMSetVisibility(edge, LLVMHiddenVisibility);
	return edge;
}

static void add_constructor(struct unit *u)
{
	LLVMTypeRef type = LLVMFunctionType(u->nothing, NULL, 0, 0);
	LLVMValueRef function = LLVMAddFunction(u->module, "raddle.announce", type);
	LLVMSetLinkage(function, LLVMInternalLinkage);
	LLVMPositionBuilderAtEnd(u->builder, LLVMAppendBasicBlockInContext(u->context, function, ""));
	LLVMSetCurrentDebugLocation2(u->builder, NULL);
	LLVMTypeRef params[3] = { u->pointer, u->pointer, u->i32 }, hook_type;
	LLVMValueRef hook = unit_hook(u, "raddle_register", u->nothing, params, 3, &hook_type);
	LLVMValueRef args[3] = { section_edge(u, "__start_" SITES_SECTION), section_edge(u, "__stop_" SITES_SECTION),
		LLVMConstInt(u->i32, WIRE_SITES_VERSION, 0) };
	LLVMBuildCall2(u->builder, hook_type, hook, args, 3, "");
	LLVMBuildRetVoid(u->builder);
	LLVMTypeRef fields[3] = { u->i32, u->pointer, u->pointer };
	LLVMValueRef entry[3] = { LLVMConstInt(u->i32, 101, 0), function, LLVMConstNull(u->pointer) };
	append_special(u, "llvm.global_ctors", LLVMStructTypeInContext(u->context, fields, 3, 0),
		LLVMConstStructInContext(u->context, entry, 3, 0), NULL);
}

/* Offsets of everything behind the head, and the head itself. */
static struct sites_unit make_head(struct table *t, const struct bytes *rest)
{
	struct sites_unit head = { .magic = SITES_MAGIC, .version = WIRE_SITES_VERSION, .level = t->unit->full ? SITES_FULL : t->unit->level };
	uint32_t relative_at = (uint32_t)(sizeof head + t->descriptors.count);
	uint32_t rest_at = relative_at + 4 * t->relative_count;
	head.descriptors_end = relative_at;
	head.relative_at = relative_at;
	head.relative_count = t->relative_count;
	head.functions_at = rest_at;
	head.function_count = t->function_count;
	head.places_at = rest_at + (uint32_t)t->functions.count;
	head.place_count = t->place_count;
	head.strings_at = head.places_at + (uint32_t)t->places.count;
	head.strings_bytes = (uint32_t)t->strings.count;
	head.unit_name = t->unit_name;
	head.bytes = rest_at + (uint32_t)rest->count;
	return head;
}

/* The global that holds the unit; its parts have their own types because of the relative addresses in the middle. */
static void emit_unit(struct table *t)
{
	struct unit *u = t->unit;
	struct bytes rest = { 0 }, head_bytes = { 0 };
	pad_to(&t->descriptors, sizeof(struct sites_unit), 4);
	bytes_add(&rest, t->functions.at, t->functions.count);
	bytes_add(&rest, t->places.at, t->places.count);
	bytes_add(&rest, t->strings.at, t->strings.count);
	pad_to(&rest, sizeof(struct sites_unit) + t->descriptors.count + 4 * t->relative_count, 8);
	struct sites_unit head = make_head(t, &rest);
	bytes_add(&head_bytes, &head, sizeof head);

	LLVMValueRef head_value = byte_constant(u, &head_bytes), descriptors = byte_constant(u, &t->descriptors);
	LLVMTypeRef parts[4] = { LLVMTypeOf(head_value), LLVMTypeOf(descriptors), LLVMArrayType2(u->i32, t->relative_count),
		LLVMTypeOf(byte_constant(u, &rest)) };
	LLVMTypeRef type = LLVMStructTypeInContext(u->context, parts, 4, 1);
	LLVMValueRef global = LLVMAddGlobal(u->module, type, "raddle.sites");
	LLVMValueRef *relative = malloc(sizeof *relative * (t->relative_count + 1u));
	if (!relative)
		abort();
	for (uint32_t i = 0; i < t->relative_count; i++)
		relative[i] = relative_constant(u, t->relative[i], global);
	LLVMValueRef values[4] = { head_value, descriptors, LLVMConstArray2(u->i32, relative, t->relative_count),
		byte_constant(u, &rest) };
	LLVMSetInitializer(global, LLVMConstStructInContext(u->context, values, 4, 1));
	LLVMSetLinkage(global, LLVMPrivateLinkage);
	LLVMSetSection(global, SITES_SECTION);
	LLVMSetAlignment(global, 8);
	LLVMSetGlobalConstant(global, 1);
	LLVMReplaceAllUsesWith(t->stand_in, global);
	append_special(u, "llvm.compiler.used", u->pointer, global, "llvm.metadata");
	free(relative);
	free(rest.at);
	free(head_bytes.at);
}

void table_finish(struct table *t)
{
	struct unit *u = t->unit;
	emit_unit(t);
	LLVMDeleteGlobal(t->stand_in);
	add_constructor(u);
	vmap_release(&t->relative_index);
	vmap_release(&t->function_index);
	vmap_release(&t->place_index);
	vmap_release(&t->stands_for);
	free(t->relative);
	free(t->text.entry);
	free(t->same.entry);
	free(t->spots.entry);
	vmap_release(&t->spot_index);
	free(t->descriptors.at);
	free(t->functions.at);
	free(t->places.at);
	free(t->known_places.at);
	free(t->strings.at);
	free(t);
}
