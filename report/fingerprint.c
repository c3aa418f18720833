/* report/fingerprint.c -- what a finding is called over the years, and the order findings are listed in.
 *
 * A fingerprint is a hash of its kind, its object and its places, each by file name, function, what is done and the ordinal of
 * the place in its function: no line, column, address, folder or thread, so that it is the same after lines were shifted and in
 * another run.  Names of objects that hold a line or an address ("heap bank.c:41", "0x7f01") are hashed without it.  Places whose order depends on the schedule (all but those with a part to play) are hashed in an order of their own.
 * Findings that look the same by all of this are told apart by a number, counted in the order of their lines. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/finding.h"

#define FNV_START 0xcbf29ce484222325u
#define FNV_PRIME 0x100000001b3u

static uint64_t hash_text(uint64_t h, const char *text)
{
	for (const char *c = text; *c; c++)
		h = (h ^ (uint8_t)*c) * FNV_PRIME;
	return h * FNV_PRIME;                   /* the zero behind it */
}

static bool is_digit(char c, bool hex)
{
	return (c >= '0' && c <= '9') || (hex && c >= 'a' && c <= 'f');
}

/* Without the digits behind a ':' or "0x". */
static uint64_t hash_name(uint64_t h, const char *name)
{
	for (const char *c = name; *c; c++) {
		bool hex = c - name >= 1 && c[0] == 'x' && c[-1] == '0';
		h = (h ^ (uint8_t)*c) * FNV_PRIME;
		if (*c == ':' || hex)
			while (is_digit(c[1], hex))
				c++;
	}
	return h * FNV_PRIME;
}

static uint64_t hash_place(const struct finding *f, const struct finding_place *p)
{
	char number[16];
	uint64_t h = hash_text(FNV_START, finding_file_name(p->at.file));
	h = hash_text(h, p->at.function);
	h = hash_text(h, finding_access_word(p->access));
	h = hash_name(h, finding_place_object(f, p));
	snprintf(number, sizeof number, "%" PRIu32, p->at.ordinal);
	return hash_text(h, number);
}

static uint64_t hash_finding(const struct finding *f)
{
	uint64_t h = hash_name(hash_text(FNV_START, finding_kind_word(f->kind)), f->object.name);
	h = hash_text(h, f->object.at.function);
	bool any_order = f->kind == FINDING_RACE || f->kind == FINDING_DEADLOCK || f->kind == FINDING_WEAK_MEMORY;
	uint64_t sum = 0, product = 1;
	for (size_t i = 0; i < f->places.count; i++) {
		uint64_t one = hash_place(f, &f->places.at[i]);
		if (any_order) {
			sum += one;
			product *= one | 1;
		} else {
			h = (h ^ one) * FNV_PRIME;
		}
	}
	return ((h ^ sum) * FNV_PRIME ^ product) * FNV_PRIME;
}

static int compare_spots(const struct finding_spot *a, const struct finding_spot *b)
{
	int by = strcmp(finding_file_name(a->file), finding_file_name(b->file));
	if (!by)
		by = a->line < b->line ? -1 : a->line > b->line;
	if (!by)
		by = a->column < b->column ? -1 : a->column > b->column;
	if (!by)
		by = strcmp(a->function, b->function);
	return by ? by : strcmp(a->file, b->file);
}

static int compare_findings(const void *left, const void *right)
{
	const struct finding *a = *(struct finding *const *)left, *b = *(struct finding *const *)right;
	int by = 0;
	for (size_t i = 0; !by && i < a->places.count && i < b->places.count; i++)
		by = compare_spots(&a->places.at[i].at, &b->places.at[i].at);
	if (!by)
		by = a->places.count < b->places.count ? -1 : a->places.count > b->places.count;
	if (!by)
		by = (a->kind > b->kind) - (a->kind < b->kind);
	if (!by)
		by = (a->status > b->status) - (a->status < b->status);
	if (!by)
		by = strcmp(a->object.name, b->object.name);
	for (size_t i = 0; !by && i < a->places.count; i++)
		by = strcmp(a->places.at[i].thread, b->places.at[i].thread);
	return by ? by : strcmp(a->schedule, b->schedule);
}

/* A line of a header of the system (std::mutex::lock) says nothing about the program: the innermost of its own that led there does. */
static void come_home(struct finding_place *p)
{
	size_t own = finding_place_home(p);
	if (!own)
		return;
	p->at = p->stack.at[own - 1];
	memmove(p->stack.at, p->stack.at + own, (p->stack.count - own) * sizeof *p->stack.at);
	p->stack.count -= own;
}

/* So with the steps that are places. */
static void take_along(struct finding *f)
{
	for (size_t i = 0; i < f->steps.count; i++) {
		struct finding_step *s = &f->steps.at[i];
		if (s->place >= 0 && (size_t)s->place < f->places.count && !finding_spot_own(&s->at) && finding_spot_own(&f->places.at[s->place].at))
			s->at = f->places.at[s->place].at;
	}
}

void findings_finish(struct findings *l)
{
	struct map seen = { 0 };
	for (size_t i = 0; i < l->all.count; i++) {
		struct finding *f = l->all.at[i];
		for (size_t k = 0; k < f->places.count; k++)
			come_home(&f->places.at[k]);
		take_along(f);
		if (f->kind == FINDING_DEADLOCK)
			finding_sort_circle(f);
	}
	if (l->all.count)
		qsort(l->all.at, l->all.count, sizeof *l->all.at, compare_findings);
	for (size_t i = 0; i < l->all.count; i++) {
		struct finding *f = l->all.at[i];
		uint64_t hash = hash_finding(f);
		uint64_t before = (*map_put(&seen, hash, NULL))++;
		if (before)
			snprintf(f->fingerprint, sizeof f->fingerprint, "%016" PRIx64 "-%" PRIu64, hash, before + 1);
		else
			snprintf(f->fingerprint, sizeof f->fingerprint, "%016" PRIx64, hash);
	}
	map_release(&seen);
}
