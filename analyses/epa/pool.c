/* analyses/epa/pool.c -- see pool.h. */
#include "analyses/epa/pool.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "analyses/epa/identity.h"
#include "analyses/epa/rows.h"
#include "base/clock.h"
#include "base/json.h"
#include "base/str.h"
#include "drive/guardian.h"

#define FILL_ROWS   5000
#define TRIES       3
#define FAILS_MOST  10u
#define SWEEP_ROWS  5000
#define ASK_MS      500u

/* ---- filling ---- */

/* To alter a table keeps everybody else out of it: that is done once, to one made before there was such a column. */
static int make_tables(struct pg *pg, struct err *why)
{
	char sql[2000];
	struct sentence s = { sql, sizeof sql };
	str_say(&s, "create table if not exists raddle_campaign (id text primary key, program text, faults bigint, made timestamptz default now(), ended boolean default false);"
		"create table if not exists raddle_experiment (campaign text references raddle_campaign, id bigint, type text, fault text, site text, file text, line bigint,"
		" worker text, leased_until timestamptz, tries integer default 0");
	for (int i = 0; i < ROW_VALUES; i++)
		str_say(&s, ", %s %s", row_columns[i].name, row_columns[i].number ? "bigint" : "text");
	str_say(&s, ", primary key (campaign, id)); "
		"do $$ begin if not exists (select 1 from information_schema.columns where table_name = 'raddle_experiment' and column_name = 'began') then"
		" alter table raddle_experiment add column began text; end if; end $$;"
		"create index if not exists raddle_undone on raddle_experiment (campaign, id) where outcome is null");
	return pg_do(pg, sql, why);
}

/* Rows from `from` on, as JSON; how many. */
static int take_rows(struct db *db, uint64_t from, char **text, uint64_t *count, struct err *why)
{
	struct db_query *q;
	struct json j;
	size_t bytes;
	FILE *memory = open_memstream(text, &bytes);
	check(memory);
	*count = 0;
	int got = db_ask(db, &q, "select id, type, fault, site, file, line from experiment where id > ? order by id limit ?", why);
	json_init(&j, memory);
	json_array(&j);
	if (got == 0) {
		db_give_number(q, 1, (int64_t)from);
		db_give_number(q, 2, FILL_ROWS);
		while ((got = db_next(q, why)) > 0) {
			static const char *const texts[] = { "type", "fault", "site", "file" };
			json_object(&j);
			json_put_number(&j, "id", (uint64_t)db_number(q, 0));
			for (int i = 0; i < 4; i++)
				json_put_text(&j, texts[i], db_text(q, i + 1));
			json_put_number(&j, "line", (uint64_t)db_number(q, 5));
			json_end(&j, '}');
			++*count;
		}
		db_done(q);
	}
	json_end(&j, ']');
	check(fclose(memory) == 0);
	return got;
}

static int fill_rows(struct pool *p, struct err *why)
{
	uint64_t from = 0, count = FILL_ROWS;
	int got = 0;
	while (got == 0 && count == FILL_ROWS) {
		char *text = NULL;
		got = take_rows(p->k->db, from, &text, &count, why);
		const char *const values[] = { p->id, text };
		if (got == 0)
			got = pg_ask(p->pg, NULL, "insert into raddle_experiment (campaign, id, type, fault, site, file, line) select $1, x.* from json_to_recordset($2::json)"
				" as x(id bigint, type text, fault text, site text, file text, line bigint)", 2, values, why);
		free(text);
		from += count;
	}
	return got;
}

/* In one transaction, under a lock: whoever comes second finds it filled. */
static int fill(struct pool *p, const char *program, struct err *why)
{
	struct err ignored;
	struct pg_rows *rows = NULL;
	char faults[32];
	const char *const values[] = { p->id, program, faults };
	snprintf(faults, sizeof faults, "%" PRIu64, p->k->total);
	int got = pg_do(p->pg, "begin; select pg_advisory_xact_lock(7235441)", why);
	if (got == 0)
		got = make_tables(p->pg, why);
	if (got == 0)
		got = pg_ask(p->pg, &rows, "insert into raddle_campaign (id, program, faults) values ($1, $2, $3) on conflict do nothing", 3, values, why);
	if (got == 0 && pg_changed(rows) == 1)
		got = fill_rows(p, why);
	pg_done(rows);
	return got == 0 ? pg_do(p->pg, "commit", why) : (pg_do(p->pg, "rollback", &ignored), -1);
}

