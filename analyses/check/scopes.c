/* analyses/check/scopes.c -- see scopes.h. */
#include "analyses/check/scopes.h"

#include <stdio.h>
#include <string.h>

#include "wire/kinds.h"

#define MOST_TOUCHED (1u << 20)         /* bytes at once that are followed one by one */

static void doubt(struct threads *t, const struct scope *x, bool is_lock)
{
	if (!*t->doubted)
		snprintf(t->doubted, sizeof t->doubted, "%s: not explored yet", is_lock ? "a lock or condition on a stack, which may be gone" :
			x->is_block ? "threads share a thread-local variable, which goes with its thread" : "threads share memory of a stack, which may be gone");
}

void scopes_release(struct scopes *s)
{
	vec_release(&s->open);
	vec_release(&s->stacks);
	map_release(&s->whose);
	map_release(&s->gone);
}

static bool meets(const struct scope *x, uint64_t at, uint64_t bytes)
{
	return at < x->at + x->bytes && x->at < at + bytes;
}

/* ---------------------------------------------------------------- who has to do with it */

/* Was the thread created after the memory was there, by its owner or by one of whom that holds? */
static bool is_created_within(const struct scopes *s, const struct scope *x, uint32_t thread)
{
	for (uint32_t i = 0; i < MAX_THREADS && s->creator[thread]; i++) {
		if (s->creator[thread] - 1 == x->owner)
			return s->created_at[thread] > x->born;
		thread = s->creator[thread] - 1;
	}
	return false;
}

/* Has it been joined, by the owner or by one of whom that holds? */
static bool is_joined(const struct scopes *s, const struct scope *x, uint32_t thread)
{
	for (uint32_t i = 0; i < MAX_THREADS && s->joiner[thread]; i++) {
		if (s->joiner[thread] - 1 == x->owner)
			return true;
		thread = s->joiner[thread] - 1;
	}
	return false;
}

static bool is_used(const struct scope *x)
{
	for (uint32_t i = 0; i < MAX_THREADS / 64; i++)
		if (x->users[i])
			return true;
	return false;
}

/* It goes now: are all that had to do with it gone before? */
static void judge(const struct scopes *s, struct threads *t, const struct scope *x)
{
	for (uint32_t i = 0; i < MAX_THREADS && x->stays != STAYS_FOR_EVER; i++)
		if ((x->users[i / 64] >> i % 64 & 1) && !(is_created_within(s, x, i) && is_joined(s, x, i)))
			doubt(t, x, x->has_lock);
}

static const struct scope *stack_at(const struct scopes *s, uint64_t at)
{
	for (size_t i = s->stacks.count; i-- > 0;)
		if (at - s->stacks.at[i].at < s->stacks.at[i].bytes)
			return &s->stacks.at[i];
	return NULL;
}

static struct scope *scope_at(const struct scopes *s, uint32_t owner, uint64_t at, uint64_t bytes)
{
	for (size_t i = s->open.count; i-- > 0;)
		if (s->open.at[i].owner == owner && at >= s->open.at[i].at && at + bytes <= s->open.at[i].at + s->open.at[i].bytes)
			return &s->open.at[i];
	return NULL;
}

/* Was something there of a thread that had this memory before?  From now on it is of the one that has it. */
static bool was_anothers(struct scopes *s, uint32_t owner, uint64_t at, uint64_t bytes)
{
	bool was = false;
	for (uint64_t i = 0; i < bytes; i++) {
		uint64_t *whose = map_put(&s->whose, at + i, NULL);
		was |= *whose && *whose != owner + 1u;
		*whose = owner + 1u;
	}
	return was;
}

static void forget_gone(struct scopes *s, uint64_t at, uint64_t bytes)
{
	for (uint64_t i = 0; s->gone.count && i < bytes && i < MOST_TOUCHED; i++) {
		uint64_t *gone = map_get(&s->gone, at + i);
		if (gone)
			*gone = 0;
	}
}

/* Is one of these bytes of a local that was left, and was nothing written there since? */
static bool is_gone(const struct scopes *s, uint64_t at, uint64_t bytes)
{
	for (uint64_t i = 0; s->gone.count && i < bytes && i < MOST_TOUCHED; i++) {
		const uint64_t *gone = map_get(&s->gone, at + i);
		if (gone && *gone)
			return true;
	}
	return false;
}

void scopes_touch(struct scopes *s, struct threads *t, uint32_t thread, uint64_t at, uint64_t bytes, enum touch how)
{
	const struct scope *own = stack_at(s, at);
	if (!own || !bytes)
		return;
	struct scope *x = scope_at(s, own->owner, at, bytes);
	bool was = was_anothers(s, own->owner, at, bytes < MOST_TOUCHED ? bytes : MOST_TOUCHED);
	if (x && own->owner != thread) {
		x->users[thread / 64] |= 1ull << thread % 64;
		x->has_lock |= how == TOUCH_LOCK;
	} else if (!x && (own->owner != thread || was || (how == TOUCH_READS && is_gone(s, at, bytes)))) {
		doubt(t, own, how == TOUCH_LOCK);       /* nobody said that something is there, or it is gone */
	}
	if (how == TOUCH_WRITES)
		forget_gone(s, at, bytes);
}

