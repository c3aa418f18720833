/* report/sarif.c -- findings as SARIF 2.1.0, for code scanning and editors.
 *
 * One run; a rule for each kind; a result for each finding, suppressed and known ones marked as such.  The order that shows a bug is a
 * code flow: one thread flow for each thread, whose locations are numbered over all of them (executionOrder).  A finding without an
 * order has its places as such.  kind and level say how sure it is:
 *     confirmed fail/error    predicted fail/warning    not reproduced open/none    infeasible notApplicable/none */
#include <inttypes.h>
#include <string.h>

#include "base/vec.h"
#include "report/escape.h"
#include "report/report.h"
#include "report/words.h"

#define SCHEMA "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
#define FINGERPRINT "raddle/v1"

struct writing { struct json j; const struct report *r; struct buffer words; };

static const char *const sarif_kinds[] = { "fail", "open", "open", "notApplicable", "fail" };
static const char *const sarif_levels[] = { "error", "none", "none", "none", "warning" };

static void message(struct writing *w, const char *key, const char *text)
{
	json_key(&w->j, key);
	json_object(&w->j);
	json_put_text(&w->j, "text", text);
	json_end(&w->j, '}');
}

/* What is in w->words, which is empty then. */
static void message_words(struct writing *w, const char *key)
{
	message(w, key, w->words.count ? (const char *)w->words.at : "");
	w->words.count = 0;
}

static void physical(struct writing *w, const struct finding_spot *s)
{
	char *uri = escape_uri(s->file, w->r->root);
	json_key(&w->j, "physicalLocation");
	json_object(&w->j);
	json_key(&w->j, "artifactLocation");
	json_object(&w->j);
	json_put_text(&w->j, "uri", uri);
	json_end(&w->j, '}');
	if (s->line) {
		json_key(&w->j, "region");
		json_object(&w->j);
		json_put_number(&w->j, "startLine", s->line);
		if (s->column)
			json_put_number(&w->j, "startColumn", s->column);
		json_end(&w->j, '}');
	}
	json_end(&w->j, '}');
	mem_free(uri);
}

/* What it says is in w->words.  id: of locations that must not look the same, or -1. */
static void location(struct writing *w, const struct finding_spot *s, int64_t id)
{
	json_object(&w->j);
	if (id >= 0)
		json_put_number(&w->j, "id", (uint64_t)id);
	if (*s->file)
		physical(w, s);
	if (*s->function) {
		json_key(&w->j, "logicalLocations");
		json_array(&w->j);
		json_object(&w->j);
		json_put_text(&w->j, "fullyQualifiedName", s->function);
		json_put_text(&w->j, "kind", "function");
		json_end(&w->j, '}');
		json_end(&w->j, ']');
	}
	if (w->words.count)
		message_words(w, "message");
	json_end(&w->j, '}');
}

/* ---------------------------------------------------------------- rules */

static void rules(struct writing *w)
{
	json_key(&w->j, "rules");
	json_array(&w->j);
	for (int k = 0; k < FINDING_KIND_COUNT; k++) {
		json_object(&w->j);
		json_put_text(&w->j, "id", finding_kind_word((enum finding_kind)k));
		message(w, "shortDescription", finding_kind_said((enum finding_kind)k));
		message(w, "fullDescription", finding_kind_text((enum finding_kind)k));
		json_key(&w->j, "defaultConfiguration");
		json_object(&w->j);
		json_put_text(&w->j, "level", "error");
		json_end(&w->j, '}');
		json_end(&w->j, '}');
	}
	json_end(&w->j, ']');
}

static void tool(struct writing *w)
{
	json_key(&w->j, "tool");
	json_object(&w->j);
	json_key(&w->j, "driver");
	json_object(&w->j);
	json_put_text(&w->j, "name", "raddle");
	json_put_text(&w->j, "version", w->r->version);
	rules(w);
	json_end(&w->j, '}');
	json_end(&w->j, '}');
}