int pool_open(struct pool *p, struct campaign *k, struct pg *pg, const char *config_path, uint64_t lease_seconds, bool collects, struct err *why)
{
	struct identity identity;
	char host[100] = "?";
	uint64_t number = 0;
	*p = (struct pool){ .k = k, .pg = pg, .collects = collects, .lease_ms = 1000 * lease_seconds };
	gethostname(host, sizeof host - 1);
	check(getrandom(&number, sizeof number, 0) == sizeof number);
	snprintf(p->worker, sizeof p->worker, "%s:%ld:%016" PRIx64, host, (long)guardian_front(), number);
	snprintf(p->lease, sizeof p->lease, "%" PRIu64 " seconds", lease_seconds);
	int got = identity_make(&identity, k, config_path, why);
	if (got == 0)
		snprintf(p->id, sizeof p->id, "%s", identity.whole);
	identity_release(&identity);
	return got == 0 ? fill(p, k->config->argv.at[0], why) : -1;
}

void pool_close(struct pool *p)
{
	vec_release(&p->taken);
}

/* ---- taking faults, giving outcomes ---- */

static int lease(struct pool *p, unsigned count, struct err *why)
{
	char number[32];
	const char *const values[] = { p->id, p->worker, p->lease, number };
	struct pg_rows *rows;
	snprintf(number, sizeof number, "%u", count);
	if (pg_ask(p->pg, &rows, "update raddle_experiment e set worker = $2, leased_until = clock_timestamp() + $3::interval, tries = tries + 1 from"
		" (select id from raddle_experiment where campaign = $1 and outcome is null and (leased_until is null or leased_until < clock_timestamp())"
		" and not (select ended from raddle_campaign where id = $1) order by id limit $4 for update skip locked) free"
		" where e.campaign = $1 and e.id = free.id returning e.id, type, fault, site, file, line", 4, values, why) < 0)
		return -1;
	for (size_t i = 0; i < pg_count(rows); i++) {
		struct experiment *e = vec_add(&p->taken);
		e->id = (uint64_t)pg_number(rows, i, 0);
		snprintf(e->type, sizeof e->type, "%s", pg_text(rows, i, 1));
		snprintf(e->fault, sizeof e->fault, "%s", pg_text(rows, i, 2));
		snprintf(e->site, sizeof e->site, "%s", pg_text(rows, i, 3));
		snprintf(e->file, sizeof e->file, "%s", pg_text(rows, i, 4));
		e->line = (uint32_t)pg_number(rows, i, 5);
	}
	pg_done(rows);
	return 0;
}

static int pool_next(void *with, unsigned room, struct experiment *e, struct err *why)
{
	struct pool *p = with;
	if (!p->taken.count && lease(p, room, why) < 0)
		return -1;
	if (!p->taken.count)
		return 0;
	*e = p->taken.at[--p->taken.count];
	return 1;
}

/* To somebody else, if it was tried less than three times.  1 it is, 0 it was tried often enough, -1 and why. */
static int hand_on(struct pool *p, const char *id, const struct result *r, struct err *why)
{
	const char *const values[] = { p->id, id, p->worker };
	struct pg_rows *rows;
	if (++p->in_a_row == FAILS_MOST) {
		err_set(why, "%u runs in a row could not be made here: %.300s", FAILS_MOST, r->why);
		why->code = 4;
		return -1;
	}
	if (pg_ask(p->pg, &rows, "update raddle_experiment set worker = null, leased_until = null where campaign = $1 and id = $2 and worker = $3 and outcome is null and tries < 3",
		3, values, why) < 0)
		return -1;
	_Static_assert(TRIES == 3, "it stands in the statement");
	int changed = pg_changed(rows) > 0;
	pg_done(rows);
	return changed;
}

static int pool_keep(void *with, uint64_t id, const struct result *r, struct err *why)
{
	struct pool *p = with;
	struct row_values row;
	struct pg_rows *rows;
	const char *values[ROW_VALUES + 2];
	char sql[1000], number[32];
	struct sentence s = { sql, sizeof sql };
	snprintf(number, sizeof number, "%" PRIu64, id);
	int handed = r->failed ? hand_on(p, number, r, why) : 0;
	if (handed)
		return handed < 0 ? -1 : 0;
	row_of(r, &row);
	str_say(&s, "update raddle_experiment set ");
	for (int i = 0; i < ROW_VALUES; i++) {
		str_say(&s, "%s%s = $%d", i ? ", " : "", row_columns[i].name, i + 1);
		values[i] = row.at[i];
	}
	str_say(&s, " where campaign = $%d and id = $%d and outcome is null", ROW_VALUES + 1, ROW_VALUES + 2);
	values[ROW_VALUES] = p->id;
	values[ROW_VALUES + 1] = number;
	if (pg_ask(p->pg, &rows, sql, ROW_VALUES + 2, values, why) < 0)
		return -1;
	p->made += pg_changed(rows);
	p->in_a_row = r->failed ? p->in_a_row : 0;
	pg_done(rows);
	return 0;
}