/* ---------------------------------------------------------------- what comes and goes */

static void drop(struct scopes *s, size_t i)
{
	s->open.at[i] = s->open.at[--s->open.count];
}

/* Memory a thread has as its own: whoever had it before is gone. */
static void owns(struct scopes *s, uint32_t thread, const struct event *ev)
{
	struct scope x = { .at = ev->object, .bytes = ev->arg, .owner = thread, .is_block = ev->kind == EV_TLS, .born = s->clock };
	for (size_t i = 0; i < s->stacks.count; i++)
		if (meets(&s->stacks.at[i], x.at, x.bytes) && s->stacks.at[i].owner != thread)
			s->stacks.at[i].bytes = 0;
	vec_push(&s->stacks, x);
	if (x.is_block) {
		x.stays = thread == 0 ? STAYS_FOR_EVER : STAYS_NOT;
		vec_push(&s->open, x);
	}
}

/* What lay there before was left in a way nobody told. */
static void begins(struct scopes *s, struct threads *t, uint32_t thread, const struct event *ev)
{
	forget_gone(s, ev->object, ev->arg);
	for (size_t i = s->open.count; i-- > 0;) {
		struct scope *x = &s->open.at[i];
		if (x->owner != thread || x->is_block || !meets(x, ev->object, ev->arg))
			continue;
		if (is_used(x))
			doubt(t, x, x->has_lock);
		drop(s, i);
	}
	vec_push(&s->open, ((struct scope){ .at = ev->object, .bytes = ev->arg, .owner = thread, .born = s->clock,
		.stays = ev->result == LOCAL_OF_MAIN && thread == 0 ? STAYS_IN_MAIN : ev->result == LOCAL_STAYS ? STAYS_FOR_EVER : STAYS_NOT }));
}

static void note_gone(struct scopes *s, uint64_t at, uint64_t bytes)
{
	for (uint64_t i = 0; i < bytes && i < MOST_TOUCHED; i++)
		*map_put(&s->gone, at + i, NULL) = 1;
}

static void left(struct scopes *s, struct threads *t, uint32_t thread, const struct event *ev)
{
	for (size_t i = s->open.count; i-- > 0;)
		if (s->open.at[i].owner == thread && !s->open.at[i].is_block && meets(&s->open.at[i], ev->object, ev->arg)) {
			judge(s, t, &s->open.at[i]);
			drop(s, i);
		}
	note_gone(s, ev->object, ev->arg);
}

/* An exception or a jump has come to the frame that ends there: what lies below on the same stack is gone. */
static void unwound(struct scopes *s, struct threads *t, uint32_t thread, uint64_t frame)
{
	const struct scope *stack = stack_at(s, frame);
	for (size_t i = s->open.count; stack && i-- > 0;) {
		struct scope x = s->open.at[i];
		if (x.owner != thread || x.is_block || x.at >= frame || x.at < stack->at)
			continue;
		judge(s, t, &x);
		note_gone(s, x.at, x.bytes);
		drop(s, i);
	}
}

/* The thread has ended, or ends the program: what it was to leave before, and did not say so, was left in a way nobody told.  Nobody may come after that. */
static void ends(struct scopes *s, struct threads *t, uint32_t thread, bool all)
{
	for (size_t i = s->open.count; i-- > 0;) {
		const struct scope *x = &s->open.at[i];
		if (x->owner != thread || x->stays == STAYS_FOR_EVER || (x->is_block && all))
			continue;
		if (x->is_block || x->stays)
			judge(s, t, x);
		else if (is_used(x))
			doubt(t, x, x->has_lock);
		drop(s, i);
	}
}

void scopes_note(struct scopes *s, struct threads *t, uint32_t thread, const struct event *ev)
{
	s->clock++;
	switch (ev->kind) {
	case EV_STACK: case EV_TLS: owns(s, thread, ev); break;
	case EV_LOCAL:
		if (ev->result == LOCAL_UNWOUND)
			unwound(s, t, thread, ev->object);
		else
			(ev->result == LOCAL_RETURNED ? left : begins)(s, t, thread, ev);
		break;
	case EV_LEFT: left(s, t, thread, ev); break;
	case EV_END: ends(s, t, thread, false); break;
	case EV_EXIT: ends(s, t, thread, true); break;
	default: break;
	}
}

void scopes_created(struct scopes *s, uint32_t thread, uint32_t other)
{
	s->creator[other] = thread + 1;
	s->created_at[other] = s->clock;
}

void scopes_joined(struct scopes *s, uint32_t thread, uint32_t other)
{
	s->joiner[other] = thread + 1;
}

void scopes_finish(struct scopes *s, struct threads *t)
{
	for (size_t i = 0; i < s->open.count; i++) {
		const struct scope *x = &s->open.at[i];
		if (!x->is_block && !x->stays && is_used(x))
			doubt(t, x, x->has_lock);
	}
}
