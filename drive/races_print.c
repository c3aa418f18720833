/* drive/races_print.c -- races as text and as JSON lines. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/json.h"
#include "base/str.h"
#include "drive/races.h"
#include "trace/objects.h"

#define PLACE_ROOM 256
#define FRAMES_SHOWN 12

static const char *path_of(const struct race_list *l, uint32_t thread)
{
	return thread < l->threads.count ? l->threads.at[thread].path : "a thread";
}

static const char *where(const struct place *p, char into[PLACE_ROOM])
{
	place_short(p, into, PLACE_ROOM);
	if (!*into)
		snprintf(into, PLACE_ROOM, "an unknown place");
	return into;
}

static const char *verb(const struct race_side *s, bool past)
{
	switch (s->kind) {
	case EV_FREE:    return past ? "freed" : "frees";
	case EV_REALLOC: return past ? "reallocated" : "reallocates";
	case EV_UNMAP:   return past ? "unmapped" : "unmaps";
	case EV_LEFT:    return past ? "left" : "leaves";
	case EV_LOCKINIT: return past ? "initialised" : "initialises";
	case EV_LOCKDEAD: return past ? "destroyed" : "destroys";
	case EV_LOCK:    return past ? "locked" : "locks";
	case EV_UNLOCK:  return past ? "unlocked" : "unlocks";
	case EV_TRYFAIL: case EV_CWAIT: case EV_CSIGNAL: case EV_CBROADCAST: case EV_BENTER: case EV_SWAIT: case EV_SPOST:
		return past ? "used" : "uses";
	default:         return s->write ? past ? "written" : "writes" : past ? "read" : "reads";
	}
}

/* To lock is atomic, and nobody says so. */
static const char *how(const struct race_side *s)
{
	return s->atomic && event_class((enum event_kind)s->kind) == CLASS_ATOMIC ? "atomically " : "";
}

static const char *memory_short(const struct race_list *l, const struct race_memory *m, char *into, size_t room)
{
	char at[PLACE_ROOM], offset[32] = "";
	if (m->offset)
		snprintf(offset, sizeof offset, "+%" PRIu64, m->offset);
	switch (m->kind) {
	case RACE_GLOBAL: snprintf(into, room, "%s%s", m->name, offset); break;
	case RACE_HEAP:   snprintf(into, room, "heap block of %s%s", where(m->place, at), offset); break;
	case RACE_MAP:    snprintf(into, room, "mapping of %s%s", where(m->place, at), offset); break;
	case RACE_STACK:  snprintf(into, room, "stack of %s", path_of(l, m->thread)); break;
	case RACE_TLS:    snprintf(into, room, "thread-local memory of %s", path_of(l, m->thread)); break;
	case RACE_UNKNOWN: snprintf(into, room, "memory"); break;
	}
	return into;
}

char *race_line(const struct race_list *l, const struct race *r, char *into, size_t room)
{
	char a[PLACE_ROOM], b[PLACE_ROOM], memory[PLACE_ROOM * 2];
	const struct race_side *x = &r->side[0], *y = &r->side[1];
	if (!x->write) {                        /* whoever writes is named first */
		x = &r->side[1];
		y = &r->side[0];
	}
	snprintf(into, room, "%s: race: '%s' %s%s by %s, %s%s by %s at %s", where(x->place, a),
		memory_short(l, &r->memory, memory, sizeof memory), how(x), verb(x, true), path_of(l, x->thread),
		how(y), verb(y, true), path_of(l, y->thread), where(y->place, b));
	return into;
}

/* ---------------------------------------------------------------- text */

static void print_locks(const struct race_side *s, FILE *to)
{
	char at[PLACE_ROOM];
	fputs(s->lock_count ? ", holding" : ", holding no lock", to);
	for (uint32_t i = 0; i < s->lock_count; i++) {
		const struct race_lock *k = &s->locks[i];
		if (k->name)
			fprintf(to, "%s '%s'", i ? "," : "", k->name);
		else
			fprintf(to, "%s 0x%" PRIx64, i ? "," : "", k->address);
		fprintf(to, "%s since %s", k->reading ? " for reading" : "", where(k->place, at));
	}
}

