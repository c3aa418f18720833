/* verify/refutation.c -- an independent checker of refutations: libc alone, no code of the engine that writes them.
 *
 * A refutation (docs/refutation-format.md) claims something, names pairs of events that wait for each other (must.c looks whether they do), and
 * names rules by the events they are about; the ways out a rule leaves are worked out here.  Its steps are clauses over ways: steps.c.
 * Both files are hostile: whatever they hold, the answer is "holds" or a reason. */
#include "verify/refutation.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "verify/steps.h"

static struct line line;                /* at hand */
LIST(static, uint32_t, kept)             /* reads that are claimed to return what they returned */
static uint32_t asked, from;            /* the read that is claimed to return something at END; from whom, or NOTHING: `returns` */
static char returns[33];
static char why[200];
static jmp_buf out;

_Noreturn void line_bad(const char *what)
{
	snprintf(why, sizeof why, "line %llu: %s", (unsigned long long)line_number, what);
	longjmp(out, 1);
}

static const char *word(uint32_t i) { return i < line.count ? words[line.first + i] : ""; }
static bool line_is(const char *kind) { return !strcmp(word(0), kind); }

static uint32_t event_at(uint32_t i)            /* PATH:N */
{
	const char *name = word(i), *colon = strrchr(name, ':');
	uint64_t n = 0;
	for (uint32_t t = 0; colon && word_number(colon + 1, &n) && t < threads_count; t++)
		if (strlen(threads[t].path) == (size_t)(colon - name) && !memcmp(threads[t].path, name, (size_t)(colon - name)) && n < threads[t].event_count)
			return threads[t].event[n];
	line_bad("no event of the trace");
}

/* ---- rules: the ways out of each, in the order of docs/refutation-format.md ---- */

static void rule_lock(uint32_t a, uint32_t b)
{
	uint64_t lock, other;
	bool shared, other_shared, exclude = section_begins(a, &lock, &shared) && section_begins(b, &other, &other_shared);
	uint32_t end = exclude ? section_end(a) : NOTHING;
	if (!exclude || lock != other || events[a].thread == events[b].thread || (shared && other_shared) || end == NOTHING || a > end || end > b)
		line_bad("no two sections of a lock that exclude each other, one behind the other");
	steps_way(2 * end, NOTHING, 2 * b);
	steps_way(END, NOTHING, 2 * b);
	steps_way(END, NOTHING, 2 * a);
	if (section_end(b) != NOTHING)
		steps_way(2 * section_end(b), NOTHING, 2 * a);
}

/* What sem_init() wrote; more than anybody takes: not seen. */
static int64_t first_value(uint64_t semaphore)
{
	int64_t first = INT64_MAX / 2;
	bool fresh = false;
	unsigned value;
	for (uint32_t e = 0; e < events_count; e++) {
		if (events[e].object != semaphore)
			continue;
		fresh |= event_is(e, "lockinit") && !strcmp(field_of(e, "type"), "sem") && !event_failed(e);
		if (fresh && event_is(e, "libwrite") && strlen(field_of(e, "bytes")) >= 8 && sscanf(field_of(e, "bytes"), "%8x", &value) == 1) {
			first = __builtin_bswap32(value);
			fresh = false;
		}
	}
	return first;
}

/* The words that follow say how far each thread has come; then the semaphore is 0. */
static void rule_semaphore(uint32_t wait)
{
	int64_t left = first_value(events[wait].object);
	steps_way(END, NOTHING, 2 * wait);
	for (uint32_t t = 0; t < threads_count; t++) {
		uint32_t post = NOTHING, last = NOTHING, come = 0;
		bool own = t == events[wait].thread;
		for (uint32_t i = 3; i < line.count; i++)
			come = events[event_at(i)].thread == t ? events[event_at(i)].at : come;
		for (uint32_t i = 0; i < threads[t].event_count; i++) {
			uint32_t e = threads[t].event[i];
			bool posts = event_is(e, "spost"), done = own ? i < events[wait].at : i <= come;
			if (events[e].object != events[wait].object || !event_among(e, " spost swait ") || event_failed(e))
				continue;
			left += !done ? 0 : posts ? 1 : -1;
			post = posts && !done && post == NOTHING && !own ? e : post;
			last = !posts && done && !own ? e : last;
		}
		if (post != NOTHING)
			steps_way(2 * post, NOTHING, 2 * wait);
		if (last != NOTHING)
			steps_way(2 * wait, NOTHING, 2 * last);
	}
	if (!event_is(wait, "swait") || event_failed(wait) || left > 0)
		line_bad("that semaphore can be taken there");
}