static void invocations(struct writing *w)
{
	json_key(&w->j, "invocations");
	json_array(&w->j);
	json_object(&w->j);
	json_put_bool(&w->j, "executionSuccessful", true);
	if (w->r->gave_up) {
		json_key(&w->j, "toolExecutionNotifications");
		json_array(&w->j);
		json_object(&w->j);
		json_put_text(&w->j, "level", "warning");
		buffer_print(&w->words, "not all was looked at: %s", w->r->gave_up);
		message_words(w, "message");
		json_end(&w->j, '}');
		json_end(&w->j, ']');
	}
	json_end(&w->j, '}');
	json_end(&w->j, ']');
}

/* ---------------------------------------------------------------- stacks and flows */

static void frame(struct writing *w, const struct finding_spot *s)
{
	json_object(&w->j);
	json_key(&w->j, "location");
	location(w, s, -1);
	json_end(&w->j, '}');
}

static void stacks(struct writing *w, const struct finding *f)
{
	json_key(&w->j, "stacks");
	json_array(&w->j);
	for (size_t i = 0; i < f->places.count; i++) {
		const struct finding_place *p = &f->places.at[i];
		json_object(&w->j);
		words_place(&w->words, f, p);
		message_words(w, "message");
		json_key(&w->j, "frames");
		json_array(&w->j);
		frame(w, &p->at);
		for (size_t k = 0; k < p->stack.count; k++)
			frame(w, &p->stack.at[k]);
		json_end(&w->j, ']');
		json_key(&w->j, "properties");          /* no two stacks of a result may look the same */
		json_object(&w->j);
		json_put_number(&w->j, "place", i);
		json_end(&w->j, '}');
		json_end(&w->j, '}');
	}
	json_end(&w->j, ']');
}

static void flow_location(struct writing *w, const struct finding_spot *at, uint64_t number, bool essential)
{
	json_object(&w->j);
	json_key(&w->j, "location");
	location(w, at, -1);
	json_put_number(&w->j, "executionOrder", number);
	json_put_text(&w->j, "importance", essential ? "essential" : "important");
	json_end(&w->j, '}');
}

static size_t flow_count(const struct finding *f)
{
	return f->steps.count ? f->steps.count : f->places.count;
}

static const char *flow_thread(const struct finding *f, size_t i)
{
	return f->steps.count ? f->steps.at[i].thread : f->places.at[i].thread;
}

static void flow_step(struct writing *w, const struct finding *f, size_t i)
{
	if (!f->steps.count) {
		words_place(&w->words, f, &f->places.at[i]);
		flow_location(w, &f->places.at[i].at, i + 1, true);
		return;
	}
	const struct finding_step *s = &f->steps.at[i];
	buffer_print(&w->words, "%s %s", s->thread, s->text);
	if (s->locks.count) {
		buffer_print(&w->words, ", ");
		words_locks(&w->words, &s->locks);
	}
	flow_location(w, &s->at, f->steps_before + i + 1, s->place >= 0);
}

/* One flow for each thread, in the order in which they first appear. */
static void thread_flows(struct writing *w, const struct finding *f)
{
	struct names threads = { 0 };
	for (size_t i = 0; i < flow_count(f); i++)
		names_put(&threads, flow_thread(f, i), strlen(flow_thread(f, i)));
	json_key(&w->j, "threadFlows");
	json_array(&w->j);
	for (uint32_t t = 0; t < threads.count; t++) {
		json_object(&w->j);
		json_put_text(&w->j, "id", names_text(&threads, t));
		json_key(&w->j, "locations");
		json_array(&w->j);
		for (size_t i = 0; i < flow_count(f); i++)
			if (!strcmp(flow_thread(f, i), names_text(&threads, t)))
				flow_step(w, f, i);
		json_end(&w->j, ']');
		json_end(&w->j, '}');
	}
	json_end(&w->j, ']');
	names_release(&threads);
}

