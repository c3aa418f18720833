/* trace/plan.c -- makes the plan of a site, see plan.h. */
#include "trace/plan.h"

#include <string.h>

#define RESULTS_AT (1ull << 63)                 /* results are foretold like values of memory nobody else has, one word each */

struct expression { uint8_t base; uint64_t distance; };         /* register + distance */

struct making {
	struct step steps[PLAN_STEPS];
	unsigned count;
	uint8_t covered[GROUP_MAX];
	struct expression address[GROUP_ACCESSES], value[GROUP_ACCESSES];
	bool bad;
};

static uint8_t log2_of(unsigned size)
{
	return size >= 8 ? 3 : size >= 4 ? 2 : size >= 2 ? 1 : 0;
}

/* Adds a step; the register it leaves its result in. */
static uint8_t add(struct making *m, struct step s, bool slot)
{
	for (unsigned i = 0; slot && i < s.size; i++)
		m->bad |= m->covered[s.at + i]++ != 0;
	if (m->count == PLAN_STEPS) {
		m->bad = true;
		return 0;
	}
	s.shift = log2_of(s.size);
	m->steps[m->count++] = s;
	return (uint8_t)m->count;
}

/* A value of any size: in pieces of 8, 4, 2 and 1 bytes.  The register of the first. */
static uint8_t add_value(struct making *m, unsigned at, unsigned bytes, struct expression address)
{
	uint8_t first = 0;
	for (unsigned done = 0; done < bytes && !m->bad;) {
		uint8_t piece = (uint8_t)(1u << log2_of(bytes - done));
		struct step s = { .kind = piece == 8 ? STEP_VALUE8 : piece == 4 ? STEP_VALUE4 : STEP_VALUE, .size = piece,
			.at = (uint16_t)(at + done), .base = address.base, .distance = (int64_t)(address.distance + done) };
		uint8_t mine = add(m, s, true);
		first = first ? first : mine;
		done += piece;
	}
	return first;
}

static void add_access(struct making *m, const struct site *site, unsigned i)
{
	const struct access *a = &site->accesses[i];
	struct expression *address = &m->address[i], *value = &m->value[i];
	struct step s = { .size = 8, .at = a->address_at };
	switch (a->address_mode) {
	case A_SLOT:   *address = (struct expression){ add(m, s, true), 0 }; break;
	case A_NEAR:   *address = m->address[a->address_at]; break;
	case A_VALUE:  *address = m->value[a->address_at]; break;
	case A_GLOBAL: *address = (struct expression){ 0, 0 }; break;
	}
	address->distance += a->is_result ? RESULTS_AT + (site->address << 9) + 8ull * i : (uint64_t)a->distance;
	s = (struct step){ .size = a->size < 8 ? a->size : 8, .base = address->base, .distance = (int64_t)address->distance };
	bool simple = a->size <= 8 && a->elements == 1;
	switch (a->value_mode) {
	case V_SLOT:
		*value = (struct expression){ add_value(m, a->value_at, (unsigned)a->size * a->elements, *address), 0 };
		break;
	case V_CONST:
		*value = (struct expression){ 0, a->bits };
		s.kind = STEP_NOTE_CONST;
		s.bits = a->bits;
		if (simple)
			add(m, s, false);
		break;
	case V_SAME:
		*value = m->value[a->value_at];
		s.kind = STEP_NOTE;
		s.from = value->base;
		if (simple && value->distance == 0 && value->base)
			add(m, s, false);
		break;
	}
}

static void find_gaps(const struct making *m, struct plan *p, unsigned payload)
{
	for (unsigned w = 0; w < payload / 8u; w++) {
		uint64_t mask = 0;
		for (unsigned k = 0; k < 8; k++)
			if (!m->covered[w * 8 + k])
				mask |= 0xffull << 8 * k;
		if (mask) {
			p->gaps[p->gap_count].word = (uint16_t)w;
			p->gaps[p->gap_count++].mask = mask;
		}
	}
}

static struct plan nothing;                     /* kept for sites without a plan */

static struct plan *make(struct sites *s, const struct site *d)
{
	struct making m = { 0 };
	if (d->flags & (SITE_ATOMIC | SITE_LIBRARY))
		return &nothing;
	if (d->flags & SITE_LANDED)
		add(&m, (struct step){ .kind = STEP_PLAIN, .size = 4, .at = d->landed_at }, true);
	for (unsigned i = 0; i < d->access_count && !m.bad; i++)
		add_access(&m, d, i);
	unsigned b = d->branch_bytes;
	if (d->flags & SITE_BRANCH && b == 1)
		add(&m, (struct step){ .kind = STEP_WAY, .size = 1, .at = d->branch_at }, true);
	else if (d->flags & SITE_BRANCH && (b == 2 || b == 4 || b == 8))
		add(&m, (struct step){ .kind = STEP_PLAIN, .size = (uint8_t)b, .at = d->branch_at }, true);
	else if (d->flags & SITE_BRANCH)
		m.bad = true;
	if (m.bad)
		return &nothing;
	struct plan *p = sites_take(s, sizeof *p + m.count * sizeof *p->steps);
	p->site = d;
	p->step_count = (uint16_t)m.count;
	memcpy(p->steps, m.steps, m.count * sizeof *p->steps);
	for (unsigned i = 0; i < m.count; i++)
		p->coded = (uint16_t)(p->coded + (m.steps[i].kind < STEP_NOTE));
	find_gaps(&m, p, d->payload);
	return p;
}

const struct plan *plan_of(struct sites *s, struct site *site)
{
	if (!site->plan)
		site->plan = make(s, site);
	return site->plan == &nothing ? NULL : site->plan;
}