static void print_side(const struct race_list *l, const struct race_side *s, FILE *to)
{
	char at[PLACE_ROOM];
	const struct place *own = place_own(s->place);
	fprintf(to, "  %s %s%s", path_of(l, s->thread), how(s), verb(s, false));
	if (s->kind != EV_FREE && s->kind != EV_UNMAP && s->kind != EV_LEFT && s->kind != EV_REALLOC)
		fprintf(to, " %" PRIu32 " byte%s", s->bytes, s->bytes == 1 ? "" : "s");
	fprintf(to, " at %s", where(s->place, at));
	if (*own->function && strcmp(at, own->function))
		fprintf(to, " in %s", own->function);
	print_locks(s, to);
	putc('\n', to);
	for (const struct place *p = s->place; p != own && p; p = p->inlined_at)
		if (*p->function && p != own)
			fprintf(to, "    inside %s\n", p->function);
	for (uint32_t i = 0; i < s->stack_count && i < FRAMES_SHOWN; i++) {
		const struct place *p = s->stack[i];
		fprintf(to, p->line ? "    from %s at %s\n" : "    from %s\n", *p->function ? p->function : "an unknown function", where(p, at));
	}
	if (s->stack_count > FRAMES_SHOWN)
		fprintf(to, "    ... %" PRIu32 " more\n", s->stack_count - FRAMES_SHOWN);
}

static void print_memory(const struct race_list *l, const struct race *r, FILE *to)
{
	char at[PLACE_ROOM];
	const struct race_memory *m = &r->memory;
	switch (m->kind) {
	case RACE_GLOBAL: fprintf(to, "  memory: global '%s'", m->name); break;
	case RACE_HEAP:   fprintf(to, "  memory: heap block of %" PRIu64 " byte%s", m->bytes, m->bytes == 1 ? "" : "s"); break;
	case RACE_MAP:    fprintf(to, "  memory: mapping of %" PRIu64 " bytes", m->bytes); break;
	case RACE_STACK:  fprintf(to, "  memory: stack of %s\n", path_of(l, m->thread)); return;
	case RACE_TLS:    fprintf(to, "  memory: thread-local memory of %s\n", path_of(l, m->thread)); return;
	case RACE_UNKNOWN: fprintf(to, "  memory: 0x%" PRIx64 "\n", r->side[1].address); return;
	}
	if (m->offset)
		fprintf(to, ", byte %" PRIu64, m->offset);
	if (m->kind != RACE_GLOBAL)
		fprintf(to, ", allocated by %s at %s", path_of(l, m->thread), where(m->place, at));
	putc('\n', to);
}

static void print_maker(const struct race_list *l, uint32_t thread, FILE *to)
{
	char at[PLACE_ROOM];
	const struct race_thread *t = thread < l->threads.count ? &l->threads.at[thread] : NULL;
	if (!t || t->maker == UINT32_MAX)
		return;
	fprintf(to, "  %s was created by %s at %s\n", t->path, path_of(l, t->maker), where(t->made_at, at));
}

static void print_unseen(const struct race_list *l, const struct race *r, FILE *to)
{
	char at[PLACE_ROOM];
	for (int i = 0; i < 2; i++)
		if (r->side[i].unseen)
			fprintf(to, "  not seen: %s went through %s at %s %s its access: if that synchronises, this is no race\n", path_of(l, r->side[i].thread),
				r->side[i].unseen_in ? r->side[i].unseen_in : "assembly", where(r->side[i].unseen, at), i ? "before" : "after");
}

void race_print(const struct race_list *l, const struct race *r, FILE *to)
{
	char line[1024];
	fputs(race_line(l, r, line, sizeof line), to);
	if (r->times > 1)
		fprintf(to, " (%" PRIu64 " times)", r->times);
	putc('\n', to);
	print_side(l, &r->side[0], to);
	print_side(l, &r->side[1], to);
	print_memory(l, r, to);
	print_unseen(l, r, to);
	print_maker(l, r->side[0].thread, to);
	print_maker(l, r->side[1].thread, to);
}

