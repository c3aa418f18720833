/* trace/memory.c -- the builder: a trace whose events lie in memory.
 *   (1) every string and place of it is interned in the trace; equal ones are the same pointer;
 *   (2) sequence[] names the thread of each event ever given, so the n-th entry of thread t is t's n-th event. */
#include "trace/memory.h"

#include <stdlib.h>
#include <string.h>

#include "trace/inside.h"

struct builder {
	struct trace *trace;
	struct map places;              /* hash -> index into chain + 1 */
	VEC(struct { const struct place *place; size_t next; }) chain;
};

struct builder *builder_new(const char *path, enum trace_order order)
{
	struct builder *b = mem_take(sizeof *b);
	struct trace *t = mem_take(sizeof *t);
	t->path = mem_take(strlen(path) + 1);
	strcpy(t->path, path);
	t->order = order;
	t->in_memory = t->complete = true;
	b->trace = t;
	b->trace->flags = TRACE_TRIES;          /* what is made up, or written by hand, says all there is */
	return b;
}

void builder_drop(struct builder *b)
{
	if (b)
		trace_close(builder_finish(b));
}

static int by_address(const void *a, const void *b)
{
	const struct symbol *x = a, *y = b;
	return x->address < y->address ? -1 : x->address > y->address;
}

struct trace *builder_finish(struct builder *b)
{
	struct trace *t = b->trace;
	map_release(&b->places);
	vec_release(&b->chain);
	mem_free(b);
	if (t->objects.count)
		qsort(t->objects.at, t->objects.count, sizeof *t->objects.at, by_address);
	return t;
}

void builder_head(struct builder *b, uint32_t flags, uint32_t level, uint64_t ticks_per_second, bool complete)
{
	b->trace->flags = flags;
	b->trace->level = level;
	b->trace->ticks_per_second = ticks_per_second;
	b->trace->complete = complete;
}

const char *builder_string(struct builder *b, const char *text, size_t bytes)
{
	return trace_intern(b->trace, text, bytes);
}

static const char *text_of(struct builder *b, const char *text)
{
	return text && *text ? trace_intern(b->trace, text, strlen(text)) : "";
}

const char *builder_fact_said(const struct builder *b, const char *key)
{
	return trace_fact(b->trace, key);
}

void builder_fact(struct builder *b, const char *key, const char *value)
{
	struct trace *t = b->trace;
	for (size_t i = 0; i < t->facts.count; i++)
		if (strcmp(t->facts.at[i].key, key) == 0) {
			t->facts.at[i].value = text_of(b, value);
			return;
		}
	vec_push(&t->facts, ((struct fact){ text_of(b, key), text_of(b, value) }));
}

void builder_salvaged(struct builder *b, const char *what)
{
	b->trace->salvaged = text_of(b, what);
}

struct thread_id builder_thread(struct builder *b, const struct trace_thread *like)
{
	struct trace *t = b->trace;
	struct trace_thread *mine = vec_add(&t->threads);
	*mine = *like;
	mine->path = text_of(b, like->path);
	mine->name = text_of(b, like->name);
	vec_push(&t->events, mem_take(sizeof(struct event_list)));
	return (struct thread_id){ (uint32_t)t->threads.count - 1 };
}

struct trace_thread *builder_thread_edit(struct builder *b, struct thread_id id)
{
	check(id.i < b->trace->threads.count);
	return &b->trace->threads.at[id.i];
}

static bool same_place(const struct place *a, const struct place *b)    /* strings are interned: pointers decide */
{
	return a->file == b->file && a->function == b->function && a->linkage == b->linkage && a->unit == b->unit &&
		a->module == b->module && a->line == b->line && a->column == b->column && a->ordinal == b->ordinal &&
		a->site == b->site && a->inlined_at == b->inlined_at;
}

static uint64_t place_hash(const struct place *p)
{
	uint64_t hash = (uint64_t)p->file;
	const uint64_t rest[] = { (uint64_t)p->function, (uint64_t)p->linkage, (uint64_t)p->unit, (uint64_t)p->module,
		(uint64_t)p->line << 32 | p->column, p->ordinal, p->site, (uint64_t)p->inlined_at };
	for (size_t i = 0; i < sizeof rest / sizeof *rest; i++)
		hash = (hash ^ rest[i]) * 0x9e3779b97f4a7c15ull, hash ^= hash >> 31;
	return hash;
}

const struct place *builder_place(struct builder *b, const struct place *like)
{
	struct place p = *like;
	p.file = text_of(b, like->file);
	p.function = text_of(b, like->function);
	p.linkage = text_of(b, like->linkage);
	p.unit = text_of(b, like->unit);
	p.module = text_of(b, like->module);
	uint64_t *first = map_put(&b->places, place_hash(&p), NULL);
	for (size_t i = *first; i; i = b->chain.at[i - 1].next)
		if (same_place(b->chain.at[i - 1].place, &p))
			return b->chain.at[i - 1].place;
	struct place *kept = arena_take(&b->trace->arena, sizeof *kept);
	*kept = p;
	size_t next = *first;
	(void)vec_add(&b->chain);
	b->chain.at[b->chain.count - 1].place = kept;
	b->chain.at[b->chain.count - 1].next = next;
	*first = b->chain.count;
	return kept;
}

void builder_event(struct builder *b, const struct event *ev)
{
	struct trace *t = b->trace;
	check(ev->thread.i < t->threads.count);
	struct event_list *list = t->events.at[ev->thread.i];
	struct event *mine = vec_add(&list->all);
	*mine = *ev;
	mine->index = list->all.count - 1;
	mine->name = ev->name ? text_of(b, ev->name) : NULL;
	if (!mine->place)
		mine->place = &place_unknown;
	if (ev->bytes && ev->byte_count) {
		uint8_t *copy = arena_take(&t->arena, ev->byte_count);
		memcpy(copy, ev->bytes, ev->byte_count);
		mine->bytes = copy;
	}
	vec_push(&t->sequence, ev->thread.i);
}

void builder_symbol(struct builder *b, const char *name, uint64_t address, uint64_t bytes)
{
	vec_push(&b->trace->objects, ((struct symbol){ address, bytes, text_of(b, name) }));
}

void builder_module(struct builder *b, const struct trace_module *like)
{
	struct trace_module *mine = vec_add(&b->trace->modules);
	*mine = *like;
	mine->path = text_of(b, like->path);
}
