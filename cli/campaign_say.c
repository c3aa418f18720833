/* cli/campaign_say.c -- see campaign_say.h. */
#include "cli/campaign_say.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/json.h"
#include "base/str.h"
#include "cli/output.h"

static void say_share(uint64_t count, uint64_t of)
{
	struct interval v = wilson(count, of);
	char n[STR_NUMBER];
	printf("%10s  %5.1f %%  [%.1f, %.1f]\n", str_grouped(n, count), 100 * v.share, 100 * v.low, 100 * v.high);
}

/* "    overwritten 3, dead 1, unexplained 0": what killed them. */
static void say_fates(const struct campaign_count *c)
{
	char n[STR_NUMBER];
	printf("   ");
	for (int i = 0; i < FATE_COUNT; i++)
		if (c->fates[i] || i == FATE_UNEXPLAINED)
			printf(" %s %s%s", fate_words[i], str_grouped(n, c->fates[i]), i == FATE_UNEXPLAINED ? "\n" : ",");
}

/* "78 of 120 went on from where the fault is; 42 from the start: it is compared from its trace". */
static void say_begun(const campaign_begun *begun)
{
	char n[STR_NUMBER], m[STR_NUMBER];
	uint64_t all = 0, parted = 0;
	for (size_t i = 0; i < begun->count; i++) {
		all += begun->at[i].runs;
		parted += !*begun->at[i].why ? begun->at[i].runs : 0;
	}
	if (!all)
		return;
	printf("%s of %s went on from where the fault is\n", str_grouped(n, parted), str_grouped(m, all));
	for (size_t i = 0; i < begun->count; i++)
		if (*begun->at[i].why)
			printf("  %s from the start: %s\n", str_grouped(n, begun->at[i].runs), begun->at[i].why);
}

void campaign_say(const campaign_counts *counts, const campaign_begun *begun, const struct campaign_made *made, const struct campaign_names *names)
{
	char n[STR_NUMBER];
	uint64_t runs = 0, early = 0, failed = 0, blind = 0;
	for (size_t i = 0; i < counts->count; i++) {
		const struct campaign_count *c = &counts->at[i];
		printf("%s: %s fault%s\n", c->type, str_grouped(n, c->runs), c->runs == 1 ? "" : "s");
		for (int o = 0; o < BECAME_COUNT; o++)
			if (c->by[o]) {
				printf("  %-18s", became_words[o]);
				say_share(c->by[o], c->runs);
				if (o == BECAME_MASKED)
					say_fates(c);
			}
		runs += c->runs;
		early += c->early;
		failed += c->failed;
		blind += c->blind;
	}
	if (blind)
		printf("warning: %s died or put out something wrong, and the comparison alone shows no deviation\n", str_grouped(n, blind));
	if (early)
		printf("warning: %s deviated before the fault: the program is not the same each time\n", str_grouped(n, early));
	if (failed)
		printf("warning: %s could not be tried; --csv says why\n", str_grouped(n, failed));
	say_begun(begun);
	if (made->complete) {
		printf("%s faults, 95 %% intervals; all in '%s'\n", str_grouped(n, runs), names->database);
		return;
	}
	char drawn[STR_NUMBER], end[9000];
	campaign_again(names, end, sizeof end);
	printf("%s of %s faults, not complete; 95 %% intervals of these; all in '%s'; goes on: raddle campaign%s\n", str_grouped(n, made->done),
		str_grouped(drawn, made->drawn), names->database, end);
}

void campaign_say_one(const struct experiment *e, const struct result *r, const char *before)
{
	printf("%s:%" PRIu32 ": %s at %s: %s", e->file, e->line, e->fault, e->site, became_words[r->outcome]);
	if (*before && strcmp(before, became_words[r->outcome]))
		printf(", not %s as before", before);
	if (*r->kind)
		printf("; first deviation: %s in %s, %s:%" PRIu32, r->kind, r->thread, r->file, r->line);
	else if (r->outcome == BECAME_MASKED && *r->why)
		printf("; %s", r->why);
	if (r->after >= 0)
		printf(", %" PRId64 " event%s after the fault", r->after, r->after == 1 ? "" : "s");
	printf("\n");
}

/* ---- CSV ---- */

static void csv_text(FILE *out, const char *text)
{
	bool quoted = strpbrk(text, ",\"\n\r");
	fputs(quoted ? "\"" : "", out);
	for (size_t n; *text; text += n ? n : 1) {
		n = *text == '\n' ? 1 : str_shown(text);
		if (!n)                                         /* nothing a terminal, or a spreadsheet, would act on */
			fprintf(out, "\\x%02x", (unsigned char)*text);
		else
			fprintf(out, "%s%.*s", *text == '"' ? "\"" : "", (int)n, text);
	}
	fputs(quoted ? "\"" : "", out);
}

static const struct { const char *name; int column; bool number; } columns[] = {
	{ "id", ROW_ID, true }, { "type", ROW_TYPE, false }, { "fault", ROW_FAULT, false }, { "site", ROW_SITE, false }, { "file", ROW_FILE, false },
	{ "line", ROW_LINE, true }, { "outcome", ROW_OUTCOME, false }, { "exit", ROW_EXIT, true }, { "kind", ROW_KIND, false }, { "thread", ROW_THREAD, false },
	{ "deviates_file", ROW_DEVIATES_FILE, false }, { "deviates_line", ROW_DEVIATES_LINE, true }, { "threads", ROW_THREADS, true },
	{ "after", ROW_AFTER, true }, { "latency", ROW_LATENCY, true }, { "latency_us", ROW_LATENCY_US, true }, { "ms", ROW_MS, true }, { "why", ROW_WHY, false },
	{ "began", ROW_BEGAN, false },
};
#define COLUMNS (sizeof columns / sizeof *columns)

