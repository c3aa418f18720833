/* drive/kept.c -- see kept.h.  Up to a checkpoint nothing was asked but the steps of the script before it, the names of its threads, and what
 * the policy draws for new threads: when all these are the same, so is the run. */
#include "drive/kept.h"

#include <string.h>

void kept_forget(struct kept *k)
{
	vec_release(&k->steps);
	vec_release(&k->at);
	vec_release(&k->paths);
	memset(k, 0, sizeof *k);
}

size_t kept_steps(const struct kept *k)
{
	return k->at.count ? k->at.at[k->at.count - 1] : 0;
}

static struct kept_step step_of(const struct schedule *s, size_t i)
{
	const struct schedule_step *from = &s->steps.at[i];
	struct kept_step step = { .what = from->what, .kind = from->kind, .thread = from->thread, .answer = from->answer, .nth = from->nth };
	if (from->place.module != NO_PART) {
		step.module = s->modules.at[from->place.module].index + 1u;
		step.offset = from->place.offset;
	}
	return step;
}

static bool is_same_step(const struct kept_step *a, const struct kept_step *b)
{
	return a->what == b->what && a->kind == b->kind && a->thread == b->thread && a->answer == b->answer && a->nth == b->nth &&
		a->module == b->module && a->offset == b->offset;
}

/* The names of the threads, each with its zero. */
static size_t put_paths(struct kept *k, const struct schedule *s)
{
	for (size_t i = 0; i < s->threads.count; i++)
		for (const char *c = s->threads.at[i].path;; c++) {
			vec_push(&k->paths, *c);
			if (!*c)
				break;
		}
	return k->paths.count;
}

static bool has_same_paths(const struct kept *k, const struct schedule *s)
{
	struct kept other = { 0 };
	size_t count = put_paths(&other, s);
	bool same = count == k->paths.count && memcmp(other.paths.at, k->paths.at, count) == 0;
	kept_forget(&other);
	return same;
}

/* How many steps of the script are those of the checkpoints; 0 too when it is another kind of run. */
static size_t common(const struct kept *k, const struct run_order *o)
{
	const struct schedule *s = o ? o->schedule : NULL;
	size_t i = 0;
	if (!s || o->prompt || o->lingers || o->policy != k->policy || o->depth != k->depth || o->seed != k->seed || o->length != k->length ||
		o->loose != k->loose || !has_same_paths(k, s))
		return 0;
	for (; i < k->steps.count && i < s->steps.count; i++) {
		struct kept_step step = step_of(s, i);
		if (!is_same_step(&step, &k->steps.at[i]))
			break;
	}
	return i;
}

int kept_fit(struct kept *k, struct server *s, const struct run_order *order)
{
	size_t same = k->at.count ? common(k, order) : 0;
	for (; kept_steps(k) > same; k->at.count--)
		if (server_leave(s) < 0)
			return -1;
	if (k->at.count)
		k->steps.count = kept_steps(k);
	else
		kept_forget(k);
	return 0;
}

void kept_add(struct kept *k, const struct run_order *order)
{
	size_t from = kept_steps(k);
	check(order->keep > from && order->keep <= order->schedule->steps.count);
	if (!k->at.count) {
		put_paths(k, order->schedule);
		k->policy = order->policy;
		k->depth = order->depth;
		k->seed = order->seed;
		k->length = order->length;
		k->loose = order->loose;
	}
	for (size_t i = from; i < order->keep; i++)
		vec_push(&k->steps, step_of(order->schedule, i));
	vec_push(&k->at, (size_t)order->keep);
}
