/* analyses/epa/places.c -- see places.h. */
#include "analyses/epa/places.h"

#include <stdio.h>
#include <string.h>

#include "drive/object.h"
#include "trace/sites.h"
#include "wire/fault.h"
#include "wire/kinds.h"

#include <xxhash.h>

static const char *const words[] = { "read", "write", "result", "argument", "call", "branch", "atomic operation" };

const char *place_word(const struct fault_place *s)
{
	return words[s->kind];
}

/* ---- from the tables ---- */

struct taking { struct fault_places *p; uint64_t address; };

static void add(struct taking *k, const struct site *s, struct fault_place found, uint32_t place, uint32_t name)
{
	struct unit_function function;
	struct unit_place at;
	found.descriptor = s->address - k->address;
	found.unit = unit_name(s->unit);
	found.linkage = unit_function(s->unit, s->function, &function) ? function.linkage : "";
	bool placed = unit_place(s->unit, place, &at);
	found.file = placed ? at.file : "";
	found.function = placed ? at.function : "";
	found.line = placed ? at.line : 0;
	const char *text = unit_string(s->unit, name);
	found.name = text ? text : "";
	vec_push(&k->p->all, found);
}

static enum place_kind kind_of(const struct access *a)
{
	if (a->is_result)
		return a->is_write ? PLACE_ARGUMENT : PLACE_RESULT;
	return a->is_write ? PLACE_WRITE : PLACE_READ;
}

static void take(void *with, const struct site *s)
{
	struct taking *k = with;
	uint32_t number = UINT32_MAX;
	if (s->flags & SITE_ATOMIC && s->op != AOP_FENCE)
		add(k, s, (struct fault_place){ .kind = PLACE_ATOMIC, .ordinal = s->other.ordinal, .size = s->size, .elements = 1 }, s->other.place, s->other.name);
	if (s->flags & (SITE_ATOMIC | SITE_LIBRARY))
		return;
	for (unsigned i = 0; i < s->access_count; i++) {
		const struct access *a = &s->accesses[i];
		uint32_t ordinal = a->is_result ? a->ordinal - RESULT_ORDINAL : a->ordinal;
		add(k, s, (struct fault_place){ .kind = (uint8_t)kind_of(a), .ordinal = ordinal, .nth = i, .size = a->size, .elements = a->elements },
			a->place, a->name);
		if (kind_of(a) == PLACE_ARGUMENT)
			number = ordinal;
	}
	if (s->flags & SITE_CALL)
		add(k, s, (struct fault_place){ .kind = PLACE_CALL, .ordinal = s->call.ordinal, .number = number, .nth = FAULT_CALL, .elements = 1,
			.skips = s->flags & SITE_SKIPS }, s->call.place, s->call.name);
	if (s->flags & SITE_BRANCH)
		add(k, s, (struct fault_place){ .kind = PLACE_BRANCH, .ordinal = s->branch.ordinal, .nth = FAULT_BRANCH, .size = s->branch_bytes,
			.elements = 1 }, s->branch.place, 0);
}

/* What events of a place have in common. */
static uint64_t key_of(uint32_t thread, unsigned kind, const char *unit, const char *linkage, uint32_t ordinal)
{
	uint32_t own[3] = { thread, kind, ordinal };
	uint64_t hash = XXH64(own, sizeof own, 0);
	hash = XXH64(unit, strlen(unit), hash);
	return XXH64(linkage, strlen(linkage), hash);
}

static uint64_t key_of_place(uint32_t thread, const struct fault_place *s)
{
	return key_of(thread, s->kind, s->unit, s->linkage, s->ordinal);
}

/* An atomic operation has a descriptor in the recorded body and, behind it, one in the clean body, for functions left half way: it is one place. */
static void drop_twins(struct fault_places *p)
{
	struct map first = { 0 };
	size_t count = 0;
	for (size_t i = 0; i < p->all.count; i++) {
		struct fault_place s = p->all.at[i];
		uint64_t *known = s.kind == PLACE_ATOMIC ? map_put(&first, key_of_place(0, &s), NULL) : NULL;
		if (known && *known) {
			if (!*p->all.at[*known - 1].name)
				p->all.at[*known - 1].name = s.name;
			continue;
		}
		p->all.at[count++] = s;
		if (known)
			*known = count;
	}
	p->all.count = count;
	map_release(&first);
}

