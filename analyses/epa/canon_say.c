/* analyses/epa/canon_say.c -- one canonical event in words.  Whatever two runs have in common reads the same, byte for byte. */
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "analyses/epa/canon.h"
#include "base/err.h"
#include "base/str.h"
#include "trace/text_words.h"

#define SHOWN 64u                               /* bytes of a payload */

const char *canon_word(const struct canon_event *e)
{
	const char *word = event_word(e->kind);
	return word ? word : "";
}

static const struct canon_bytes *payload_of(const struct canon_lane *lane, size_t event)
{
	size_t low = 0, high = lane->payloads.count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (lane->payloads.at[middle].event < event)
			low = middle + 1;
		else
			high = middle;
	}
	return low < lane->payloads.count && lane->payloads.at[low].event == event ? &lane->payloads.at[low] : NULL;
}

static void say_bytes(struct sentence *s, const struct canon *c, const struct canon_lane *lane, size_t event)
{
	const struct canon_bytes *p = payload_of(lane, event);
	const struct canon_event *e = canon_at(lane, event);
	check(p);
	bool text = true;
	uint32_t shown = p->count < SHOWN ? p->count : SHOWN;
	for (uint32_t i = 0; i < shown; i++)
		text = text && (isprint(c->bytes.at[p->at + i]) || c->bytes.at[p->at + i] == '\n');
	if (text) {
		str_say(s, " \"");
		for (uint32_t i = 0; i < shown; i++)
			str_say(s, c->bytes.at[p->at + i] == '\n' ? "\\n" : "%c", c->bytes.at[p->at + i]);
		str_say(s, "\"");
	}
	if (!text || shown < p->count)
		str_say(s, " %" PRIu32 " bytes, hash %016" PRIx64, p->count, e->value);
}

/* "balance+4"; "next (heap list.c:9#2 of T_0+8)" where the thing has another name than the variable. */
static void say_where(struct sentence *s, const struct canon *c, const struct canon_event *e, const char *thing)
{
	const char *variable = book_say(c->book, c->book->place.at[e->place].variable);
	size_t n = strlen(variable);
	bool said = !n || (!strncmp(thing, variable, n) && (!thing[n] || thing[n] == '+'));
	if (!said)
		str_say(s, " %s", variable);
	if (*thing && !said)
		str_say(s, " (%s)", thing);
	else if (*thing)
		str_say(s, " %s", thing);
}

static bool shows_value(const struct canon_event *e)
{
	return e->flags & CANON_HAS_VALUE && (e->value || e->points_to || e->kind == EV_BRANCH || arg_form(e->kind) == ARG_VALUE);
}

/* The result of a call, or the second half of a value. */
static void say_more(struct sentence *s, const struct canon *c, const struct canon_event *more)
{
	char name[512];
	if (more->points_to)
		str_say(s, ", %s", book_name(c->book, more->points_to, more->value, 8, name, sizeof name));
	else
		str_say(s, " result %" PRId64, (int64_t)more->value);
}

char *canon_say(const struct canon *c, const struct canon_lane *lane, size_t event, char *into, size_t room)
{
	const struct canon_event *e = canon_at(lane, event);
	struct sentence s = { into, room };
	char name[512] = "";
	str_say(&s, "%s", canon_word(e));
	if (e->thing || (e->offset && e->kind != EV_BRANCH))
		book_name(c->book, e->thing, e->offset, 0, name, sizeof name);
	say_where(&s, c, e, name);
	if (shows_value(e))
		str_say(&s, " = %s", book_name(c->book, e->points_to, e->value, e->size ? e->size : 8, name, sizeof name));
	if (e->flags & CANON_FAILED)
		str_say(&s, " failed");
	if (e->flags & CANON_IN_FLIGHT)
		str_say(&s, " (not known to have finished)");
	for (uint32_t i = 1; i < canon_span(lane, event); i++) {
		const struct canon_event *more = canon_at(lane, event + i);
		if (more->kind == CANON_BYTES)
			say_bytes(&s, c, lane, event + i);
		else if (more->flags & CANON_WRITES)
			str_say(&s, " -> %s", book_name(c->book, more->points_to, more->value, more->size, name, sizeof name));
		else
			say_more(&s, c, more);
	}
	return into;
}