void race_list_print(const struct race_list *l, FILE *to)
{
	char number[STR_NUMBER];
	for (size_t i = 0; i < l->all.count; i++)
		race_print(l, &l->all.at[i], to);
	if (l->more)
		fprintf(to, "raddle: more races than are listed: %s more times\n", str_grouped(number, l->more));
	if (l->unseen)
		fprintf(to, "raddle: races with %s older accesses cannot be seen: there was no room to remember them\n",
			str_grouped(number, l->unseen));
	if (l->stopped)
		fprintf(to, "raddle: races were looked for in the first part of the run only: %s\n", l->stopped);
}

/* ---------------------------------------------------------------- JSON */

static void json_place(struct json *j, const char *key, const struct place *p)
{
	char at[PLACE_ROOM];
	place_short(p, at, sizeof at);
	json_put_text(j, key, at);
}

static void json_side(struct json *j, const struct race_list *l, const struct race_side *s)
{
	json_object(j);
	json_put_text(j, "thread", path_of(l, s->thread));
	json_put_text(j, "kind", event_word(s->kind));
	json_put_bool(j, "write", s->write);
	json_put_bool(j, "atomic", s->atomic);
	json_put_number(j, "bytes", s->bytes);
	json_place(j, "place", s->place);
	json_put_text(j, "function", place_own(s->place)->function);
	json_key(j, "stack");
	json_array(j);
	for (uint32_t i = 0; i < s->stack_count + s->stack_known; i++)
		json_text(j, i ? s->stack[i - 1]->function : place_own(s->place)->function);
	json_end(j, ']');
	json_key(j, "locks");
	json_array(j);
	for (uint32_t i = 0; i < s->lock_count; i++) {
		json_object(j);
		if (s->locks[i].name)
			json_put_text(j, "name", s->locks[i].name);
		json_put_hex(j, "address", s->locks[i].address);
		json_put_bool(j, "reading", s->locks[i].reading);
		json_place(j, "taken", s->locks[i].place);
		json_end(j, '}');
	}
	json_end(j, ']');
	if (s->unseen)
		json_place(j, "unseen", s->unseen);
	if (s->unseen)
		json_put_text(j, "unseen_in", s->unseen_in ? s->unseen_in : "assembly");
	const struct race_thread *t = s->thread < l->threads.count ? &l->threads.at[s->thread] : NULL;
	if (t && t->maker != UINT32_MAX) {
		json_put_text(j, "created_by", path_of(l, t->maker));
		json_place(j, "created_at", t->made_at);
	}
	json_end(j, '}');
}

static void json_memory(struct json *j, const struct race_list *l, const struct race_memory *m)
{
	static const char *const kinds[] = { "unknown", "global", "heap", "stack", "thread-local", "mapping" };
	json_key(j, "memory");
	json_object(j);
	json_put_text(j, "kind", kinds[m->kind]);
	if (m->name)
		json_put_text(j, "name", m->name);
	json_put_number(j, "offset", m->offset);
	if (m->bytes)
		json_put_number(j, "bytes", m->bytes);
	if (m->thread != UINT32_MAX)
		json_put_text(j, "thread", path_of(l, m->thread));
	if (m->place && (m->kind == RACE_HEAP || m->kind == RACE_MAP))
		json_place(j, "allocated", m->place);
	json_end(j, '}');
}

void race_json(const struct race_list *l, const struct race *r, FILE *to)
{
	char line[1024];
	struct json j;
	json_init(&j, to);
	json_object(&j);
	json_put_number(&j, "schema", 1);
	json_key(&j, "race");
	json_object(&j);
	json_put_text(&j, "said", race_line(l, r, line, sizeof line));
	json_put_number(&j, "times", r->times);
	json_key(&j, "accesses");
	json_array(&j);
	json_side(&j, l, &r->side[0]);
	json_side(&j, l, &r->side[1]);
	json_end(&j, ']');
	json_memory(&j, l, &r->memory);
	json_end(&j, '}');
	json_end(&j, '}');
	json_line(&j);
}

void race_list_json(const struct race_list *l, FILE *to)
{
	for (size_t i = 0; i < l->all.count; i++)
		race_json(l, &l->all.at[i], to);
}
