/* trace/verify_memory.c -- what each byte may hold: the writes a read can still see.
 *
 * Memory is kept by cells of 8 bytes in pages.  A cell has its newest write and behind it a chain of older ones, each with
 * the bytes it wrote.  Older ones matter to threads that do not know the newer:
 *   (1) entries of a chain stand in the merged order, newest first;
 *   (2) an entry with ENTRY_COVERS is ordered behind every older one of its bytes, kept or dropped;
 *   (3) where older writes of its bytes were dropped that a thread might still see, an entry has ENTRY_LOST;
 *   (4) the newest write of each byte is kept.
 * While one thread alone uses a cell only its last write of each byte is kept; when a second one comes, up to CHAIN_MOST.
 * Long writes of whole pages are one entry of the page (base).  Memory: 26 bytes for 8 of the program's that it touched. */
#include <string.h>

#include "trace/verify_inside.h"

#define RANGE_MOST (256ull << 20)       /* longer ones change only what is kept already */

/* ---- pages and entries ---- */

static struct shadow_page *page_find(struct verifier *v, uint64_t number, bool make)
{
	unsigned at = (unsigned)(number ^ number >> 8) % 256;
	if (v->shadow.cache[at].page && v->shadow.cache[at].number == number)
		return v->shadow.cache[at].page;
	uint64_t *index = make ? map_put(&v->shadow.page_index, number, NULL) : map_get(&v->shadow.page_index, number);
	if (!index)
		return NULL;
	if (!*index) {
		struct shadow_page *p = mem_take(sizeof *p);
		p->number = number;
		vec_push(&v->shadow.pages, p);
		*index = v->shadow.pages.count;
	}
	v->shadow.cache[at].number = number;
	return v->shadow.cache[at].page = v->shadow.pages.at[*index - 1];
}

static void page_open(struct shadow_page *p)
{
	if (p->cells)
		return;
	p->cells = mem_take(PAGE_CELLS * (sizeof *p->cells + sizeof *p->meta));
	p->meta = (uint8_t *)(p->cells + PAGE_CELLS);
}

struct entry *memory_cell(struct verifier *v, uint64_t address, struct shadow_page **page)
{
	struct shadow_page *p = page_find(v, address / PAGE_BYTES, true);
	page_open(p);
	*page = p;
	return &p->cells[address % PAGE_BYTES / CELL];
}

static uint32_t older_take(struct verifier *v, const struct entry *e)
{
	uint32_t id = v->shadow.older_free;
	if (id) {
		v->shadow.older_free = v->shadow.older.at[id - 1].more;
	} else {
		vec_add(&v->shadow.older);
		id = (uint32_t)v->shadow.older.count;
	}
	v->shadow.older.at[id - 1] = *e;
	return id;
}

static void older_drop(struct verifier *v, uint32_t id)
{
	while (id) {
		uint32_t next = v->shadow.older.at[id - 1].more;
		v->shadow.older.at[id - 1].more = v->shadow.older_free;
		v->shadow.older_free = id;
		id = next;
	}
}

static bool known_to(const struct verifier *v, const struct entry *e)
{
	return before(v, e->thread, e->time, v->now);
}

/* ---- one write to one cell ---- */

/* Is every write these bytes ever had ordered before what the thread at hand does now? */
static bool covers_all(const struct verifier *v, const struct shadow_page *p, const struct entry *e, uint8_t bytes)
{
	for (; e && e->mask; e = e->more ? &v->shadow.older.at[e->more - 1] : NULL) {
		if (!(e->mask & bytes))
			continue;
		if (!known_to(v, e))
			return false;
		if (e->flags & ENTRY_COVERS)
			bytes &= (uint8_t)~e->mask;
		else if (e->flags & ENTRY_LOST)
			return false;
		if (!bytes)
			return true;
	}
	return !p->base.mask || known_to(v, &p->base);
}

/* Too long: the oldest goes that is not the newest for any byte.  There is one, for a cell has fewer bytes than entries. */
static void cut_chain(struct verifier *v, struct entry *top)
{
	struct entry *before_it = NULL, *e = top;
	uint8_t seen = 0;
	unsigned count = 1;
	for (; e->more; e = &v->shadow.older.at[e->more - 1], count++) {
		seen |= e->mask;
		if (!(v->shadow.older.at[e->more - 1].mask & ~seen))
			before_it = e;
	}
	if (count <= CHAIN_MOST || !before_it)
		return;
	uint32_t id = before_it->more;
	struct entry *gone = &v->shadow.older.at[id - 1];
	before_it->more = gone->more;
	for (e = top;; e = &v->shadow.older.at[e->more - 1]) {
		if (e->mask & gone->mask)
			e->flags |= ENTRY_LOST;
		if (e == before_it)
			break;
	}
	gone->more = 0;
	older_drop(v, id);
}

