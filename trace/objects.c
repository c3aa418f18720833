/* trace/objects.c -- live objects by address.
 *
 * Small objects (below BIG) hang in pages of 4096 bytes: a page knows which of its 16-byte grains begin an object and which
 * object that began earlier reaches into it.  Big ones, stacks and mappings stand in one row sorted by start.
 *   (1) a later object hides an earlier one where they overlap: a missing free does no harm;
 *   (2) what a hostile trace claims costs memory for its events, never for the bytes it claims. */
#include "trace/objects.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/map.h"
#include "base/str.h"
#include "base/vec.h"
#include "wire/line.h"

#define PAGE   4096ull
#define GRAINS 256u
#define BIG    (32ull << 10)

struct page {
	uint64_t begins[GRAINS / 64];
	uint32_t object[GRAINS];        /* id + 1 of the object that begins in the grain */
	uint32_t cover;                 /* id + 1 of an object that began in an earlier page, or 0 */
};

struct objects {
	struct trace *trace;
	struct map pages;               /* page number -> index into page + 1 */
	VEC(struct page) page;
	VEC(struct object) small;
	VEC(uint32_t) spare;            /* ids of small objects to use again */
	VEC(struct object) big;         /* sorted by start */
	uint32_t noted;                 /* so far */
};

struct objects *objects_new(struct trace *t)
{
	struct objects *o = mem_take(sizeof *o);
	o->trace = t;
	return o;
}

void objects_clear(struct objects *o)
{
	map_clear(&o->pages);
	vec_clear(&o->page);
	vec_clear(&o->small);
	vec_clear(&o->spare);
	vec_clear(&o->big);
	o->noted = 0;
}

void objects_free(struct objects *o)
{
	if (!o)
		return;
	map_release(&o->pages);
	vec_release(&o->page);
	vec_release(&o->small);
	vec_release(&o->spare);
	vec_release(&o->big);
	mem_free(o);
}

static struct page *page_of(const struct objects *o, uint64_t address)
{
	uint64_t *index = map_get(&o->pages, address / PAGE);
	return index ? &o->page.at[*index - 1] : NULL;
}

static struct page *page_made(struct objects *o, uint64_t address)
{
	uint64_t *index = map_put(&o->pages, address / PAGE, NULL);
	if (!*index) {
		vec_add(&o->page);
		*index = o->page.count;
	}
	return &o->page.at[*index - 1];
}

static bool holds(const struct object *b, uint64_t address)
{
	return address >= b->start && address - b->start < b->bytes;
}

