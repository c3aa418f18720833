/* analyses/epa/campaign.c -- see campaign.h.  What a database has, who may write to it; trying faults is jobs.c's. */
#include "analyses/epa/campaign.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "analyses/epa/rows.h"
#include "base/digest.h"
#include "base/file.h"
#include "base/str.h"
#include "drive/guardian.h"

/* ---- the database ---- */

static const char tables[] =
	"create table if not exists about (key text primary key, value text);"
	"create table if not exists experiment (id integer primary key, type text, fault text, site text, file text, line integer, outcome text,"
	" exit integer, kind text, thread text, deviates_file text, deviates_line integer, threads integer, after integer, latency integer, ms integer, why text);"
	"create table if not exists picture (id integer primary key, spread text);"
	"create index if not exists undone on experiment (id) where outcome is null;";

static int check_about(struct db *db, struct err *why);
static int check_list(struct db *db, struct err *why);
static int check_outcomes(struct db *db, struct err *why);
static int check_seals(struct db *db, struct err *why);

/* Columns that came later: a database made before them gets them now. */
static int add_column(struct db *db, const char *name, const char *type, struct err *why)
{
	struct db_query *q;
	char sql[200];
	if (db_ask(db, &q, "select 1 from pragma_table_info('experiment') where name = ?", why) < 0)
		return -1;
	db_give_text(q, 1, name);
	int there = db_next(q, why);
	db_done(q);
	snprintf(sql, sizeof sql, "alter table experiment add column %s %s", name, type);
	return there ? (there < 0 ? -1 : 0) : db_do(db, sql, why);
}

/* A database that has tables has ours, or it is somebody else's and is left alone. */
static int check_owner(struct db *db, struct err *why)
{
	struct db_query *q;
	if (db_ask(db, &q, "select (select count(*) from sqlite_master), (select count(*) from pragma_table_info('experiment') where name in ('id', 'fault', 'site', 'outcome')),"
		" (select count(*) from pragma_table_info('about') where name in ('key', 'value'))", why) < 0)
		return -1;
	int got = db_next(q, why);
	bool good = got > 0 && (db_number(q, 0) == 0 || (db_number(q, 1) == 4 && db_number(q, 2) == 2));
	db_done(q);
	if (got > 0 && !good) {
		err_set(why, "the database has other tables than a campaign's");
		err_hint(why, "it was left as it is; give the campaign one of its own: --database=<file>");
		why->code = 3;
	}
	return good ? 0 : -1;
}

int campaign_tables(struct db *db, struct err *why)
{
	if (check_owner(db, why) < 0)
		return -1;
	if (db_do(db, tables, why) < 0 || add_column(db, "latency_us", "integer", why) < 0 || add_column(db, "began", "text", why) < 0 ||
			add_column(db, "seal", "text", why) < 0)
		return -1;
	return check_about(db, why) < 0 || check_list(db, why) < 0 || check_outcomes(db, why) < 0 ? -1 : check_seals(db, why);
}

int campaign_list(struct db *db, char into[DIGEST_ROOM], struct err *why)
{
	struct db_query *q;
	struct digest d;
	int got = db_ask(db, &q, "select id, type, fault, site from experiment order by id", why);
	if (got < 0)
		return -1;
	digest_begin(&d);
	while ((got = db_next(q, why)) > 0)
		for (int column = 0; column < 4; column++)
			digest_text(&d, db_text(q, column));
	db_done(q);
	digest_end(&d, into);
	return got;
}

static int about(struct db *db, const char *key, char *into, size_t room, struct err *why)
{
	struct db_query *q;
	into[0] = 0;
	if (db_ask(db, &q, "select value from about where key = ?", why) < 0)
		return -1;
	db_give_text(q, 1, key);
	int got = db_next(q, why);
	if (got > 0)
		snprintf(into, room, "%s", db_text(q, 0));
	db_done(q);
	return got;
}