static void csv_row(FILE *out, const struct db_query *q, const char *end)
{
	char again[9200];
	for (size_t i = 0; i < COLUMNS; i++) {
		if (columns[i].number)
			fprintf(out, "%" PRId64, db_number(q, columns[i].column));
		else
			csv_text(out, db_text(q, columns[i].column));
		fputc(',', out);
	}
	snprintf(again, sizeof again, CAMPAIGN_AGAIN "%" PRId64 "%s", db_number(q, ROW_ID), end);
	csv_text(out, again);
	fputc('\n', out);
}

int campaign_csv(struct db *db, const struct campaign_made *made, const struct campaign_names *n, const char *path, struct err *why)
{
	struct output out;
	char end[9000];
	struct db_query *q;
	int got;
	campaign_again(n, end, sizeof end);
	if (output_open(&out, path, FILE_REPORT, why) < 0)
		return -1;
	for (size_t i = 0; i < COLUMNS; i++)
		fprintf(out.file, "%s,", columns[i].name);
	fprintf(out.file, "again\n");
	if ((got = (made->complete ? campaign_rows : campaign_rows_all)(db, &q, why)) == 0) {
		while ((got = db_next(q, why)) > 0)
			csv_row(out.file, q, end);
		db_done(q);
	}
	return output_close(&out, got == 0, false, why) < 0 ? -1 : got;
}

/* ---- JSON ---- */

static void json_row(struct json *j, const struct db_query *q, const char *end)
{
	char again[9200];
	json_object(j);
	json_put_text(j, "type", "fault");
	for (size_t i = 0; i < COLUMNS; i++) {
		json_key(j, strcmp(columns[i].name, "type") ? columns[i].name : "fault_type");
		if (columns[i].number)
			json_signed(j, db_number(q, columns[i].column));
		else
			json_text(j, db_text(q, columns[i].column));
	}
	snprintf(again, sizeof again, CAMPAIGN_AGAIN "%" PRId64 "%s", db_number(q, ROW_ID), end);
	json_put_text(j, "again", again);
	json_end(j, '}');
	json_line(j);
}

static const char *const fate_keys[] = { "overwritten", "dead", "logically_masked", "never_activated", "unexplained" };

static void json_count(struct json *j, const struct campaign_count *c)
{
	json_object(j);
	json_put_text(j, "type", "outcomes");
	json_put_text(j, "fault_type", c->type);
	json_put_number(j, "runs", c->runs);
	json_key(j, "outcomes");
	json_array(j);
	for (int o = 0; o < BECAME_COUNT; o++) {
		struct interval v = wilson(c->by[o], c->runs);
		json_object(j);
		json_put_text(j, "outcome", became_words[o]);
		json_put_number(j, "count", c->by[o]);
		json_key(j, "share");
		json_real(j, v.share);
		json_key(j, "low");
		json_real(j, v.low);
		json_key(j, "high");
		json_real(j, v.high);
		json_end(j, '}');
	}
	json_end(j, ']');
	json_key(j, "masked_by");
	json_object(j);
	for (int i = 0; i < FATE_COUNT; i++)
		json_put_number(j, fate_keys[i], c->fates[i]);
	json_end(j, '}');
	json_end(j, '}');
	json_line(j);
}

static void json_begun(struct json *j, const campaign_begun *begun)
{
	uint64_t parted = 0;
	for (size_t i = 0; i < begun->count; i++)
		parted += !*begun->at[i].why ? begun->at[i].runs : 0;
	json_put_number(j, "from_site", parted);
	json_key(j, "from_start");
	json_array(j);
	for (size_t i = 0; i < begun->count; i++)
		if (*begun->at[i].why) {
			json_object(j);
			json_put_text(j, "why", begun->at[i].why);
			json_put_number(j, "runs", begun->at[i].runs);
			json_end(j, '}');
		}
	json_end(j, ']');
}

int campaign_json(struct db *db, const campaign_counts *counts, const campaign_begun *begun, const struct campaign_made *made,
	const struct campaign_names *n, struct err *why)
{
	char end[9000];
	struct json j;
	struct db_query *q;
	uint64_t runs = 0, early = 0, failed = 0;
	int got = campaign_rows(db, &q, why);
	campaign_again(n, end, sizeof end);
	json_init(&j, stdout);
	if (got == 0) {
		while ((got = db_next(q, why)) > 0)
			json_row(&j, q, end);
		db_done(q);
	}
	for (size_t i = 0; i < counts->count; i++) {
		json_count(&j, &counts->at[i]);
		runs += counts->at[i].runs;
		early += counts->at[i].early;
		failed += counts->at[i].failed;
	}
	json_summary(&j, stdout);
	json_put_text(&j, "command", "campaign");
	json_put_text(&j, "database", n->database);
	json_put_number(&j, "runs", runs);
	json_put_number(&j, "drawn", made->drawn);
	json_put_bool(&j, "complete", made->complete);
	json_put_number(&j, "early", early);
	json_put_number(&j, "failed", failed);
	json_begun(&j, begun);
	json_summary_end(&j);
	return got;
}
