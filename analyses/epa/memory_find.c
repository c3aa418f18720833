/* analyses/epa/memory_find.c -- what lies at an address now: globals and arguments by where files were loaded, live objects, and what was
 * there last. */
#include "analyses/epa/memory_inside.h"

static struct named_spot in_file(struct memory *m, const struct loaded_file *f, uint64_t address)
{
	struct range *kept = &m->ranges[address >> 6 & (RANGES - 1)];
	uint64_t start, bytes;
	if (in_range(kept, address))
		return spot_in(kept, address);
	const char *symbol = trace_symbol_range(m->trace, address, &start, &bytes);
	if (!symbol || start < f->low || start >= f->high)
		return (struct named_spot){ f->thing, NO_ID, address - f->base };
	struct named named = { .kind = NAMED_GLOBAL, .text = book_text(m->book, trace_shown(m->trace, symbol)), .place = 0, .nth = start - f->base };
	*kept = (struct range){ start, start + bytes, book_thing(m->book, named), NO_ID, start };
	return in_range(kept, address) ? spot_in(kept, address) : (struct named_spot){ f->thing, NO_ID, address - f->base };
}

struct named_spot memory_spot_of(const struct memory *m, uint32_t id, uint64_t address)
{
	const struct range *named = &m->named.at[id];
	return (struct named_spot){ named->thing, id, address - named->origin };
}

/* Inside, or one past the end. */
static bool in_live(const struct memory *m, uint64_t address, struct named_spot *out)
{
	const struct object *o = objects_at(m->live, address);
	if (!o && (o = objects_at(m->live, address - 1)) && address - o->start != o->bytes)
		o = NULL;
	if (!o || o->id >= m->named.count)
		return false;
	*out = memory_spot_of(m, o->id, address);
	return true;
}

static bool in_known(const struct memory *m, const struct known *k, uint64_t address, struct named_spot *out)
{
	struct known_part part;
	if (!known_at(k, address, &part) && !(known_at(k, address - 1, &part) && m->named.at[part.id].high == address))
		return false;
	*out = memory_spot_of(m, part.id, address);
	return true;
}

static bool in_gone(struct memory *m, uint64_t address, struct named_spot *out)
{
	for (size_t i = 0; i < m->leaving.count; i++) {
		const struct range *left = &m->named.at[m->leaving.at[i]];
		known_put(&m->gone, left->low, left->high, left->id);
	}
	vec_clear(&m->leaving);
	return in_known(m, &m->gone, address, out);
}

/* Globals never move: near, too, for who points there. */
void memory_keep_file(struct memory *m, struct thread_memory *t, uint64_t address)
{
	const struct range *kept = &m->ranges[address >> 6 & (RANGES - 1)];
	if (in_range(kept, address))
		t->near[address >> 6 & (NEAR - 1)] = (struct near){ *kept, t->changes[address / PAGE % PAGES] };
}

bool memory_is_in_files(const struct memory *m, uint64_t low, uint64_t high)
{
	for (size_t i = 0; i < m->files.count; i++)
		if (low < m->files.at[i].high && high > m->files.at[i].low)
			return true;
	return m->strings.thing && low < m->strings.high && high > m->arguments.low;
}

static void keep_near(struct memory *m, struct near *near, uint64_t address)
{
	uint64_t low, high;
	const struct object *o = objects_around(m->live, address, &low, &high);
	if (!o || o->id >= m->named.count || memory_is_in_files(m, low, high))
		return;
	const struct range *named = &m->named.at[o->id];
	*near = (struct near){ { low, high, named->thing, named->id, named->origin }, m->changes };
}

static bool find_far(struct memory *m, uint64_t address, struct named_spot *out)
{
	for (size_t i = 0; i < m->files.count; i++)
		if (address >= m->files.at[i].low && address < m->files.at[i].high) {
			if (address == m->files.at[i].low && in_live(m, address, out))
				return true;            /* the end of what lies in front of it: nobody points to a file's head */
			*out = in_file(m, &m->files.at[i], address);
			return true;
		}
	if (m->strings.thing && address >= m->arguments.low && address < m->strings.high) {
		*out = spot_in(address < m->arguments.high ? &m->arguments : &m->strings, address);
		return true;
	}
	return in_live(m, address, out) || in_gone(m, address, out);
}

bool memory_find(struct memory *m, uint64_t address, struct named_spot *out)
{
	struct near *near = &m->near[address >> 6 & (NEAR - 1)];
	if (near->when != m->changes || !in_range(&near->range, address)) {
		keep_near(m, near, address);
		if (near->when != m->changes || !in_range(&near->range, address))
			return find_far(m, address, out);
	}
	*out = spot_in(&near->range, address);
	return true;
}

struct spot memory_at(struct memory *m, uint64_t address)
{
	struct named_spot is = { 0, NO_ID, address };
	if (address >= LOWEST)
		memory_find(m, address, &is);
	return told(is);
}

/* What lies there now, whoever asks. */
struct named_spot memory_now(struct memory *m, uint64_t value)
{
	struct named_spot is = number(value);
	if (may_point(value))
		memory_find(m, value, &is);
	return is;
}

struct spot memory_value(struct memory *m, uint64_t value)
{
	return told(memory_now(m, value));
}