static int note(struct db *db, const char *key, const char *value, struct err *why)
{
	struct db_query *q;
	if (db_ask(db, &q, "insert into about values (?, ?)", why) < 0)
		return -1;
	db_give_text(q, 1, key);
	db_give_text(q, 2, value);
	int got = db_next(q, why);
	db_done(q);
	return got;
}

static int insert_all(struct db *db, const experiment_list *all, struct err *why)
{
	struct db_query *q;
	if (db_ask(db, &q, "insert into experiment (id, type, fault, site, file, line) values (?, ?, ?, ?, ?, ?)", why) < 0)
		return -1;
	int got = 0;
	for (size_t i = 0; i < all->count && got == 0; i++) {
		const struct experiment *e = &all->at[i];
		db_give_number(q, 1, (int64_t)e->id);
		db_give_text(q, 2, e->type);
		db_give_text(q, 3, e->fault);
		db_give_text(q, 4, e->site);
		db_give_text(q, 5, e->file);
		db_give_number(q, 6, e->line);
		got = db_next(q, why);
	}
	db_done(q);
	return got;
}

/* All it was made of stands there since its first moment, or nothing is there yet. */
static int check_about(struct db *db, struct err *why)
{
	struct db_query *q;
	if (db_ask(db, &q, "select (select count(*) from about where key in ('config', 'program', 'inputs', 'golden', 'list')), (select count(*) from experiment)", why) < 0)
		return -1;
	int got = db_next(q, why);
	bool whole = got > 0 && db_number(q, 0) == 5, none = got > 0 && !db_number(q, 0) && !db_number(q, 1);
	db_done(q);
	if (got > 0 && !whole && !none) {
		err_set(why, "the database does not say what its campaign is made of: rows of table 'about' are gone, or raddle was older");
		err_hint(why, "run the campaign again with another --database, or use a copy that was kept");
		why->code = 3;
	}
	return whole || none ? 0 : -1;
}

/* Whoever takes a fault out of the list, or puts one in, makes another campaign of it.  Databases of earlier versions do not say. */
static int check_list(struct db *db, struct err *why)
{
	char was[DIGEST_ROOM], now[DIGEST_ROOM];
	int known = about(db, "list", was, sizeof was, why);
	if (known <= 0 || campaign_list(db, now, why) < 0)
		return known <= 0 ? known : -1;
	if (!strcmp(was, now))
		return 0;
	err_set(why, "the list of faults in the database is not the one that was drawn: some are gone, or were altered");
	err_hint(why, "run the campaign again with another --database, or use a copy that was kept");
	why->code = 3;
	return -1;
}

/* Only what a run can come to is counted. */
static int check_outcomes(struct db *db, struct err *why)
{
	struct db_query *q;
	int got = db_ask(db, &q, "select outcome, min(id) from experiment where outcome is not null group by outcome order by 2", why);
	if (got < 0)
		return -1;
	while ((got = db_next(q, why)) > 0 && (got = row_check((uint64_t)db_number(q, 1), db_text(q, 0), why)) == 0)
		;
	db_done(q);
	return got;
}

/* And only what raddle wrote.  Databases of earlier versions have no seals, and do not say they have. */
static int check_seals(struct db *db, struct err *why)
{
	struct db_query *q;
	char sealed[8];
	int got = about(db, "sealed", sealed, sizeof sealed, why);
	if (got <= 0 || row_sealed(db, &q, why) < 0)
		return got <= 0 ? got : -1;
	while ((got = db_next(q, why)) > 0 && (got = row_check_seal(q, why)) == 0)
		;
	db_done(q);
	return got;
}

