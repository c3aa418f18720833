/* trace/load.c -- one DATA block, decoded, with the moments known in it.
 * Stamps are the start and end of each segment and every control record that carries a time; between two of them the time
 * of an event is a guess; so it is at a record that repeats the time before: its thread did not ask.  A trace of total order has none.
 *   (1) stamps rise in offset and in time;
 *   (2) the first is at offset 0, the last at the end. */
#include <stdio.h>
#include <string.h>

#include "trace/inside.h"

static int bad_block(const struct trace *t, const struct data_block *b, const char *what, struct err *why)
{
	char copy[256];
	snprintf(copy, sizeof copy, "%.255s", what);    /* `what` may be why->text itself */
	err_set(why, "trace '%.200s' is damaged: block %u (byte %llu): %s", t->path, b->number, (unsigned long long)b->at, copy);
	why->code = 3;
	return -1;
}

/* Does this control record carry the time in its fourth word? */
static bool has_time(uint64_t word)
{
	uint64_t kind = word >> 48 & 127;
	return number_word((unsigned)kind) == 3;
}

static void stamp(struct loaded *l, size_t at, uint64_t time)
{
	if (l->stamps.count) {
		struct stamp *last = &l->stamps.at[l->stamps.count - 1];
		if (time < last->time || time == 0)
			time = last->time;
		if (at <= last->at) {
			last->time = time;
			return;
		}
	}
	vec_push(&l->stamps, ((struct stamp){ (uint32_t)at, time }));
}

static void find_stamps(struct loaded *l, bool total)
{
	const struct decoded *d = &l->decoded;
	uint32_t segment = 0;
	uint64_t segment_end = l->segments[0].bytes, told = 0;
	vec_clear(&l->stamps);
	if (total) {                                            /* its records are numbered, there is no time */
		stamp(l, 0, 0);
		return;
	}
	stamp(l, 0, l->segments[0].start_time);
	for (size_t i = 0; i < d->record_count; i++) {
		uint64_t words[4];
		while (d->records[i].at >= segment_end && segment + 1 < l->block->head.count) {
			stamp(l, (size_t)segment_end, l->segments[segment].end_time);
			segment_end += l->segments[++segment].bytes;
			stamp(l, d->records[i].at, l->segments[segment].start_time);
		}
		if (d->records[i].site != RECORD_IS_CONTROL)
			continue;
		memcpy(words, d->bytes + d->records[i].at, sizeof words);
		if (has_time(words[0]) && words[3] != told)
			stamp(l, d->records[i].at, told = words[3]);
	}
	stamp(l, d->count ? d->count : 1, l->segments[l->block->head.count - 1].end_time);
}

/* A program may write over what it told: with salvage the records in front of that are used. */
static bool keeps_sound(const struct loaded *l, const struct trace *t)
{
	return t->salvage && l->decoded.record_count;
}

int loaded_fill(struct loaded *l, struct trace *t, struct codec *c, const struct data_block *b, struct err *why)
{
	const uint8_t *payload = t->map + b->at + sizeof(struct block_head);
	size_t table = (size_t)b->head.count * sizeof(struct segment_entry);
	uint64_t sum = 0;
	check(table <= b->head.stored);
	l->block = b;
	l->segments = mem_resize(l->segments, table);
	memcpy(l->segments, payload, table);
	for (uint32_t i = 0; i < b->head.count; i++)
		sum += l->segments[i].bytes;
	if (sum != b->head.decoded)
		return bad_block(t, b, "its segments do not add up", why);
	l->cut = codec_decode(c, t->sites.at[b->sites], b->head.coding, payload + table, b->head.stored - table, b->head.decoded, &l->decoded, why) < 0;
	if (l->cut && why->code)                        /* sound perhaps, but too large */
		return -1;
	if (l->cut && !keeps_sound(l, t))
		return bad_block(t, b, why->text, why);
	if (l->cut)
		*why = (struct err){ .text = "" };
	find_stamps(l, t->order == ORDER_TOTAL);
	return 0;
}

void loaded_release(struct loaded *l)
{
	decoded_release(&l->decoded);
	mem_free(l->segments);
	vec_release(&l->stamps);
	*l = (struct loaded){ 0 };
}
