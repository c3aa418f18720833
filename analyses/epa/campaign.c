/* analyses/epa/campaign.c -- see campaign.h.  One process leads and writes; each fault is tried in a copy of it, which has the golden run in memory. */
#include "analyses/epa/campaign.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "analyses/epa/rows.h"
#include "base/digest.h"
#include "base/str.h"

#define MOST_JOBS 256u

/* ---- the database ---- */

static const char tables[] =
	"create table if not exists about (key text primary key, value text);"
	"create table if not exists experiment (id integer primary key, type text, fault text, site text, file text, line integer, outcome text,"
	" exit integer, kind text, thread text, deviates_file text, deviates_line integer, threads integer, after integer, latency integer, ms integer, why text);"
	"create table if not exists picture (id integer primary key, spread text);"
	"create index if not exists undone on experiment (id) where outcome is null;";

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
	return db_do(db, tables, why) < 0 ? -1 : add_column(db, "latency_us", "integer", why);
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

/* One hash for all files it reads, in the order of the configuration. */
static int digest_inputs(const struct campaign_config *c, const char *folder, char into[DIGEST_ROOM], struct err *why)
{
	struct digest d;
	digest_begin(&d);
	for (size_t i = 0; i <= c->needs.count; i++) {
		const char *file = i ? c->needs.at[i - 1] : c->input;
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
			got = insert_all(k->db, &all, why);
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
	int length = snprintf(text, sizeof text, "%ld\n", (long)getpid());
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
	k->lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	if (k->lock < 0)
		return err_set(why, "cannot write '%.200s': %s", path, str_error(errno));
	if (lock_comes(k->lock))
		return 0;
	err_set(why, "another campaign works on '%.200s'", database);
	why->code = 2;
	return -1;
}

int campaign_open(struct campaign *k, const struct campaign_config *c, const char *database, struct err *why)
{
	char config[64], program[64], inputs[DIGEST_ROOM], now[DIGEST_ROOM], work[4096];
	memset(k, 0, sizeof *k);
	k->config = c;
	k->lock = -1;
	if (take_lock(k, database, work, why) < 0 || db_open(&k->db, database, why) < 0 || campaign_tables(k->db, why) < 0)
		return -1;
	int known = about(k->db, "config", config, sizeof config, why);
	if (known < 0 || about(k->db, "program", program, sizeof program, why) < 0 || about(k->db, "inputs", inputs, sizeof inputs, why) < 0)
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

int campaign_rows(struct db *db, struct db_query **out, struct err *why)
{
	return db_ask(db, out, "select id, type, fault, site, file, line, outcome, exit, kind, thread, deviates_file, deviates_line, threads, after, latency, latency_us, ms, why"
		" from experiment where outcome is not null order by id", why);
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
	if (db_ask(db, &q, "select type, outcome, count(*), sum(after < -1) from experiment where outcome is not null group by type, outcome order by min(id)",
		why) < 0)
		return -1;
	while ((got = db_next(q, why)) > 0) {
		struct campaign_count *c = count_of(out, db_text(q, 0));
		int outcome = became_of(db_text(q, 1));
		uint64_t count = (uint64_t)db_number(q, 2);
		c->early += (uint64_t)db_number(q, 3);
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

/* ---- trying ---- */

struct job { pid_t pid; int from; uint64_t id; };

static int start_job(struct job *j, struct campaign *k, const struct experiment *e, const char *keep, struct err *why)
{
	int tell[2];
	if (pipe2(tell, O_CLOEXEC) < 0)
		return err_set(why, "cannot make a pipe: %s", str_error(errno));
	fflush(NULL);
	pid_t pid = fork();
	if (pid == 0) {
		struct result r;
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		close(tell[0]);
		experiment_try(e, k->config, &k->golden, keep, k->in_full, &r);
		_exit(write(tell[1], &r, sizeof r) == sizeof r ? 0 : 1);
	}
	close(tell[1]);
	if (pid < 0) {
		close(tell[0]);
		return err_set(why, "cannot start a process: %s", str_error(errno));
	}
	*j = (struct job){ pid, tell[0], e->id };
	return 0;
}

static void end_job(struct job *j, struct result *r)
{
	ssize_t got;
	while ((got = read(j->from, r, sizeof *r)) < 0 && errno == EINTR)
		;
	close(j->from);
	waitpid(j->pid, NULL, 0);
	j->pid = 0;
	if (got != sizeof *r) {
		memset(r, 0, sizeof *r);
		r->failed = true;
		snprintf(r->why, sizeof r->why, "the process that tried it died");
	}
	r->kind[sizeof r->kind - 1] = r->thread[sizeof r->thread - 1] = r->file[sizeof r->file - 1] = r->why[sizeof r->why - 1] = 0;
}

int campaign_repeat(struct campaign *k, const struct experiment *e, const char *keep, struct result *r, struct err *why)
{
	struct job j;
	if (start_job(&j, k, e, keep, why) < 0)
		return -1;
	end_job(&j, r);
	return r->failed ? err_set(why, "experiment %llu could not be tried: %.300s", (unsigned long long)e->id, r->why) : 0;
}

static int widest(struct campaign *k, double *out, struct err *why)
{
	campaign_counts counts = { 0 };
	int got = campaign_count(k->db, &counts, why);
	*out = counts.count < k->config->types.count ? 1 : 0;
	for (size_t i = 0; i < counts.count; i++)
		for (int o = 0; o < BECAME_COUNT; o++) {
			struct interval v = wilson(counts.at[i].by[o], counts.at[i].runs);
			if (v.high - v.low > *out)
				*out = v.high - v.low;
		}
	vec_release(&counts);
	return got;
}

int campaign_is_narrow(struct campaign *k, struct err *why)
{
	double width;
	uint64_t rounds = k->done / (20 * k->config->types.count);
	if (k->config->until == 0 || rounds == k->rounds)
		return 0;
	k->rounds = rounds;
	if (widest(k, &width, why) < 0)
		return -1;
	return width <= k->config->until;
}

#define TICK_MS 250

struct running {
	struct campaign *k;
	const struct campaign_source *from;
	struct job jobs[MOST_JOBS];
	unsigned limit, busy;
	bool dry;                               /* no more to give out */
};

/* 1 one was started, 0 none is left, or none now. */
static int give_out(struct running *x, struct err *why)
{
	struct experiment e;
	int got = x->from->next(x->from->with, x->limit - x->busy, &e, why);
	x->dry |= got == 0 && !x->from->tick;
	for (unsigned i = 0; got > 0 && i < x->limit; i++)
		if (!x->jobs[i].pid) {
			x->busy++;
			return start_job(&x->jobs[i], x->k, &e, NULL, why) < 0 ? -1 : 1;
		}
	return got;
}

/* Waits for one to end, or a while, and keeps what came of it. */
static int take_in(struct running *x, struct err *why)
{
	struct pollfd wait[MOST_JOBS];
	unsigned of[MOST_JOBS], count = 0;
	for (unsigned i = 0; i < x->limit; i++)
		if (x->jobs[i].pid) {
			wait[count] = (struct pollfd){ .fd = x->jobs[i].from, .events = POLLIN };
			of[count++] = i;
		}
	while (poll(wait, count, x->from->tick ? TICK_MS : -1) < 0)
		if (errno != EINTR)
			return err_set(why, "cannot wait for a run: %s", str_error(errno));
	for (unsigned i = 0; i < count; i++)
		if (wait[i].revents) {
			struct result r;
			struct job *j = &x->jobs[of[i]];
			end_job(j, &r);
			x->busy--;
			return x->from->keep(x->from->with, j->id, &r, why);
		}
	return 0;
}

static int ask_around(struct running *x, struct err *why)
{
	if (!x->from->tick)
		return 0;
	int more = x->from->tick(x->from->with, why);
	x->dry |= more == 0;
	return more < 0 ? -1 : 0;
}

static int run_all(struct running *x, campaign_told told, void *with, struct err *why)
{
	bool ended = false;
	int narrow = campaign_is_narrow(x->k, why);
	while (narrow >= 0) {
		int got = 0;
		while (!ended && !narrow && !x->dry && x->busy < x->limit && (got = give_out(x, why)) > 0)
			;
		if (got < 0)
			return -1;
		if (!x->busy && (ended || narrow || x->dry))
			break;
		if (take_in(x, why) < 0 || ask_around(x, why) < 0)
			return -1;
		if (!narrow)
			narrow = campaign_is_narrow(x->k, why);
		ended |= !told(with, x->k);
	}
	return narrow < 0 ? -1 : ended && x->k->done < x->k->total && !narrow ? 1 : 0;
}

/* What is still running is of no use any more. */
static void end_all(struct running *x)
{
	for (unsigned i = 0; i < x->limit; i++)
		if (x->jobs[i].pid) {
			kill(x->jobs[i].pid, SIGKILL);
			close(x->jobs[i].from);
			waitpid(x->jobs[i].pid, NULL, 0);
		}
}

int campaign_run_from(struct campaign *k, const struct campaign_source *from, unsigned jobs, campaign_told told, void *with, struct err *why)
{
	struct running x = { .k = k, .from = from, .limit = jobs < MOST_JOBS ? jobs : MOST_JOBS };
	int got = run_all(&x, told, with, why);
	end_all(&x);
	return got;
}

/* ---- faults from the database, outcomes into it ---- */

struct own_source { struct campaign *k; struct db_query *next, *keep; uint64_t last; };        /* last: id given out */

static int own_next(void *with, unsigned room, struct experiment *e, struct err *why)
{
	struct own_source *s = with;
	(void)room;
	db_give_number(s->next, 1, (int64_t)s->last);
	int got = db_next(s->next, why);
	if (got > 0) {
		campaign_take(e, s->next);
		while (db_next(s->next, why) > 0)       /* its limit is one row */
			;
		s->last = e->id;
	}
	return got;
}

/* Only if it has none yet: it counts once. */
static int own_keep(void *with, uint64_t id, const struct result *r, struct err *why)
{
	struct own_source *s = with;
	struct row_values row;
	row_of(r, &row);
	int got = row_keep(s->keep, id, &row, why);
	s->k->done += got == 0;
	return got;
}

int campaign_run(struct campaign *k, unsigned jobs, campaign_told told, void *with, struct err *why)
{
	struct own_source own = { .k = k };
	struct campaign_source from = { &own, own_next, own_keep, NULL };
	int got = db_ask(k->db, &own.next, "select id, type, fault, site, file, line from experiment where outcome is null and id > ? order by id limit 1", why);
	if (got == 0)
		got = row_update(k->db, &own.keep, why);
	if (got == 0)
		got = campaign_run_from(k, &from, jobs, told, with, why);
	db_done(own.next);
	db_done(own.keep);
	return got;
}