#define SAME_SORT (ENTRY_UNKNOWN | ENTRY_LIBRARY | ENTRY_LEARNED | ENTRY_ATOMIC)

static void push(struct verifier *v, struct entry *e, const struct entry *new)
{
	struct entry top = *new;
	top.more = older_take(v, e);
	*e = top;
	cut_chain(v, e);
}

static void replace(struct verifier *v, const struct shadow_page *p, struct entry *e, const struct entry *new)
{
	uint32_t more = e->more;
	bool covers = e->flags & ENTRY_COVERS && (!more || new->mask == e->mask ||
		covers_all(v, p, &v->shadow.older.at[more - 1], new->mask));
	if (new->mask == 0xff) {
		older_drop(v, more);
		more = 0;
	}
	*e = *new;
	e->more = more;
	e->flags = (uint8_t)((e->flags & ~ENTRY_COVERS) | (covers ? ENTRY_COVERS : 0) | ENTRY_LOST);
}

/* May a new write be put into the entry of an older one?  Only the older one's place in the order stays known. */
static bool can_merge(const struct verifier *v, const struct entry *e, const struct entry *new, uint64_t address)
{
	const struct thread_state *t = &v->threads[v->now];
	bool older_frame = address - t->stack_low < t->stack_high - t->stack_low && t->frames.count &&
		e->seq <= t->frames.at[t->frames.count - 1].seq;
	return e->time == new->time && e->seq > v->calls.wild_seq && !((e->flags ^ new->flags) & (SAME_SORT | ENTRY_CLEAN)) && !older_frame;
}

static void write_cell(struct verifier *v, struct shadow_page *p, unsigned at, const struct entry *new)
{
	struct entry *e = &p->cells[at];
	uint8_t *meta = &p->meta[at];
	if (*meta & META_PENDING)
		reads_resolve(v, p->number * PAGE_BYTES + at * CELL, new);
	if (v->in_handler)
		*meta |= META_WILD;
	if (!e->mask) {
		*e = *new;
		e->flags |= !p->base.mask || known_to(v, &p->base) ? ENTRY_COVERS : 0;
		return;
	}
	bool alone = e->thread == v->now && !(*meta & META_SHARED);
	if (!alone)
		*meta |= META_SHARED;
	if (alone && (new->mask & e->mask) == e->mask) {
		replace(v, p, e, new);
	} else if (alone && can_merge(v, e, new, p->number * PAGE_BYTES + at * CELL)) {
		e->value = (e->value & ~spread(new->mask)) | (new->value & spread(new->mask));
		if (e->flags & ENTRY_COVERS && e->more && !covers_all(v, p, &v->shadow.older.at[e->more - 1], new->mask))
			e->flags &= (uint8_t)~ENTRY_COVERS;
		e->mask |= new->mask;
		e->flags |= ENTRY_LOST;
	} else {
		struct entry top = *new;
		top.flags |= covers_all(v, p, e, new->mask) ? ENTRY_COVERS : 0;
		push(v, e, &top);
	}
}

static struct entry entry_now(struct verifier *v, unsigned flags)
{
	return (struct entry){ .time = clock_own(v, v->now), .seq = v->seq, .thread = (uint16_t)v->now,
		.flags = (uint8_t)(flags | (calls_clean(v, v->now) ? ENTRY_CLEAN : 0)) };
}

void memory_write(struct verifier *v, uint64_t address, unsigned size, const uint8_t *bytes, unsigned flags)
{
	struct entry new = entry_now(v, flags);
	for (unsigned done = 0; done < size;) {
		unsigned shift = (address + done) % CELL, count = size - done < CELL - shift ? size - done : CELL - shift;
		struct shadow_page *p;
		struct entry *e = memory_cell(v, address + done, &p);
		uint64_t word = 0;
		memcpy(&word, bytes + done, count);
		new.value = word << 8 * shift;
		new.mask = (uint8_t)(((1u << count) - 1) << shift);
		write_cell(v, p, (unsigned)(e - p->cells), &new);
		done += count;
	}
}

void memory_learn(struct verifier *v, struct shadow_page *p, uint64_t address, uint8_t mask, uint64_t value)
{
	unsigned at = address % PAGE_BYTES / CELL;
	struct entry new = entry_now(v, ENTRY_LEARNED), *e = &p->cells[at];
	if (!covers_all(v, p, e, mask))
		return;
	uint8_t pending = p->meta[at] & META_PENDING;
	p->meta[at] &= (uint8_t)~META_PENDING;                  /* what a read found explains no other read */
	new.mask = mask;
	new.value = value;
	write_cell(v, p, at, &new);
	p->meta[at] |= pending;
}

void memory_doubt(struct verifier *v, uint64_t address)
{
	struct shadow_page *p;
	struct entry *e = memory_cell(v, address, &p);
	p->meta[e - p->cells] |= META_WILD;
}

/* ---- many at once ---- */

