/* report/report.c -- which findings are told, what they add up to, and JSON lines. */
#include "report/report.h"

bool report_lists(const struct report *r, const struct finding *f)
{
	return !f->suppressed && (r->listed & STATUS_BIT(f->status));
}

bool finding_is_bug(const struct report *r, const struct finding *f)
{
	return !f->suppressed && (r->bugs & STATUS_BIT(f->status));
}

void report_count(const struct report *r, struct report_counts *out)
{
	*out = (struct report_counts){ 0 };
	for (size_t i = 0; i < r->findings->all.count; i++) {
		const struct finding *f = r->findings->all.at[i];
		if (f->suppressed) {
			out->suppressed++;
			continue;
		}
		out->status[f->status]++;
		if (!finding_is_bug(r, f))
			continue;
		out->kinds[f->kind]++;
		out->bugs++;
		if (f->known)
			out->known++;
		else
			out->fresh++;
	}
}

int report_exit(const struct report *r)
{
	struct report_counts c;
	report_count(r, &c);
	return c.fresh ? 1 : r->gave_up ? 4 : 0;
}

/* ---------------------------------------------------------------- JSON */

/* Why it is no bug so far: what closes it, or where its schedule was left, and what was taken for granted. */
static void json_reason(struct json *j, const struct finding *f)
{
	if (f->status == FINDING_INFEASIBLE || f->status == FINDING_SPECULATIVE)
		json_put_text(j, "rule", f->rule);
	if ((f->status == FINDING_NOT_REPRODUCED || f->status == FINDING_SPECULATIVE) && f->left_at) {
		json_key(j, "left");
		json_object(j);
		json_put_number(j, "step", f->left_at);
		json_put_text(j, "expected", f->expected);
		json_put_text(j, "came", f->came);
		if (f->unrun)
			json_put_bool(j, "unrun", true);
		json_end(j, '}');
	}
	if (*f->assumed)
		json_put_text(j, "assumed", f->assumed);
}

static void put_json(const struct finding *f, FILE *to)
{
	struct json j;
	json_init(&j, to);
	json_object(&j);
	json_put_number(&j, "schema", 1);
	json_put_text(&j, "kind", finding_kind_word(f->kind));
	json_put_text(&j, "status", finding_status_word(f->status));
	json_put_text(&j, "effect", finding_effect_word(f->effect));
	json_key(&j, "places");
	json_array(&j);
	for (size_t i = 0; i < f->places.count; i++) {
		const struct finding_place *p = &f->places.at[i];
		json_object(&j);
		json_put_text(&j, "file", p->at.file);
		json_put_number(&j, "line", p->at.line);
		json_put_text(&j, "function", p->at.function);
		json_put_text(&j, "thread", p->thread);
		json_put_text(&j, "access", finding_access_word(p->access));
		json_end(&j, '}');
	}
	json_end(&j, ']');
	json_put_text(&j, "object", f->object.name);
	if (*f->object.field)
		json_put_text(&j, "field", f->object.field);
	json_put_text(&j, "schedule", *f->schedule ? f->schedule : NULL);
	if (*f->unwritten)
		json_put_text(&j, "unwritten", f->unwritten);
	if (*f->only_after)
		json_put_text(&j, "only_after", f->only_after);
	json_put_text(&j, "fingerprint", f->fingerprint);
	json_reason(&j, f);
	json_end(&j, '}');
	json_line(&j);
}

static void json_counts(struct json *j, const struct report *r)
{
#define K(name, word, said, many, count, text) count,
	static const char *const kinds[] = { FINDING_KINDS(K) };
#undef K
	struct report_counts c;
	report_count(r, &c);
	for (int k = 0; k < FINDING_KIND_COUNT; k++)
		json_put_number(j, kinds[k], c.kinds[k]);
	json_put_number(j, "confirmed", c.status[FINDING_CONFIRMED]);
	json_put_number(j, "not_reproduced", c.status[FINDING_NOT_REPRODUCED]);
	json_put_number(j, "speculative", c.status[FINDING_SPECULATIVE]);
	json_put_number(j, "infeasible", c.status[FINDING_INFEASIBLE]);
	json_put_number(j, "predicted", c.status[FINDING_PREDICTED]);
	json_put_number(j, "suppressed", c.suppressed);
	if (r->baseline) {
		json_put_number(j, "new", c.fresh);
		json_put_number(j, "known", c.known);
		json_put_number(j, "gone", r->gone);
	}
}

void report_json(const struct report *r, FILE *to)
{
	struct json j;
	for (size_t i = 0; i < r->findings->all.count; i++)
		if (report_lists(r, r->findings->all.at[i]))
			put_json(r->findings->all.at[i], to);
	json_summary(&j, to);
	json_put_text(&j, "command", r->command);
	json_put_number(&j, "events", r->events);
	json_counts(&j, r);
	json_put_bool(&j, "complete", !r->gave_up && !r->unclaimed);
	if (r->gave_up)
		json_put_text(&j, "gave_up", r->gave_up);
	if (r->unclaimed)
		json_put_text(&j, "unclaimed", r->unclaimed);
	if (r->more)
		r->more(&j, r->with);
	json_key(&j, "seconds");
	json_real(&j, r->seconds);
	json_summary_end(&j);
}