/* One hash for all files it reads, in the order of the configuration. */
static int digest_inputs(const struct campaign_config *c, const char *folder, char into[DIGEST_ROOM], struct err *why)
{
	struct digest d;
	digest_begin(&d);
	const char *schedule = c->schedule && strcmp(c->schedule, "first") ? c->schedule : "";
	for (size_t i = 0; i <= c->needs.count + (*schedule != 0); i++) {
		const char *file = !i ? c->input : i <= c->needs.count ? c->needs.at[i - 1] : schedule;
		char path[8192], hash[DIGEST_ROOM] = "";
		snprintf(path, sizeof path, "%s%s%s", *file == '/' ? "" : folder, *file == '/' ? "" : "/", file);
		if (*file && digest_file(path, hash, why) < 0)
			return -1;
		digest_text(&d, hash);
	}
	digest_end(&d, into);
	return 0;
}

/* The list of faults, and what it was drawn for, in one step. */
static int begin(struct campaign *k, const char *inputs, struct err *why)
{
	experiment_list all = { 0 };
	char list[DIGEST_ROOM];
	int got = draw_all(&all, k->config, &k->golden, why);
	if (got == 0)
		got = db_do(k->db, "begin immediate", why);
	if (got == 0) {
		got = note(k->db, "config", k->config->hash, why);
		if (got == 0)
			got = note(k->db, "program", k->golden.places.build_id, why);
		if (got == 0)
			got = note(k->db, "inputs", inputs, why);
		if (got == 0)
			got = note(k->db, "golden", k->golden.digest, why);
		if (got == 0)
			got = note(k->db, "sealed", "yes", why);
		if (got == 0)
			got = insert_all(k->db, &all, why);
		if (got == 0 && (got = campaign_list(k->db, list, why)) == 0)
			got = note(k->db, "list", list, why);
		struct err ignored;
		got = got == 0 ? db_do(k->db, "commit", why) : (db_do(k->db, "rollback", &ignored), -1);
	}
	vec_release(&all);
	return got;
}

static int other_campaign(const char *database, const char *what, struct err *why)
{
	err_set(why, "'%.200s' has a campaign of another %s", database, what);
	err_hint(why, "give it a database of its own: --database=<file>");
	why->code = 3;
	return -1;
}

static int other_golden(const char *database, struct err *why)
{
	err_set(why, "'%.200s' has a campaign held against another run without a fault: what the program reads, its environment or a library has changed", database);
	err_hint(why, "make it as it was, or give it a database of its own: --database=<file>");
	why->code = 3;
	return -1;
}

static int count_rows(struct campaign *k, struct err *why)
{
	struct db_query *q;
	if (db_ask(k->db, &q, "select count(*), count(outcome) from experiment", why) < 0)
		return -1;
	int got = db_next(q, why);
	if (got > 0) {
		k->total = (uint64_t)db_number(q, 0);
		k->done = (uint64_t)db_number(q, 1);
	}
	db_done(q);
	return got < 0 ? -1 : 0;
}

#define ENDING_MS 60000                         /* at most, for runs of a campaign that was killed to be gone */

/* Does it say the number of a process that lives? */
static bool holder_lives(int lock)
{
	char text[32] = "";
	if (pread(lock, text, sizeof text - 1, 0) <= 0)
		return true;
	long pid = strtol(text, NULL, 10);
	return pid <= 0 || kill((pid_t)pid, 0) == 0 || errno != ESRCH;
}

/* A campaign that was killed leaves runs that are about to end; they have its lock until they have. */
static bool lock_comes(int lock)
{
	for (int waited = 0; flock(lock, LOCK_EX | LOCK_NB) < 0; waited += 10) {
		if (errno != EINTR && (errno != EWOULDBLOCK || waited >= ENDING_MS || holder_lives(lock)))
			return false;
		poll(NULL, 0, 10);
	}
	char text[32];
	int length = snprintf(text, sizeof text, "%ld\n", (long)guardian_front());
	return ftruncate(lock, 0) == 0 && pwrite(lock, text, (size_t)length, 0) == length;
}