static void code_flows(struct writing *w, const struct finding *f)
{
	if (!flow_count(f))
		return;
	json_key(&w->j, "codeFlows");
	json_array(&w->j);
	json_object(&w->j);
	if (f->steps_before) {
		words_before(&w->words, f);
		message_words(w, "message");
	}
	thread_flows(w, f);
	json_end(&w->j, '}');
	json_end(&w->j, ']');
}

/* ---------------------------------------------------------------- results */

static void locations(struct writing *w, const struct finding *f)
{
	json_key(&w->j, "locations");
	json_array(&w->j);
	if (f->places.count)
		location(w, &f->places.at[0].at, -1);
	json_end(&w->j, ']');
	if (f->places.count < 2)
		return;
	json_key(&w->j, "relatedLocations");
	json_array(&w->j);
	for (size_t i = 1; i < f->places.count; i++) {
		words_place(&w->words, f, &f->places.at[i]);
		location(w, &f->places.at[i].at, (int64_t)i);
	}
	json_end(&w->j, ']');
}

static void marks(struct writing *w, const struct finding *f)
{
	json_key(&w->j, "partialFingerprints");
	json_object(&w->j);
	json_put_text(&w->j, FINGERPRINT, f->fingerprint);
	json_end(&w->j, '}');
	if (w->r->baseline)
		json_put_text(&w->j, "baselineState", f->known ? "unchanged" : "new");
	if (f->suppressed) {
		json_key(&w->j, "suppressions");
		json_array(&w->j);
		json_object(&w->j);
		json_put_text(&w->j, "kind", "external");
		json_put_text(&w->j, "justification", f->suppressed);
		json_end(&w->j, '}');
		json_end(&w->j, ']');
	}
}

static void properties(struct writing *w, const struct finding *f)
{
	json_key(&w->j, "properties");
	json_object(&w->j);
	json_put_text(&w->j, "status", finding_status_word(f->status));
	json_put_text(&w->j, "effect", finding_effect_word(f->effect));
	json_put_text(&w->j, "object", f->object.name);
	json_put_number(&w->j, "replays", f->replays);
	json_put_number(&w->j, "shown", f->shown);
	if (*f->schedule)
		json_put_text(&w->j, "schedule", f->schedule);
	if ((f->status == FINDING_INFEASIBLE || f->status == FINDING_SPECULATIVE) && *f->rule)
		json_put_text(&w->j, "rule", f->rule);
	json_end(&w->j, '}');
}

static void result(struct writing *w, const struct finding *f)
{
	json_object(&w->j);
	json_put_text(&w->j, "ruleId", finding_kind_word(f->kind));
	json_put_number(&w->j, "ruleIndex", f->kind);
	json_put_text(&w->j, "kind", sarif_kinds[f->status]);
	json_put_text(&w->j, "level", sarif_levels[f->status]);
	words_message(&w->words, f);
	buffer_print(&w->words, " (");
	words_status(&w->words, f);
	buffer_print(&w->words, ")");
	message_words(w, "message");
	locations(w, f);
	stacks(w, f);
	code_flows(w, f);
	marks(w, f);
	properties(w, f);
	json_end(&w->j, '}');
}

void report_sarif(const struct report *r, FILE *to)
{
	struct writing w = { .r = r };
	json_init(&w.j, to);
	json_object(&w.j);
	json_put_text(&w.j, "$schema", SCHEMA);
	json_put_text(&w.j, "version", "2.1.0");
	json_key(&w.j, "runs");
	json_array(&w.j);
	json_object(&w.j);
	tool(&w);
	invocations(&w);
	json_put_text(&w.j, "columnKind", "unicodeCodePoints");
	json_key(&w.j, "results");
	json_array(&w.j);
	for (size_t i = 0; i < r->findings->all.count; i++) {
		const struct finding *f = r->findings->all.at[i];
		if (r->listed & STATUS_BIT(f->status))
			result(&w, f);
	}
	json_end(&w.j, ']');
	json_end(&w.j, '}');
	json_end(&w.j, ']');
	json_end(&w.j, '}');
	json_line(&w.j);
	buffer_release(&w.words);
}
