/* report/words.c -- see words.h. */
#include "report/words.h"

#include <inttypes.h>
#include <string.h>

#include "base/str.h"

typedef char place_text[FINDING_PLACE_ROOM];

static const struct finding_place *place(const struct finding *f, size_t i)
{
	return i < f->places.count ? &f->places.at[i] : NULL;
}

static const char *object(const struct finding *f)
{
	return *f->object.name ? f->object.name : "memory";
}

const struct finding_spot *words_spot(const struct finding_place *p)
{
	const struct finding_spot *found = &p->at;
	for (size_t i = 0; i < p->stack.count && !p->at.line; i++) {
		const struct finding_spot *frame = &p->stack.at[i];
		if (finding_spot_own(frame))
			return frame;
		found = found->line || !frame->line ? found : frame;
	}
	return found;
}

/* ---------------------------------------------------------------- what it is, by kind */

/* "'balance'", "'count' (heap pool.c:20)" */
static void say_object(struct buffer *b, const struct finding *f)
{
	if (*f->object.field)
		buffer_print(b, "'%s' (%s)", f->object.field, object(f));
	else
		buffer_print(b, "'%s'", object(f));
}

/* "'balance' written by T_0_0, read by T_0_1 at bank.c:57": the place of the first one stands in front of the line. */
static void two_deeds(struct buffer *b, const struct finding *f)
{
	place_text at;
	const struct finding_place *x = place(f, 0), *y = place(f, 1);
	say_object(b, f);
	if (x)
		buffer_print(b, " %s by %s", finding_access_done(x->access), x->thread);
	if (y)
		buffer_print(b, ", %s by %s at %s", finding_access_done(y->access), y->thread, finding_where(&y->at, at));
}

/* "T_0_1 waits for 'b', T_0_2 at bank.c:9 for 'a': each waits for the next, the last for the first" */
static void waiting(struct buffer *b, const struct finding *f)
{
	place_text at;
	for (size_t i = 0; i < f->places.count; i++) {
		const struct finding_place *p = &f->places.at[i];
		if (i == 0)
			buffer_print(b, "%s waits for '%s'", p->thread, finding_place_object(f, p));
		else
			buffer_print(b, ", %s at %s for '%s'", p->thread, finding_where(words_spot(p), at), finding_place_object(f, p));
	}
	if (!f->places.count)
		buffer_print(b, "'%s'", object(f));
	else if (f->kind == FINDING_LOST_WAKEUP)
		buffer_print(b, ": nobody is left to wake %s", f->places.count > 1 ? "them" : "it");
	else if (f->places.count > 1)
		buffer_print(b, finding_is_circle(f) ? ": each waits for the next, the last for the first" : ": none of them can go on");
}

static void lost(struct buffer *b, const struct finding *f)
{
	place_text at;
	const struct finding_place *wait = place(f, 0), *signal = place(f, 1);
	if (!wait || !signal || finding_place_waits(f, signal)) {
		waiting(b, f);
		return;
	}
	buffer_print(b, "'%s' waited for by %s, %s before that by %s at %s", object(f), wait->thread, finding_access_done(signal->access),
		signal->thread, finding_where(&signal->at, at));
}

static void between(struct buffer *b, const struct finding *f)
{
	place_text at, last;
	const struct finding_place *x = place(f, 0), *y = place(f, 1), *z = place(f, 2);
	if (!x || !y || !z) {
		two_deeds(b, f);
		return;
	}
	say_object(b, f);
	buffer_print(b, " %s by %s at %s between being %s here and %s at %s by %s", finding_access_done(y->access), y->thread,
		finding_where(&y->at, at), finding_access_done(x->access), finding_access_done(z->access), finding_where(&z->at, last),
		x->thread);
}

static void early(struct buffer *b, const struct finding *f)
{
	place_text at;
	const struct finding_place *x = place(f, 0), *y = place(f, 1);
	if (!x || !y) {
		two_deeds(b, f);
		return;
	}
	say_object(b, f);
	buffer_print(b, " %s by %s before it is %s by %s at %s", finding_access_done(x->access), x->thread,
		finding_access_done(y->access), y->thread, finding_where(&y->at, at));
}

static void followed(struct buffer *b, const struct finding *f)
{
	place_text at;
	const struct finding_place *use = place(f, 0), *null = place(f, 1);
	buffer_print(b, "'%s'", object(f));
	if (use)
		buffer_print(b, " followed by %s", use->thread);
	if (null)
		buffer_print(b, ", made null by %s at %s", null->thread, finding_where(&null->at, at));
}

static void crashed(struct buffer *b, const struct finding *f)
{
	const struct finding_place *where = place(f, 0);
	buffer_print(b, "%s%s", *f->effect_text ? f->effect_text : "the program", *f->effect_text ? "" : " ends");
	if (where)
		buffer_print(b, " in %s", where->thread);
}

void words_message(struct buffer *b, const struct finding *f)
{
	buffer_print(b, "%s: ", finding_kind_said(f->kind));
	switch (f->kind) {
	case FINDING_DEADLOCK: waiting(b, f); break;
	case FINDING_LOST_WAKEUP: lost(b, f); break;
	case FINDING_ATOMICITY: between(b, f); break;
	case FINDING_ORDER: early(b, f); break;
	case FINDING_NULL_DEREFERENCE: followed(b, f); break;
	case FINDING_CRASH: crashed(b, f); break;
	default: two_deeds(b, f); break;
	}
}

