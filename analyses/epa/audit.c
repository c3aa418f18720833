/* analyses/epa/audit.c -- see audit.h. */
#include "analyses/epa/audit.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analyses/epa/rows.h"
#include "base/mix.h"

typedef VEC(uint64_t) ids;

static int all_done(struct db *db, ids *out, struct err *why)
{
	struct db_query *q;
	int got = db_ask(db, &q, "select id from experiment where outcome is not null and outcome <> 'failed' order by id", why);
	if (got < 0)
		return -1;
	while ((got = db_next(q, why)) > 0)
		vec_push(out, (uint64_t)db_number(q, 0));
	db_done(q);
	if (got == 0 && !out->count) {
		err_set(why, "there is nothing to audit: no fault has an outcome yet");
		err_hint(why, "run the campaign first");
		why->code = 3;
		return -1;
	}
	return got;
}

/* The first `count` of a shuffled list: each set is as likely as any other. */
static void shuffle(ids *all, size_t count, uint64_t seed)
{
	for (size_t i = 0; i < count; i++) {
		size_t with = i + (size_t)mix_draw_below(&seed, all->count - i);
		uint64_t other = all->at[with];
		all->at[with] = all->at[i];
		all->at[i] = other;
	}
}

/* What is not the same though the outcome is; how long it took does not count. */
static int compare(struct campaign *k, struct audit_one *one, struct err *why)
{
	struct db_query *q;
	struct row_values now;
	if (db_ask(k->db, &q, "select outcome, exit, kind, thread, deviates_file, deviates_line, threads, after, latency from experiment where id = ?", why) < 0)
		return -1;
	db_give_number(q, 1, (int64_t)one->fault.id);
	int got = db_next(q, why);
	row_of(&one->now, &now);
	for (int i = 0; got > 0 && i < 9 && !one->differs; i++)
		if (strcmp(db_text(q, i), now.at[i]))
			one->differs = row_columns[i].name;
	db_done(q);
	return got < 0 ? -1 : 0;
}

static int audit_fault(struct campaign *k, uint64_t id, struct audit_one *one, struct audit *out, struct err *why)
{
	memset(one, 0, sizeof *one);
	if (campaign_find(k->db, id, &one->fault, one->before, why) < 0 || campaign_repeat(k, &one->fault, NULL, &one->now, why) < 0)
		return -1;
	out->made++;
	if (strcmp(one->before, became_words[one->now.outcome])) {
		out->differ++;
		return 0;
	}
	if (compare(k, one, why) < 0)
		return -1;
	out->same += !one->differs;
	out->details += one->differs != NULL;
	return 0;
}

int audit_run(struct campaign *k, uint64_t seed, audit_told told, void *with, struct audit *out, struct err *why)
{
	ids all = { 0 };
	struct audit_one one;
	memset(out, 0, sizeof *out);
	int got = all_done(k->db, &all, why);
	size_t count = (all.count * AUDIT_PERCENT + 99) / 100;
	out->of = all.count;
	if (got == 0)
		shuffle(&all, count, seed);
	for (size_t i = 0; i < count && got == 0; i++) {
		got = audit_fault(k, all.at[i], &one, out, why);
		if (got == 0 && !told(with, &one))
			break;
	}
	vec_release(&all);
	return got;
}
