/* cli/campaign_html.c -- see campaign_html.h. */
#include "cli/campaign_html.h"

#include <inttypes.h>
#include <string.h>

#include "analyses/epa/picture.h"
#include "base/buffer.h"
#include "base/str.h"
#include "cli/output.h"
#include "wire/version.h"

void campaign_again(const struct campaign_names *n, char *into, size_t room)
{
	struct sentence s = { into, room };
	char word[4200];
	if (n->own_database)
		str_say(&s, " --database=%s", str_shell(word, sizeof word, n->database));
	str_say(&s, " %s", str_shell(word, sizeof word, n->file));
}

static const char *kept(struct coverage *page, const char *text)
{
	return names_text(&page->texts, coverage_text(page, text));
}

static void say_about(struct buffer *b, const struct campaign_config *c, const char *file)
{
	static const char *const ways[] = { "uniform over everything executed", "per function", "per kind of instruction", "stratified by function and kind" };
	buffer_print(b, "%s:", file);
	for (size_t i = 0; c->argv.at[i]; i++)
		buffer_print(b, " %s", c->argv.at[i]);
	buffer_print(b, "; sites drawn %s, seed %" PRIu64, ways[c->draw], c->seed);
	if (c->until > 0)
		buffer_print(b, ", until every interval is at most %g wide", c->until);
	buffer_add(b, "", 1);
}

static const char *say_masked(struct coverage *page, const uint64_t fates[FATE_COUNT])
{
	char text[300] = "", n[STR_NUMBER];
	struct sentence s = { text, sizeof text };
	uint64_t any = 0;
	for (int i = 0; i < FATE_COUNT; i++)
		any += fates[i];
	for (int i = 0; i < FATE_COUNT && any; i++)
		if (fates[i] || i == FATE_UNEXPLAINED)
			str_say(&s, "%s %s%s", fate_words[i], str_grouped(n, fates[i]), i == FATE_UNEXPLAINED ? "" : ", ");
	return kept(page, text);
}

static void take_fault(struct coverage *page, struct coverage_program *p, uint64_t fates[FATE_COUNT], const struct db_query *q)
{
	int outcome = became_of(db_text(q, ROW_OUTCOME));
	char where[400];
	if (outcome < 0) {
		p->failed++;
		return;
	}
	if (outcome == BECAME_MASKED)
		fates[fate_said(db_text(q, ROW_WHY))]++;
	p->early += db_number(q, ROW_AFTER) < -1;
	snprintf(where, sizeof where, "%s:%" PRId64, db_text(q, ROW_DEVIATES_FILE), db_number(q, ROW_DEVIATES_LINE));
	vec_push(&p->faults, ((struct coverage_fault){ .id = (uint64_t)db_number(q, ROW_ID), .type = coverage_text(page, db_text(q, ROW_TYPE)),
		.fault = coverage_text(page, db_text(q, ROW_FAULT)), .site = coverage_text(page, db_text(q, ROW_SITE)), .file = coverage_text(page, db_text(q, ROW_FILE)),
		.line = (uint32_t)db_number(q, ROW_LINE), .outcome = (uint32_t)outcome, .reason = coverage_text(page, outcome < BECAME_LATENT ? db_text(q, ROW_WHY) : ""), .kind = coverage_text(page, db_text(q, ROW_KIND)),
		.thread = coverage_text(page, db_text(q, ROW_THREAD)), .where = coverage_text(page, *db_text(q, ROW_DEVIATES_FILE) ? where : ""),
		.after = db_number(q, ROW_AFTER), .latency = db_number(q, ROW_LATENCY), .latency_us = db_number(q, ROW_LATENCY_US), .exit = db_number(q, ROW_EXIT), .ms = db_number(q, ROW_MS) }));
}

static int take_faults(struct coverage *page, struct coverage_program *p, struct db *db, struct err *why)
{
	struct db_query *q;
	uint64_t fates[FATE_COUNT] = { 0 };
	int got = campaign_rows(db, &q, why);
	if (got < 0)
		return -1;
	while ((got = db_next(q, why)) > 0)
		take_fault(page, p, fates, q);
	db_done(q);
	p->masked = say_masked(page, fates);
	if (got == 0 && (got = db_ask(db, &q, "select count(*) from experiment", why)) == 0) {
		while ((got = db_next(q, why)) > 0)
			p->drawn = (uint64_t)db_number(q, 0);
		db_done(q);
	}
	return got;
}

static int take_pictures(struct coverage_program *p, struct db *db, struct err *why)
{
	struct db_query *q;
	int got = pictures_rows(db, &q, why);
	if (got < 0)
		return -1;
	while ((got = db_next(q, why)) > 0) {
		const char *text = db_text(q, 1);
		struct coverage_shown s = { .id = (uint64_t)db_number(q, 0) };
		if (picture_read(&s.picture, text, strlen(text)) < 0) {
			err_set(why, "the picture of fault %" PRIu64 " in the database is damaged", s.id);
			err_hint(why, "delete the row of table 'picture'; it is made again");
			why->code = 3;
			got = -1;
			break;
		}
		vec_push(&p->shown, s);
	}
	db_done(q);
	return got;
}

int coverage_add(struct coverage *page, struct db *db, const struct campaign_config *c, const struct campaign_names *n,
	const struct campaign_made *made, struct err *why)
{
	struct buffer about = { 0 };
	char end[9000];
	const char *slash = strrchr(c->argv.at[0], '/');
	struct coverage_program *p = vec_add(&page->programs);
	say_about(&about, c, n->file);
	campaign_again(n, end, sizeof end);
	p->name = kept(page, slash ? slash + 1 : c->argv.at[0]);
	p->about = kept(page, (const char *)about.at);
	p->again = CAMPAIGN_AGAIN;
	p->cut_off = !made->complete;
	p->again_end = kept(page, end);
	buffer_release(&about);
	return take_faults(page, p, db, why) < 0 || take_pictures(p, db, why) < 0 ? -1 : 0;
}

int coverage_write(struct coverage *page, const char *path, struct err *why)
{
	struct output out;
	page->outcomes = became_words;
	page->version = RADDLE_VERSION;
	_Static_assert(BECAME_COUNT == COVERAGE_OUTCOMES && BECAME_LATENT == COVERAGE_DEVIATES, "the page has their colours");
	if (output_open(&out, path, FILE_REPORT, why) < 0)
		return -1;
	coverage_html(page, out.file);
	return output_close(&out, true, false, why);
}
