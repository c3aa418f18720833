/* analyses/epa/rows.c -- see rows.h. */
#include "analyses/epa/rows.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyses/epa/campaign.h"
#include "base/digest.h"
#include "base/str.h"

const struct row_column row_columns[ROW_VALUES] = {
	{ "outcome", false }, { "exit", true }, { "kind", false }, { "thread", false }, { "deviates_file", false }, { "deviates_line", true }, { "threads", true },
	{ "after", true }, { "latency", true }, { "latency_us", true },
	{ "ms", true }, { "why", false }, { "began", false },
};

void row_of(const struct result *r, struct row_values *out)
{
	char began[sizeof r->anew + 16];
	snprintf(began, sizeof began, "%s%s", r->parted ? "site" : *r->anew ? "start: " : "", r->parted ? "" : r->anew);
	const char *texts[] = { r->failed ? "failed" : became_words[r->outcome], NULL, r->kind, r->thread, r->file, NULL, NULL, NULL, NULL, NULL, NULL, r->why, began };
	const int64_t numbers[] = { 0, r->exit, 0, 0, 0, r->line, r->threads, r->after, r->latency, r->latency_us, (int64_t)r->ms, 0, 0 };
	_Static_assert(sizeof texts / sizeof *texts == ROW_VALUES && sizeof numbers / sizeof *numbers == ROW_VALUES, "one for each column");
	for (int i = 0; i < ROW_VALUES; i++)
		if (row_columns[i].number)
			snprintf(out->at[i], sizeof out->at[i], "%" PRId64, numbers[i]);
		else
			snprintf(out->at[i], sizeof out->at[i], "%s", texts[i]);
}

int row_update(struct db *db, struct db_query **out, struct err *why)
{
	char sql[1000];
	struct sentence s = { sql, sizeof sql };
	str_say(&s, "update experiment set ");
	for (int i = 0; i < ROW_VALUES; i++)
		str_say(&s, "%s%s = ?%d", i ? ", " : "", row_columns[i].name, i + 1);
	str_say(&s, ", seal = ?%d where id = ?%d and outcome is null", ROW_VALUES + 2, ROW_VALUES + 1);
	return db_ask(db, out, sql, why);
}

int row_check(uint64_t id, const char *outcome, struct err *why)
{
	if (became_of(outcome) >= 0 || !strcmp(outcome, "failed"))
		return 0;
	err_set(why, "fault %" PRIu64 " has the outcome '%.40s', which no run can have: the database was altered", id, outcome);
	err_hint(why, "run the campaign again with another database, or use a copy that was kept");
	why->code = 3;
	return -1;
}

static int altered(uint64_t id, struct err *why)
{
	err_set(why, "fault %" PRIu64 " has another outcome than was written: the database was altered", id);
	err_hint(why, "run the campaign again with another database, or use a copy that was kept");
	why->code = 3;
	return -1;
}

/* Of id and values.  Nobody's secret: it tells what was changed, not what was made up from the beginning. */
static void seal(uint64_t id, const struct row_values *v, char into[DIGEST_ROOM])
{
	struct digest d;
	char number[32];
	snprintf(number, sizeof number, "%" PRIu64, id);
	digest_begin(&d);
	digest_text(&d, number);
	for (int i = 0; i < ROW_VALUES; i++) {
		snprintf(number, sizeof number, "%lld", row_columns[i].number ? strtoll(v->at[i], NULL, 10) : 0);
		digest_text(&d, row_columns[i].number ? number : v->at[i]);
	}
	digest_end(&d, into);
}

int row_sealed(struct db *db, struct db_query **out, struct err *why)
{
	char sql[1000];
	struct sentence s = { sql, sizeof sql };
	str_say(&s, "select id, seal");
	for (int i = 0; i < ROW_VALUES; i++)
		str_say(&s, ", %s", row_columns[i].name);
	str_say(&s, " from experiment where outcome is not null");
	return db_ask(db, out, sql, why);
}

int row_check_seal(const struct db_query *row, struct err *why)
{
	struct row_values v;
	char now[DIGEST_ROOM];
	uint64_t id = (uint64_t)db_number(row, 0);
	for (int i = 0; i < ROW_VALUES; i++) {
		const char *text = db_text(row, i + 2);
		if (row_columns[i].number)
			snprintf(v.at[i], sizeof v.at[i], "%" PRId64, db_number(row, i + 2));
		else if (snprintf(v.at[i], sizeof v.at[i], "%s", text ? text : "") >= (int)sizeof v.at[i])
			return altered(id, why);
	}
	seal(id, &v, now);
	const char *was = db_text(row, 1);
	return was && !strcmp(was, now) ? 0 : altered(id, why);
}

int row_keep(struct db_query *q, uint64_t id, const struct row_values *v, struct err *why)
{
	char sealed[DIGEST_ROOM];
	if (row_check(id, v->at[0], why) < 0)
		return -1;
	seal(id, v, sealed);
	for (int i = 0; i < ROW_VALUES; i++)
		if (row_columns[i].number)
			db_give_number(q, i + 1, strtoll(v->at[i], NULL, 10));
		else
			db_give_text(q, i + 1, v->at[i]);
	db_give_number(q, ROW_VALUES + 1, (int64_t)id);
	db_give_text(q, ROW_VALUES + 2, sealed);
	return db_next(q, why);
}

void row_digest(const struct db_query *row, char into[])
{
	static const int texts[] = { ROW_TYPE, ROW_FAULT, ROW_SITE, ROW_OUTCOME, ROW_KIND, ROW_THREAD, ROW_DEVIATES_FILE, ROW_FILE, ROW_WHY },
		numbers[] = { ROW_ID, ROW_LINE, ROW_EXIT, ROW_DEVIATES_LINE, ROW_THREADS, ROW_AFTER, ROW_LATENCY };
	struct digest d;
	digest_begin(&d);
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
		digest_text(&d, db_text(row, texts[i]));
	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
		char number[32];
		snprintf(number, sizeof number, "%" PRId64, db_number(row, numbers[i]));
		digest_text(&d, number);
	}
	digest_end(&d, into);
}
