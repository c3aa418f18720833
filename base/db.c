/* base/db.c -- see db.h. */
#include "base/db.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/vec.h"

struct db { sqlite3 *own; char *path; };
struct db_query { struct db *d; sqlite3_stmt *own; };

static int failed(struct db *d, struct err *why)
{
	int code = sqlite3_errcode(d->own) & 255;
	bool damaged = code == SQLITE_CORRUPT || code == SQLITE_NOTADB;
	err_set(why, damaged ? "database '%.200s' is damaged: %.200s" : "database '%.200s': %.200s", d->path, sqlite3_errmsg(d->own));
	if (damaged)
		err_hint(why, "it was left as it is; move it away to begin anew");
	why->code = damaged ? 3 : 4;
	return -1;
}

/* A file that is no database is found out by the first look into it; one with damaged pages by asking for that. */
static int look(struct db *d, struct err *why)
{
	struct db_query *q;
	if (db_ask(d, &q, "pragma quick_check(1)", why) < 0)
		return -1;
	int got = db_next(q, why);
	if (got > 0 && sqlite3_stricmp(db_text(q, 0), "ok")) {
		char said[200];
		snprintf(said, sizeof said, "%s", db_text(q, 0));
		for (char *c = said; *c; c++)
			*c = *c == '\n' ? ' ' : *c;     /* its head and what it found are lines */
		got = err_set(why, "database '%.200s' is damaged: %s", d->path, said);
		err_hint(why, "it was left as it is; move it away to begin anew");
		why->code = 3;
	}
	db_done(q);
	return got < 0 ? -1 : 0;
}

int db_claim(const char *path, struct err *why)
{
	static const char *const beside[] = { "", "-journal", "-wal", "-shm" };
	char name[4200];
	struct stat facts;
	for (size_t i = 1; i < 4; i++) {
		snprintf(name, sizeof name, "%.4000s%s", path, beside[i]);
		if (lstat(name, &facts) == 0 && !S_ISREG(facts.st_mode)) {
			err_set(why, "cannot use '%s': it is no regular file", name);
			why->code = 2;
			return -1;
		}
	}
	int fd = file_keep(path, why);
	if (fd < 0) {
		why->code = 2;
		return -1;
	}
	close(fd);
	return 0;
}

int db_open(struct db **out, const char *path, struct err *why)
{
	if (db_claim(path, why) < 0)
		return -1;
	struct db *d = mem_take(sizeof *d);
	d->path = sqlite3_mprintf("%s", path);
	if (sqlite3_open(path, &d->own) != SQLITE_OK || sqlite3_busy_timeout(d->own, 10000) != SQLITE_OK) {
		failed(d, why);
		why->code = 3;
		db_close(d);
		return -1;
	}
	if (look(d, why) < 0 || db_do(d, "pragma journal_mode = wal; pragma synchronous = normal", why) < 0) {
		db_close(d);
		return -1;
	}
	*out = d;
	return 0;
}

void db_close(struct db *d)
{
	if (!d)
		return;
	sqlite3_close(d->own);
	sqlite3_free(d->path);
	mem_free(d);
}

int db_do(struct db *d, const char *sql, struct err *why)
{
	return sqlite3_exec(d->own, sql, NULL, NULL, NULL) == SQLITE_OK ? 0 : failed(d, why);
}

int db_ask(struct db *d, struct db_query **out, const char *sql, struct err *why)
{
	struct db_query *q = mem_take(sizeof *q);
	*out = NULL;
	q->d = d;
	if (sqlite3_prepare_v2(d->own, sql, -1, &q->own, NULL) != SQLITE_OK) {
		mem_free(q);
		bool others = sqlite3_errcode(d->own) == SQLITE_ERROR;  /* our statements are right: its tables are not ours */
		failed(d, why);
		why->code = others ? 3 : why->code;
		return -1;
	}
	*out = q;
	return 0;
}

void db_give_number(struct db_query *q, int parameter, int64_t value)
{
	check(sqlite3_bind_int64(q->own, parameter, value) == SQLITE_OK);
}

void db_give_text(struct db_query *q, int parameter, const char *value)
{
	check(sqlite3_bind_text(q->own, parameter, value, -1, SQLITE_TRANSIENT) == SQLITE_OK);
}

int db_next(struct db_query *q, struct err *why)
{
	int got = sqlite3_step(q->own);
	if (got == SQLITE_ROW)
		return 1;
	if (got != SQLITE_DONE)
		failed(q->d, why);
	sqlite3_reset(q->own);
	return got == SQLITE_DONE ? 0 : -1;
}

int64_t db_number(const struct db_query *q, int column)
{
	return sqlite3_column_int64(q->own, column);
}

const char *db_text(const struct db_query *q, int column)
{
	const char *text = (const char *)sqlite3_column_text(q->own, column);
	return text ? text : "";
}

void db_done(struct db_query *q)
{
	if (!q)
		return;
	sqlite3_finalize(q->own);
	mem_free(q);
}