/* Who else works on it is told so by the lock; the folder for its runs lies beside it. */
static int take_lock(struct campaign *k, const char *database, char work[4096], struct err *why)
{
	char folder[2048] = "", path[4096];
	if (*database != '/' && !getcwd(folder, sizeof folder - 1))
		return err_set(why, "cannot tell where we are: %s", str_error(errno));
	snprintf(work, 4096, "%s%s%.1500s-work", folder, *folder ? "/" : "", database);
	snprintf(path, sizeof path, "%s-lock", database);
	k->lock = file_keep(path, why);
	if (k->lock < 0)
		return -1;
	if (lock_comes(k->lock))
		return 0;
	err_set(why, "another campaign works on '%.200s'", database);
	why->code = 2;
	return -1;
}

int campaign_open(struct campaign *k, const struct campaign_config *c, const char *database, struct err *why)
{
	char config[64], program[64], inputs[DIGEST_ROOM], golden[DIGEST_ROOM], now[DIGEST_ROOM], work[4096];
	memset(k, 0, sizeof *k);
	k->config = c;
	k->lock = -1;
	if (take_lock(k, database, work, why) < 0 || db_open(&k->db, database, why) < 0 || campaign_tables(k->db, why) < 0)
		return -1;
	int known = about(k->db, "config", config, sizeof config, why);
	if (known < 0 || about(k->db, "program", program, sizeof program, why) < 0 || about(k->db, "inputs", inputs, sizeof inputs, why) < 0 ||
		about(k->db, "golden", golden, sizeof golden, why) < 0)
		return -1;
	if (known && strcmp(config, c->hash))
		return other_campaign(database, "configuration", why);
	if (golden_run_make(&k->golden, c, work, why) < 0)
		return -1;
	if (known && strcmp(program, k->golden.places.build_id))
		return other_campaign(database, "build of the program", why);
	if (digest_inputs(c, k->golden.folder, now, why) < 0)
		return -1;
	if (known && *inputs && strcmp(inputs, now))
		return other_campaign(database, "input", why);
	if (known && *golden && strcmp(golden, k->golden.digest))
		return other_golden(database, why);
	if (!known && begin(k, now, why) < 0)
		return -1;
	return count_rows(k, why);
}

void campaign_close(struct campaign *k)
{
	golden_run_release(&k->golden);
	db_close(k->db);
	if (k->lock >= 0)
		close(k->lock);
}

/* ---- asking it ---- */

int campaign_begun_in(struct db *db, struct err *why)
{
	char config[64];
	return about(db, "config", config, sizeof config, why);
}

#define ROW_BEFORE "select id, type, fault, site, file, line, "
#define ROW_BEHIND ", exit, kind, thread, deviates_file, deviates_line, threads, after, latency, latency_us, ms, why, began from experiment "

int campaign_rows(struct db *db, struct db_query **out, struct err *why)
{
	return db_ask(db, out, ROW_BEFORE "outcome" ROW_BEHIND "where outcome is not null order by id", why);
}

int campaign_rows_all(struct db *db, struct db_query **out, struct err *why)
{
	return db_ask(db, out, ROW_BEFORE "coalesce(outcome, 'not made')" ROW_BEHIND "order by id", why);
}

double campaign_widest(const campaign_counts *counts, size_t types)
{
	double width = counts->count < types ? 1 : 0;
	for (size_t i = 0; i < counts->count; i++)
		for (int o = 0; o < BECAME_COUNT; o++) {
			struct interval v = wilson(counts->at[i].by[o], counts->at[i].runs);
			if (v.high - v.low > width)
				width = v.high - v.low;
		}
	return width;
}

int campaign_made(struct db *db, const struct campaign_config *c, const campaign_counts *counts, struct campaign_made *out, struct err *why)
{
	struct db_query *q;
	if (db_ask(db, &q, "select count(*), count(outcome) from experiment", why) < 0)
		return -1;
	int got = db_next(q, why);
	if (got > 0) {
		*out = (struct campaign_made){ .drawn = (uint64_t)db_number(q, 0), .done = (uint64_t)db_number(q, 1) };
		out->complete = out->drawn == out->done || (c->until > 0 && campaign_widest(counts, c->types.count) <= c->until);
	}
	db_done(q);
	return got < 0 ? -1 : 0;
}