static uint64_t key_of_name(const struct fault_place *s)
{
	return key_of(0, s->kind == PLACE_RESULT ? 0 : s->kind == PLACE_ARGUMENT ? 1 : 2, s->unit, s->linkage, s->ordinal);
}

static void number_parts(struct fault_places *p)
{
	struct map parts = { 0 }, events = { 0 }, labels = { 0 };
	for (size_t i = 0; i < p->all.count; i++) {
		struct fault_place *s = &p->all.at[i];
		uint64_t *sum = map_put(&events, key_of_place(0, s), NULL);
		s->part = (uint16_t)++*map_put(&parts, key_of_place(0, s), NULL);
		s->label = (uint16_t)++*map_put(&labels, key_of_name(s), NULL);
		s->before = (uint32_t)*sum;
		*sum += s->elements;
	}
	for (size_t i = 0; i < p->all.count; i++) {
		struct fault_place *s = &p->all.at[i];
		s->labels = (uint16_t)*map_get(&labels, key_of_name(s));
		s->events = (uint32_t)*map_get(&events, key_of_place(0, s));
	}
	map_release(&parts);
	map_release(&events);
	map_release(&labels);
}

/* Static functions of several files may have one name; so have the copies files have of an inline one. */
static void find_shared(struct fault_places *p)
{
	struct map unit_of = { 0 };             /* linkage -> hash of its unit, 1: of several */
	for (size_t i = 0; i < p->all.count; i++) {
		const struct fault_place *s = &p->all.at[i];
		uint64_t own = XXH64(s->unit, strlen(s->unit), 0) | 2, *known = map_put(&unit_of, XXH64(s->linkage, strlen(s->linkage), 0), NULL);
		*known = !*known || *known == own ? own : 1;
	}
	for (size_t i = 0; i < p->all.count; i++)
		p->all.at[i].shared = *map_get(&unit_of, XXH64(p->all.at[i].linkage, strlen(p->all.at[i].linkage), 0)) == 1;
	map_release(&unit_of);
}

int places_open(struct fault_places *p, const char *program, struct err *why)
{
	size_t size;
	uint64_t address;
	memset(p, 0, sizeof *p);
	if (object_sites(program, &p->bytes, &size, &address, why) < 0)
		return -1;
	p->tables = sites_new();
	object_build_id(program, p->build_id);
	if (sites_add(p->tables, address, p->bytes, size, false, why) < 0) {
		places_close(p);
		return -1;
	}
	sites_each(p->tables, take, &(struct taking){ p, address });
	drop_twins(p);
	number_parts(p);
	find_shared(p);
	return 0;
}

void places_close(struct fault_places *p)
{
	sites_free(p->tables);
	mem_free(p->bytes);
	vec_release(&p->all);
	memset(p, 0, sizeof *p);
}

/* ---- names ---- */

static const char *last_name(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash ? slash + 1 : path;
}

char *place_say(const struct fault_place *s, char *into, size_t room)
{
	bool value = s->kind == PLACE_RESULT || s->kind == PLACE_ARGUMENT;
	int length = snprintf(into, room, "%s%s%s%c%u", s->shared ? last_name(s->unit) : "", s->shared ? ":" : "", s->linkage, value ? '%' : '#', s->ordinal);
	if ((s->kind == PLACE_ARGUMENT || s->labels > 1) && length > 0 && (size_t)length < room)
		snprintf(into + length, room - (size_t)length, ".%u", s->label);
	return into;
}

/* <line>, or <line>:<function>. */
static bool is_on_line(const struct fault_place *s, const char *text)
{
	char line[32];
	int length = snprintf(line, sizeof line, "%u", s->line);
	if (!s->line || strncmp(text, line, (size_t)length))
		return false;
	text += length;
	return !*text || (*text == ':' && (!strcmp(text + 1, s->function) || !strcmp(text + 1, s->linkage)));
}

static bool is_in_file(const char *file, const char *text, size_t length)
{
	return strlen(file) == length && !strncmp(file, text, length);
}