/* ---------------------------------------------------------------- how sure it is */

static void not_reproduced(struct buffer *b, const struct finding *f)
{
	if (f->status == FINDING_SPECULATIVE)
		buffer_print(b, "speculative: not with what was read%s%.*s; with other values ", *f->rule ? ", for " : "", (int)strcspn(f->rule, "\n"), f->rule);
	else
		buffer_print(b, "not reproduced: ");
	if (f->replays)
		buffer_print(b, "it was seen twice, but 0 of %" PRIu32 " replays show it", f->replays);
	else if (f->left_at && f->unrun)
		buffer_print(b, "its schedule comes to what others were left in front of, at step %" PRIu64, f->left_at);
	else if (f->left_at)
		buffer_print(b, "the schedule was left at step %" PRIu64, f->left_at);
	else if (f->unrun)
		buffer_print(b, "no schedule leads there");
	else
		buffer_print(b, "the schedule was followed and did not show it");
	if (*f->expected || *f->came)
		buffer_print(b, ", expected %s; came: %s", *f->expected ? f->expected : "something else", *f->came ? f->came : "something else");
	if (f->tries)
		buffer_print(b, "; %" PRIu32 " %s", f->tries, f->tries == 1 ? "try" : "tries");
}

void words_status(struct buffer *b, const struct finding *f)
{
	switch (f->status) {
	case FINDING_CONFIRMED:
		buffer_print(b, "confirmed");
		if (f->replays)
			buffer_print(b, ", %" PRIu32 " of %" PRIu32 " replay%s", f->shown, f->replays, f->replays == 1 ? "" : "s");
		if (f->effect != EFFECT_NONE)
			buffer_print(b, ", effect: %s", f->effect == EFFECT_OUTPUT ? "output differs" : finding_effect_word(f->effect));
		break;
	case FINDING_NOT_REPRODUCED: case FINDING_SPECULATIVE: not_reproduced(b, f); break;
	case FINDING_INFEASIBLE:                /* the rest of a long reason stands below */
		buffer_print(b, "infeasible%s%.*s", *f->rule ? ": " : "", (int)strcspn(f->rule, "\n"), f->rule);
		break;
	default: buffer_print(b, "predicted, not run"); break;
	}
	if (*f->assumed)
		buffer_print(b, "; assumed: %s", f->assumed);
}

/* ---------------------------------------------------------------- its parts */

void words_locks(struct buffer *b, const struct finding_locks *locks)
{
	place_text at;
	buffer_print(b, "holding%s", locks->count ? "" : " no lock");
	for (size_t i = 0; i < locks->count; i++) {
		const struct finding_lock *k = &locks->at[i];
		buffer_print(b, "%s '%s'%s", i ? "," : "", k->name, k->reading ? " for reading" : "");
		if (*k->taken.file || *k->taken.function)
			buffer_print(b, " since %s", finding_where(&k->taken, at));
	}
}

void words_place(struct buffer *b, const struct finding *f, const struct finding_place *p)
{
	place_text at;
	buffer_print(b, "%s %s", p->thread, finding_place_does(f, p));
	if (p->bytes && !*p->object)
		buffer_print(b, " %" PRIu32 " byte%s", p->bytes, p->bytes == 1 ? "" : "s");
	else if (*finding_place_object(f, p))
		buffer_print(b, " '%s'", finding_place_object(f, p));
	buffer_print(b, " at %s", finding_where(&p->at, at));
	if (*p->at.function && p->at.line)
		buffer_print(b, " in %s", p->at.function);
	if (p->locks_known || p->locks.count) {
		buffer_print(b, ", ");
		words_locks(b, &p->locks);
	}
}

void words_memory(struct buffer *b, const struct finding *f)
{
	place_text at;
	const struct finding_object *o = &f->object;
	switch (o->memory) {
	case MEMORY_GLOBAL: buffer_print(b, "global '%s'", o->name); break;
	case MEMORY_HEAP:   buffer_print(b, "heap block"); break;
	case MEMORY_MAP:    buffer_print(b, "mapping"); break;
	case MEMORY_STACK:  buffer_print(b, "stack of %s", *o->thread ? o->thread : "a thread"); return;
	case MEMORY_TLS:    buffer_print(b, "thread-local memory of %s", *o->thread ? o->thread : "a thread"); return;
	default: return;
	}
	if (o->bytes && o->memory != MEMORY_GLOBAL)
		buffer_print(b, " of %" PRIu64 " byte%s", o->bytes, o->bytes == 1 ? "" : "s");
	if (o->offset)
		buffer_print(b, ", byte %" PRIu64, o->offset);
	if (o->memory != MEMORY_GLOBAL && *o->thread)
		buffer_print(b, ", allocated by %s at %s", o->thread, finding_where(&o->at, at));
}

void words_maker(struct buffer *b, const struct finding_place *p)
{
	place_text at;
	if (*p->made_by)
		buffer_print(b, "%s was created by %s at %s", p->thread, p->made_by, finding_where(&p->made_at, at));
}

void words_before(struct buffer *b, const struct finding *f)
{
	char number[STR_NUMBER];
	if (f->steps_before)
		buffer_print(b, "... %s more before that", str_grouped(number, f->steps_before));
}