static bool signals(uint32_t e, uint64_t object) { return events[e].object == object && event_among(e, " csignal cbroadcast "); }

static void rule_condition(uint32_t wake)
{
	uint32_t i = events[wake].at, wait = wake;
	bool signalled = false;
	while (i-- > 1 && !event_among(wait = threads[events[wake].thread].event[i], " cwait cwake "))
		;
	for (uint32_t e = wait; e < wake; e++)
		signalled |= signals(e, events[wake].object);
	if (!event_is(wake, "cwake") || event_failed(wake) || !event_is(wait, "cwait") || events[wait].object != events[wake].object || !signalled)
		line_bad("no wake that needs a signal");
	steps_way(END, NOTHING, 2 * wake);
	for (uint32_t e = 0; e < events_count; e++)
		if (signals(e, events[wake].object))
			steps_way(2 * wait, 2 * e, 2 * wake);
}

/* A store of the reader's own thread, before it, that waits: it is seen wherever it is. */
static bool is_own(uint32_t reader, uint32_t e)
{
	return node_of(e) & 1 && events[e].thread == events[reader].thread && events[e].at < events[reader].at;
}

/* It reaches memory word by word. */
static bool is_torn(uint32_t e)
{
	uint64_t address;
	return node_of(e) & 1 && (event_is(e, "copy") || event_extent(e, true, &address) > 8);
}

/* The reader finds what `wrong` left in that byte (NOTHING: what lay there first), which is not what it returned. */
static void rule_read(uint32_t reader, uint64_t offset, uint32_t wrong)
{
	uint32_t at = reader == asked ? END : reader, source = at != END ? NOTHING : from == NOTHING ? END : from;
	uint64_t byte, size = event_extent(reader, false, &byte);
	unsigned value = 0;
	int there = -1, first = -1;
	bool torn = false, matters = at == END, written = false, is_wrong = false, shared = at != END || from == NOTHING;
	for (uint32_t i = 0; i < kept_count; i++)
		matters |= kept[i] == reader;
	if (!matters || offset >= size)
		line_bad("no read that is to return anything");
	byte += offset;
	if (at != END)
		there = event_byte(reader, false, byte);
	else if (from == NOTHING && offset < 16 && strlen(returns) > 2 * offset && sscanf(returns + 2 * offset, "%2x", &value) == 1)
		there = (int)value;
	for (uint32_t e = 0; e < events_count; e++) {
		int seen = event_byte(e, false, byte), left = event_byte(e, true, byte);
		first = !written && first < 0 && seen >= 0 ? seen : first;
		written |= left != -2;
		shared |= left != -2 && e == from;
		source = left != -2 && at != END && e < reader ? e : source;
	}
	if (at != END)
		steps_way(END, NOTHING, 2 * reader);
	if (wrong != NOTHING && !is_own(reader, wrong))
		steps_way(at == END ? END : 2 * reader, NOTHING, node_of(wrong));
	for (uint32_t e = 0; e < events_count; e++) {
		int left = event_byte(e, true, byte);
		bool right = e == source || (there >= 0 && (left < 0 || left == there));
		is_wrong |= left != -2 && e == wrong && !right;
		bool own = wrong != NOTHING && is_own(reader, e);
		torn |= left != -2 && is_torn(e) && (right || e == wrong);
		if (left != -2 && right && e != at)
			steps_way(node_of(wrong == NOTHING ? e : wrong), wrong == NOTHING || own ? NOTHING : node_of(e), own ? node_of(e) : at == END ? END : 2 * reader);
	}
	if (!shared || torn || (wrong == NOTHING ? source == NOTHING || (there >= 0 && (first < 0 || first == there)) : !is_wrong || wrong == reader))
		line_bad("it may find that");
}