bool place_is(const struct fault_place *s, const char *text)
{
	char name[1024];
	if (!strchr(text, ':') && strncmp(text, s->linkage, strlen(s->linkage)))
		return false;
	if (!strcmp(text, place_say(s, name, sizeof name)))
		return true;
	if (s->shared && !strcmp(text, name + strlen(last_name(s->unit)) + 1))
		return true;
	for (const char *colon = strchr(text, ':'); colon; colon = strchr(colon + 1, ':')) {
		size_t length = (size_t)(colon - text);
		if (is_on_line(s, colon + 1) && (is_in_file(s->file, text, length) || is_in_file(last_name(s->file), text, length)))
			return true;
	}
	return false;
}

static const struct fault_place *value_of(const struct fault_places *p, const struct fault_place *call, enum place_kind kind, unsigned part)
{
	for (size_t i = 0; call->number != UINT32_MAX && i < p->all.count; i++) {
		const struct fault_place *s = &p->all.at[i];
		if (s->kind == kind && s->ordinal == call->number && s->part == part && !strcmp(s->linkage, call->linkage) && !strcmp(s->unit, call->unit))
			return s;
	}
	return NULL;
}

const struct fault_place *place_argument(const struct fault_places *p, const struct fault_place *call, unsigned which)
{
	return value_of(p, call, PLACE_ARGUMENT, which);
}

const struct fault_place *place_result(const struct fault_places *p, const struct fault_place *call)
{
	return value_of(p, call, PLACE_RESULT, 1);
}

static bool is_told_steered(const struct fault_place *s)
{
	return s->kind != PLACE_ARGUMENT && s->kind != PLACE_CALL && s->kind != PLACE_BRANCH;
}

const struct fault_place *place_seen(const struct fault_places *p, const struct fault_place *s, bool steered)
{
	const struct fault_place *last = NULL;
	if (!steered || is_told_steered(s))
		return s;
	for (size_t i = 0; i < p->all.count; i++) {
		const struct fault_place *k = &p->all.at[i];
		if (k->descriptor == s->descriptor && is_told_steered(k) && k->kind != PLACE_ATOMIC && k->nth < s->nth && k->size <= 8 && k->elements == 1)
			last = k;
	}
	return last;
}

/* ---- counts ---- */

static int kind_of_event(const struct event *ev)
{
	switch (ev->kind) {
	case EV_READ:     return PLACE_READ;
	case EV_WRITE:    return PLACE_WRITE;
	case EV_RESULT:   return PLACE_RESULT;
	case EV_ARGUMENT: return PLACE_ARGUMENT;
	case EV_CALL:     return PLACE_CALL;
	case EV_BRANCH:   return PLACE_BRANCH;
	case EV_ALOAD: case EV_ASTORE: case EV_RMW: case EV_CAS: return PLACE_ATOMIC;
	default:          return -1;
	}
}

static uint32_t number_of_event(int kind, const struct event *ev)
{
	return kind == PLACE_RESULT || kind == PLACE_ARGUMENT ? ev->place->ordinal - RESULT_ORDINAL : ev->place->ordinal;
}

int counts_take(struct place_counts *c, struct trace *t, struct err *why)
{
	struct lane *lane;
	struct event ev;
	int got = 0;
	memset(c, 0, sizeof *c);
	for (uint32_t i = 0; i < trace_thread_count(t) && got >= 0; i++) {
		if (lane_open(&lane, t, (struct thread_id){ i }, why) < 0)
			return -1;
		while ((got = lane_next(lane, &ev, why)) > 0) {
			int kind = kind_of_event(&ev);
			if (kind >= 0 && ev.place->ordinal != UINT32_MAX)
				++*map_put(&c->times, key_of(i, (unsigned)kind, ev.place->unit, ev.place->linkage, number_of_event(kind, &ev)), NULL);
		}
		lane_close(lane);
	}
	return got;
}

uint64_t counts_of(const struct place_counts *c, uint32_t thread, const struct fault_place *s)
{
	uint64_t *events = map_get(&c->times, key_of_place(thread, s));
	return events && s->events ? *events / s->events : 0;
}

void counts_release(struct place_counts *c)
{
	map_release(&c->times);
}