static void clear_cell(struct verifier *v, struct shadow_page *p, unsigned at)
{
	struct entry unknown = { .thread = (uint16_t)v->now, .mask = 0xff, .flags = ENTRY_UNKNOWN };
	if (p->meta[at] & META_PENDING)
		reads_resolve(v, p->number * PAGE_BYTES + at * CELL, &unknown);
	older_drop(v, p->cells[at].more);
	p->cells[at] = (struct entry){ 0 };
	p->meta[at] &= META_PENDING;
}

static void clear_page(struct verifier *v, struct shadow_page *p)
{
	p->base.mask = 0;
	for (unsigned i = 0; p->cells && i < PAGE_CELLS; i++)
		if (p->cells[i].mask || p->meta[i])
			clear_cell(v, p, i);
}

/* Bytes of one cell only: entries lose them. */
static void clear_bytes(struct verifier *v, uint64_t address, uint64_t size)
{
	struct shadow_page *p = page_find(v, address / PAGE_BYTES, false);
	if (!p || (!p->cells && !p->base.mask))
		return;
	page_open(p);
	unsigned at = address % PAGE_BYTES / CELL;
	struct entry new = entry_now(v, ENTRY_UNKNOWN);
	new.mask = (uint8_t)(((1u << size) - 1) << address % CELL);
	write_cell(v, p, at, &new);
}

static void forget_in_page(struct verifier *v, uint64_t address, uint64_t size)
{
	struct shadow_page *p = page_find(v, address / PAGE_BYTES, false);
	uint64_t end = address + size;
	if (!p)
		return;
	if (size == PAGE_BYTES) {
		clear_page(v, p);
		return;
	}
	if (p->base.mask)
		page_open(p);
	for (uint64_t at = address; at < end;) {
		uint64_t next = (at / CELL + 1) * CELL;
		next = next < end ? next : end;
		if (next - at < CELL || p->base.mask)
			clear_bytes(v, at, next - at);
		else if (p->cells)
			clear_cell(v, p, at % PAGE_BYTES / CELL);
		at = next;
	}
}

void memory_forget(struct verifier *v, uint64_t address, uint64_t size)
{
	uint64_t end = address + size;
	if (size / PAGE_BYTES > v->shadow.pages.count) {
		for (size_t i = 0; i < v->shadow.pages.count; i++) {
			uint64_t low = v->shadow.pages.at[i]->number * PAGE_BYTES, high = low + PAGE_BYTES;
			low = low > address ? low : address;
			high = high < end ? high : end;
			if (low < high)
				forget_in_page(v, low, high - low);
		}
		return;
	}
	for (uint64_t at = address; at < end;) {
		uint64_t next = (at / PAGE_BYTES + 1) * PAGE_BYTES;
		next = next < end ? next : end;
		forget_in_page(v, at, next - at);
		at = next;
	}
}

static void fill_page(struct verifier *v, uint64_t number, int fill, unsigned flags)
{
	struct shadow_page *p = page_find(v, number, true);
	clear_page(v, p);
	p->base = entry_now(v, flags | (fill < 0 ? ENTRY_UNKNOWN : 0) | ENTRY_COVERS | ENTRY_LOST);
	p->base.mask = 0xff;
	p->base.value = fill < 0 ? 0 : (uint64_t)fill * 0x0101010101010101ull;
}

void memory_range(struct verifier *v, uint64_t address, uint64_t size, const uint8_t *bytes, uint64_t known, int fill, unsigned flags)
{
	uint8_t same[CELL];
	uint64_t end = address + size;
	if (end < address || !size)
		return;
	for (uint64_t at = 0; at < known; at += 16)
		memory_write(v, address + at, known - at < 16 ? (unsigned)(known - at) : 16, bytes + at, flags);
	if (known < size && size > RANGE_MOST) {
		memory_forget(v, address + known, size - known);
		return;
	}
	memset(same, fill < 0 ? 0 : fill, sizeof same);
	for (uint64_t at = address + known; at < end;) {
		uint64_t next = (at / CELL + 1) * CELL;
		if (at % PAGE_BYTES == 0 && end - at >= PAGE_BYTES && !v->in_handler) {
			fill_page(v, at / PAGE_BYTES, fill, flags);
			at += PAGE_BYTES;
			continue;
		}
		next = next < end ? next : end;
		memory_write(v, at, (unsigned)(next - at), same, flags | (fill < 0 ? ENTRY_UNKNOWN : 0));
		at = next;
	}
}

void memory_release(struct verifier *v)
{
	for (size_t i = 0; i < v->shadow.pages.count; i++) {
		mem_free(v->shadow.pages.at[i]->cells);
		mem_free(v->shadow.pages.at[i]);
	}
	vec_release(&v->shadow.pages);
	vec_release(&v->shadow.older);
	map_release(&v->shadow.page_index);
}