/* ---- from time to time ---- */

static int renew(struct pool *p, struct err *why)
{
	const char *const values[] = { p->id, p->worker, p->lease };
	if (clock_ms() < p->renewed + p->lease_ms / 3)
		return 0;
	p->renewed = clock_ms();
	return pg_ask(p->pg, NULL, "update raddle_experiment set leased_until = clock_timestamp() + $3::interval where campaign = $1 and worker = $2 and outcome is null", 3, values,
		why);
}

/* What is known there, into our own database. */
static int sweep(struct pool *p, struct err *why)
{
	char sql[1000], from[32] = "0", limit[32];
	struct sentence s = { sql, sizeof sql };
	struct db_query *keep;
	struct err ignored;
	size_t count = SWEEP_ROWS;
	snprintf(limit, sizeof limit, "%d", SWEEP_ROWS);
	str_say(&s, "select id");
	for (int i = 0; i < ROW_VALUES; i++)
		str_say(&s, ", %s", row_columns[i].name);
	str_say(&s, " from raddle_experiment where campaign = $1 and outcome is not null and id > $2 order by id limit $3");
	int got = row_update(p->k->db, &keep, why);
	if (got == 0)
		got = db_do(p->k->db, "begin immediate", why);
	while (got == 0 && count == SWEEP_ROWS) {
		const char *const values[] = { p->id, from, limit };
		struct pg_rows *rows;
		if ((got = pg_ask(p->pg, &rows, sql, 3, values, why)) < 0)
			break;
		count = pg_count(rows);
		for (size_t r = 0; r < count && got == 0; r++) {
			struct row_values row;
			for (int i = 0; i < ROW_VALUES; i++)
				snprintf(row.at[i], sizeof row.at[i], "%s", pg_text(rows, r, i + 1));
			got = row_keep(keep, (uint64_t)pg_number(rows, r, 0), &row, why);
		}
		if (count)
			snprintf(from, sizeof from, "%s", pg_text(rows, count - 1, 0));
		pg_done(rows);
	}
	db_done(keep);
	return got == 0 ? db_do(p->k->db, "commit", why) : (db_do(p->k->db, "rollback", &ignored), -1);
}

static int pool_tick(void *with, struct err *why)
{
	struct pool *p = with;
	const char *const values[] = { p->id };
	struct pg_rows *rows;
	if (renew(p, why) < 0)
		return -1;
	uint64_t round = 20 * p->k->config->types.count;        /* enough to ask whether that does */
	if (p->asked && clock_ms() < p->asked + ASK_MS && (p->k->config->until == 0 || p->made < p->made_then + round))
		return p->more;
	p->asked = clock_ms();
	p->made_then = p->made;
	if (pg_ask(p->pg, &rows, "select count(outcome), count(*) - count(outcome), (select ended::integer from raddle_campaign where id = $1) from raddle_experiment where campaign = $1", 1,
		values, why) < 0)
		return -1;
	uint64_t rounds = p->k->done / round;
	p->k->done = (uint64_t)pg_number(rows, 0, 0);
	p->more = pg_number(rows, 0, 1) > 0 && !pg_number(rows, 0, 2);
	pg_done(rows);
	if (p->collects && p->k->config->until > 0 && p->k->done / round != rounds && sweep(p, why) < 0)
		return -1;
	return p->more;
}

/* What is not begun, or will not be ended, goes to others at once. */
static int give_back(struct pool *p, struct err *why)
{
	const char *const values[] = { p->id, p->worker };
	return pg_ask(p->pg, NULL, "update raddle_experiment set worker = null, leased_until = null where campaign = $1 and worker = $2 and outcome is null", 2, values, why);
}

int pool_run(struct pool *p, unsigned jobs, campaign_told told, void *with, struct err *why)
{
	struct campaign_source from = { p, pool_next, pool_keep, pool_tick };
	struct err ignored;
	const char *const values[] = { p->id };
	int got = campaign_run_from(p->k, &from, jobs, told, with, why);
	if (give_back(p, got < 0 ? &ignored : why) < 0 || got < 0)
		return -1;
	if (p->collects && got == 0 && pg_ask(p->pg, NULL, "update raddle_campaign set ended = true where id = $1", 1, values, why) < 0)
		return -1;
	if (p->collects && sweep(p, why) < 0)
		return -1;
	return got;
}
