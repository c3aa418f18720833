/* trace/raw.c -- see raw.h; raw_events() is lane.c's. */
#include "trace/raw.h"

#include <string.h>

#include "trace/inside.h"

struct sites *raw_sites(struct trace *t)
{
	return t->sites.count == 1 ? t->sites.at[0] : NULL;
}

static void add_block(struct raw_row *r, struct sites *s, const struct decoded *d, uint64_t *event)
{
	for (size_t i = 0; i < d->record_count; i++) {
		struct record_ref ref = d->records[i];
		vec_push(&r->records, ((struct raw_record){ (uint32_t)(r->count + ref.at), (uint32_t)*event }));
		*event += ref.site == RECORD_IS_CONTROL ? control_events(s, d->bytes + ref.at) : sites_at(s, ref.site)->event_count;
	}
	r->bytes = mem_resize(r->bytes, r->count + d->count + 8);
	memcpy(r->bytes + r->count, d->bytes, d->count);
	r->count += d->count;
}

int raw_take(struct raw_row *out, struct trace *t, struct thread_id id, struct err *why)
{
	struct loaded block = { 0 };
	uint64_t event = 0;
	int got = 1;
	memset(out, 0, sizeof *out);
	if (t->in_memory || !raw_sites(t))
		return 0;
	const struct thread_blocks *all = &t->of_thread.at[id.i];
	for (unsigned n = 1; n < NEST_LEVELS; n++)
		if (all->nest[n].count)
			return 0;
	if (!t->codec)
		t->codec = codec_new(t->order);
	for (uint32_t i = 0; i < all->nest[0].count && got == 1; i++) {
		if (loaded_fill(&block, t, t->codec, &t->blocks.at[all->nest[0].first + i], why) < 0)
			got = -1;
		else if (out->count + block.decoded.count > UINT32_MAX / 2)
			got = 0;
		else
			add_block(out, raw_sites(t), &block.decoded, &event);
	}
	loaded_release(&block);
	if (got != 1)
		raw_release(out);
	return got;
}

void raw_release(struct raw_row *r)
{
	mem_free(r->bytes);
	vec_release(&r->records);
	memset(r, 0, sizeof *r);
}