static void step_rule(void)
{
	uint32_t e = event_at(2);
	uint64_t offset;
	if (!strcmp(word(1), "lock"))
		rule_lock(e, event_at(3));
	else if (!strcmp(word(1), "sem"))
		rule_semaphore(e);
	else if (!strcmp(word(1), "cond"))
		rule_condition(e);
	else if (!strcmp(word(1), "read") && word_number(word(3), &offset))
		rule_read(e, offset, line.count > 4 ? event_at(4) : NOTHING);
	else
		line_bad("no rule known here");
	steps_rule();
}

/* ---- claims ---- */

/* What the read would return if it were made at END. */
static void claim_returns(void)
{
	asked = event_at(1);
	from = line_is("from") ? event_at(2) : NOTHING;
	if (from != NOTHING && !is_own(asked, from))
		steps_hold(node_of(from), END, false);
	snprintf(returns, sizeof returns, "%s", from == NOTHING ? word(2) : "");
}

/* The first, when all that its thread does before it is done, before the second; a store that waits was made. */
static void claim_before(void)
{
	uint32_t x = strcmp(word(1), "END") ? node_of(event_at(1)) : END, y = strcmp(word(2), "END") ? node_of(event_at(2)) : END;
	if (x != END && !events[x / 2].at)
		line_bad("nothing comes before that");
	steps_hold(x == END || x & 1 ? x : 2 * threads[events[x / 2].thread].event[events[x / 2].at - 1], y, x != END && x & 1);
}

static void claim_whole(void)
{
	for (uint32_t t = 0; t < threads_count; t++)
		if (threads[t].event_count)
			steps_hold(2 * threads[t].event[threads[t].event_count - 1], END, false);
}

static void claim_model(void)
{
	model = !strcmp(word(1), "tso") ? TSO : PSO;
	if ((model == PSO && strcmp(word(1), "pso")) || steps_begun())
		line_bad("no model, or too late");
}

static void step_must(void)
{
	uint32_t e = event_at(1), f = event_at(2);
	if (!must_before(e, f))
		line_bad("the one does not wait for the other");
	steps_hold(node_of(e), 2 * f, false);
}

static void step(void)
{
	uint64_t n, sum;
	if (line_is("trace") && (!word_number(word(1), &n) || !word_number(word(2), &sum) || n != twin_events || sum != twin_hash))
		line_bad("it is about another trace");
	else if (line_is("model"))
		claim_model();
	else if (line_is("before"))
		claim_before();
	else if (line_is("keep"))
		LIST_ADD(kept) = event_at(1);
	else if (line_is("value") || line_is("from"))
		claim_returns();
	else if (line_is("must"))
		step_must();
	else if (line_is("rule"))
		step_rule();
	else if (line_is("whole"))
		claim_whole();
	else if (!line_is("trace"))
		line_bad("no step known here");
}

const char *refutation_check(const char *twin, size_t twin_length, const char *text, size_t length)
{
	static char *copies[2];
	static bool refuted;
	refuted = false;
	free(copies[0]);
	free(copies[1]);
	copies[0] = strndup(twin, twin_length);
	copies[1] = strndup(text, length);
	steps_forget();
	asked = from = NOTHING;
	kept_count = 0;
	model = SC;
	if (setjmp(out))
		return why;
	twin_read(copies[0]);
	line_number = 0;
	uint32_t twin_words = words_count;
	for (char *at = copies[1]; words_count = twin_words, line_next(&at, &line);) {
		if (refuted)
			line_bad("it goes on behind its end");
		if (line_number == 1 ? strcmp(word(0), "raddle") || strcmp(word(1), "refutation") || strcmp(word(2), "2") : 0)
			line_bad("no refutation of this kind");
		if (line_is("learn"))
			refuted = steps_learn(line);
		else if (line_number > 1)
			step();
	}
	return refuted ? NULL : "it ends before anything is refuted";
}