/* Index of the first big object that starts behind `address`. */
static size_t big_behind(const struct objects *o, uint64_t address)
{
	size_t low = 0, high = o->big.count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (o->big.at[middle].start <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static void big_insert(struct objects *o, const struct object *b)
{
	size_t at = big_behind(o, b->start);
	if (at && o->big.at[at - 1].start == b->start) {
		o->big.at[at - 1] = *b;
		return;
	}
	vec_add(&o->big);
	memmove(&o->big.at[at + 1], &o->big.at[at], (o->big.count - 1 - at) * sizeof *b);
	o->big.at[at] = *b;
}

/* What began inside of it earlier is gone, though nobody said so (a stack libc gave back): the rest behind the new one stays. */
static void big_add(struct objects *o, const struct object *b)
{
	size_t at = big_behind(o, b->start), behind = at;
	uint64_t end = b->start + b->bytes;
	struct object rest = { .bytes = 0 };
	for (; behind < o->big.count && o->big.at[behind].start < end; behind++)
		if (o->big.at[behind].start + o->big.at[behind].bytes > end)
			rest = o->big.at[behind];
	if (behind > at) {
		memmove(&o->big.at[at], &o->big.at[behind], (o->big.count - behind) * sizeof rest);
		o->big.count -= behind - at;
	}
	if (rest.bytes && !(at < o->big.count && o->big.at[at].start == end)) {
		rest.bytes -= end - rest.start;
		rest.start = end;
		big_insert(o, &rest);
	}
	big_insert(o, b);
}

static bool big_remove(struct objects *o, uint64_t start)
{
	size_t at = big_behind(o, start);
	if (!at || o->big.at[at - 1].start != start)
		return false;
	memmove(&o->big.at[at - 1], &o->big.at[at], (o->big.count - at) * sizeof *o->big.at);
	o->big.count--;
	return true;
}

/* The id + 1 of the small object whose first grain is that of `address`, or 0. */
static uint32_t small_at(const struct objects *o, uint64_t address)
{
	struct page *p = page_of(o, address);
	unsigned grain = address / 16 % GRAINS;
	return p && (p->begins[grain / 64] >> grain % 64 & 1) ? p->object[grain] : 0;
}

static void small_remove(struct objects *o, uint64_t start)
{
	uint32_t id = small_at(o, start);
	if (!id)
		return;
	struct object *b = &o->small.at[id - 1];
	unsigned grain = b->start / 16 % GRAINS;
	page_of(o, b->start)->begins[grain / 64] &= ~(1ull << grain % 64);
	for (uint64_t at = (b->start / PAGE + 1) * PAGE; at - b->start < b->bytes; at += PAGE) {
		struct page *p = page_of(o, at);
		if (p && p->cover == id)
			p->cover = 0;
	}
	b->bytes = 0;
	vec_push(&o->spare, id - 1);
}

static void small_add(struct objects *o, const struct object *b)
{
	small_remove(o, b->start);
	uint32_t id = o->spare.count ? o->spare.at[--o->spare.count] : (uint32_t)o->small.count;
	if (id == o->small.count)
		vec_add(&o->small);
	o->small.at[id] = *b;
	struct page *p = page_made(o, b->start);
	unsigned grain = b->start / 16 % GRAINS;
	p->begins[grain / 64] |= 1ull << grain % 64;
	p->object[grain] = id + 1;
	for (uint64_t at = (b->start / PAGE + 1) * PAGE; at - b->start < b->bytes; at += PAGE)
		page_made(o, at)->cover = id + 1;
}

static void object_remove(struct objects *o, uint64_t start)
{
	if (!big_remove(o, start))
		small_remove(o, start);
}

static void object_add(struct objects *o, const struct event *ev, enum object_kind kind)
{
	struct object b = { kind, ev->thread, ev->object, ev->arg ? ev->arg : 1, ev->place, o->noted++ };
	if (b.start > UINT64_MAX - PAGE - b.bytes || !b.start)
		return;
	if (kind != OBJECT_HEAP || b.bytes >= BIG)
		big_add(o, &b);
	else
		small_add(o, &b);
}

uint32_t objects_pass(struct objects *o)
{
	return o->noted++;
}

void objects_note(struct objects *o, const struct event *ev)
{
	uint64_t old;
	switch (ev->kind) {
	case EV_ALLOC:
		object_add(o, ev, OBJECT_HEAP);
		break;
	case EV_REALLOC:
		if (ev->byte_count >= 8) {
			memcpy(&old, ev->bytes, 8);
			object_remove(o, old);
		}
		object_add(o, ev, OBJECT_HEAP);
		break;
	case EV_FREE:
	case EV_UNMAP:
		object_remove(o, ev->object);
		break;
	case EV_MAP:
		object_remove(o, ev->object);           /* one that grew or shrank where it is, or was mapped over */
		object_add(o, ev, OBJECT_MAP);
		break;
	case EV_STACK:
		object_add(o, ev, OBJECT_STACK);
		break;
	case EV_TLS:
		object_add(o, ev, OBJECT_TLS);
		break;
	}
}

static const struct object *in_page(const struct objects *o, const struct page *p, uint64_t address)
{
	unsigned grain = address / 16 % GRAINS;
	uint64_t word = p->begins[grain / 64] & (~0ull >> (63 - grain % 64));
	for (int w = (int)grain / 64; w >= 0; word = w > 0 ? p->begins[w - 1] : 0, w--)
		if (word) {
			unsigned at = (unsigned)w * 64 + 63 - (unsigned)__builtin_clzll(word);
			const struct object *b = &o->small.at[p->object[at] - 1];
			if (holds(b, address))
				return b;
			break;
		}
	return p->cover && holds(&o->small.at[p->cover - 1], address) ? &o->small.at[p->cover - 1] : NULL;
}

const struct object *objects_at(const struct objects *o, uint64_t address)
{
	const struct page *p = page_of(o, address);
	const struct object *found = p ? in_page(o, p, address) : NULL;
	if (found)
		return found;
	size_t at = big_behind(o, address);
	return at && holds(&o->big.at[at - 1], address) ? &o->big.at[at - 1] : NULL;
}

static uint64_t least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* Where the next object begins in the page behind the grain of `address`, or the page ends. */
static uint64_t next_begin(const struct page *p, uint64_t address)
{
	uint64_t page = address & ~(PAGE - 1);
	for (unsigned grain = address / 16 % GRAINS + 1; grain < GRAINS; grain = (grain / 64 + 1) * 64) {
		uint64_t word = p->begins[grain / 64] >> grain % 64;
		if (word)
			return page + 16 * (grain + (unsigned)__builtin_ctzll(word));
	}
	return page + PAGE;
}

const struct object *objects_around(const struct objects *o, uint64_t address, uint64_t *low, uint64_t *high)
{
	const struct page *p = page_of(o, address);
	const struct object *b = p ? in_page(o, p, address) : NULL;
	uint64_t page = address & ~(PAGE - 1);
	*low = address;
	*high = address + 1;
	if (b && b->start >= page) {
		*low = b->start;
		*high = least(b->start + b->bytes, next_begin(p, address));
	}
	if (b || p)
		return b ? b : objects_at(o, address);
	size_t at = big_behind(o, address);
	if (!at || !holds(&o->big.at[at - 1], address))
		return NULL;
	b = &o->big.at[at - 1];
	*low = b->start > page ? b->start : page;
	*high = least(b->start + b->bytes, page + PAGE);
	if (at < o->big.count)
		*high = least(*high, o->big.at[at].start);
	return b;
}

const struct place *place_own(const struct place *at)
{
	for (const struct place *own = at; own; own = own->inlined_at)
		if (*own->file && strncmp(own->file, "/usr/", 5))
			return own;
	return at;
}

char *place_short(const struct place *at, char *into, size_t room)
{
	at = place_own(at);
	const char *slash = strrchr(at->file, '/'), *file = slash ? slash + 1 : at->file;
	str_escape(into, room, *file ? file : at->function);
	size_t used = strlen(into);
	if (*file && at->line)
		snprintf(into + used, room - used, ":%u", at->line);
	return into;
}

bool handed_by_pipe(uint64_t object)
{
	return line_is(object);
}

const char *handed_words(uint64_t object)
{
	if (line_is(object))
		return "a pipe or event descriptor";
	if ((object & LINE_OTHERS) == LINE_SIGNALS)
		return "a signal";
	return (object & LINE_OTHERS) == LINE_QUEUES ? "a queue" : NULL;
}

char *objects_name(const struct objects *o, uint64_t address, char *into, size_t room)
{
	uint64_t offset = 0;
	char where[128];
	const char *symbol = trace_symbol(o->trace, address, &offset);
	const struct object *b = symbol ? NULL : objects_at(o, address);
	int n;
	if (symbol) {
		n = snprintf(into, room, "%s", trace_shown(o->trace, symbol));
	} else if (!b) {
		if (handed_words(address))
			snprintf(into, room, "%s", handed_words(address));
		else
			snprintf(into, room, "0x%" PRIx64, address);
		return into;
	} else {
		offset = address - b->start;
		if (b->kind == OBJECT_STACK || b->kind == OBJECT_TLS) {
			snprintf(into, room, "%s of %s", b->kind == OBJECT_STACK ? "stack" : "thread-local",
				trace_thread(o->trace, b->thread)->path);
			return into;
		}
		place_short(b->place, where, sizeof where);
		n = snprintf(into, room, "%s %s", b->kind == OBJECT_MAP ? "mapping" : "heap", where[0] ? where : "object");
	}
	if (offset && n > 0 && (size_t)n < room)
		snprintf(into + n, room - (size_t)n, "+%" PRIu64, offset);
	return into;
}