static struct campaign_count *count_of(campaign_counts *all, const char *type)
{
	for (size_t i = 0; i < all->count; i++)
		if (!strcmp(all->at[i].type, type))
			return &all->at[i];
	struct campaign_count *c = vec_add(all);
	snprintf(c->type, sizeof c->type, "%s", type);
	return c;
}

/* Why nothing came of those that are masked. */
static int count_fates(struct db *db, campaign_counts *out, struct err *why)
{
	struct db_query *q;
	int got;
	if (db_ask(db, &q, "select type, why, count(*) from experiment where outcome = 'masked' group by type, why", why) < 0)
		return -1;
	while ((got = db_next(q, why)) > 0)
		count_of(out, db_text(q, 0))->fates[fate_said(db_text(q, 1))] += (uint64_t)db_number(q, 2);
	db_done(q);
	return got;
}

int campaign_count(struct db *db, campaign_counts *out, struct err *why)
{
	struct db_query *q;
	int got;
	if (db_ask(db, &q, "select type, outcome, count(*), sum(after < -1), sum(outcome in ('silent corruption', 'crash', 'hang', 'deadlock') and kind = '') from experiment where outcome is not null group by type, outcome order by min(id)",
		why) < 0)
		return -1;
	while ((got = db_next(q, why)) > 0) {
		struct campaign_count *c = count_of(out, db_text(q, 0));
		int outcome = became_of(db_text(q, 1));
		uint64_t count = (uint64_t)db_number(q, 2);
		c->early += (uint64_t)db_number(q, 3);
		c->blind += (uint64_t)db_number(q, 4);
		if (outcome < 0) {
			c->failed += count;
			continue;
		}
		c->runs += count;
		c->by[outcome] += count;
	}
	db_done(q);
	return got < 0 ? -1 : count_fates(db, out, why);
}

int campaign_count_begun(struct db *db, campaign_begun *out, struct err *why)
{
	struct db_query *q;
	int got;
	if (db_ask(db, &q, "select began, count(*) from experiment where outcome is not null and outcome <> 'failed' and began <> '' group by began order by 2 desc, 1", why) < 0)
		return -1;
	while ((got = db_next(q, why)) > 0) {
		const char *began = db_text(q, 0);
		struct campaign_begin *b = vec_add(out);
		b->runs = (uint64_t)db_number(q, 1);
		snprintf(b->why, sizeof b->why, "%.127s", str_starts(began, "start: ") ? began + 7 : "");
	}
	db_done(q);
	return got;
}

void campaign_take(struct experiment *e, const struct db_query *q)
{
	memset(e, 0, sizeof *e);
	e->id = (uint64_t)db_number(q, 0);
	snprintf(e->type, sizeof e->type, "%s", db_text(q, 1));
	snprintf(e->fault, sizeof e->fault, "%s", db_text(q, 2));
	snprintf(e->site, sizeof e->site, "%s", db_text(q, 3));
	snprintf(e->file, sizeof e->file, "%s", db_text(q, 4));
	e->line = (uint32_t)db_number(q, 5);
}

int campaign_find(struct db *db, uint64_t id, struct experiment *e, char outcome[24], struct err *why)
{
	struct db_query *q;
	if (db_ask(db, &q, "select id, type, fault, site, file, line, outcome from experiment where id = ?", why) < 0)
		return -1;
	db_give_number(q, 1, (int64_t)id);
	int got = db_next(q, why);
	if (got > 0) {
		campaign_take(e, q);
		snprintf(outcome, 24, "%s", db_text(q, 6));
	}
	db_done(q);
	return got;
}
