/* base/pg.c -- see pg.h. */
#include "base/pg.h"

#include <dlfcn.h>
#include <postgresql/libpq-fe.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "base/vec.h"

#define PQ_FUNCTIONS(F) \
	F(PQconninfoParse) F(PQconninfoFree) F(PQfreemem) F(PQconnectdbParams) F(PQstatus) F(PQfinish) F(PQreset) F(PQerrorMessage) F(PQexec) F(PQexecParams) \
	F(PQresultStatus) F(PQresultErrorMessage) F(PQclear) F(PQntuples) F(PQcmdTuples) F(PQgetvalue) F(PQtransactionStatus)

static struct {
#define F(name) __typeof__(name) *name##_;
	PQ_FUNCTIONS(F)
#undef F
} pq;

struct pg { PGconn *own; char name[600]; char secret[200]; };
struct pg_rows { PGresult *own; };

static int library_open(struct err *why)
{
	void *library = dlopen("libpq.so.5", RTLD_NOW | RTLD_LOCAL);
	if (!library) {
		err_set(why, "libpq is not here, which speaks to PostgreSQL");
		return err_hint(why, "install libpq5");
	}
#define F(name) if (!(*(void **)&pq.name##_ = dlsym(library, #name))) return err_set(why, "libpq has no function %s", #name);
	PQ_FUNCTIONS(F)
#undef F
	return 0;
}

/* ---- what nobody is to see ---- */

/* The password of user:password@, or of ?password=: where it begins, and how long it is; NULL there is none. */
static char *secret_in(char *url, size_t *length)
{
	char *from = strstr(url, "://");
	if (!from)
		return NULL;
	from += 3;
	size_t front = strcspn(from, "/?#");
	char *at = memrchr(from, '@', front), *colon = at ? memchr(from, ':', (size_t)(at - from)) : NULL;
	if (colon) {
		*length = (size_t)(at - colon - 1);
		return colon + 1;
	}
	char *query = strchr(from, '?'), *word = query ? strstr(query, "password=") : NULL;
	if (word)
		*length = strcspn(word + 9, "&");
	return word ? word + 9 : NULL;
}

static void hide_one(char *secret, size_t length)
{
	size_t stars = length < 3 ? length : 3, rest = strlen(secret + length);
	memset(secret, '*', stars);
	memmove(secret + stars, secret + length, rest);
	memset(secret + stars + rest, 0, length - stars);
}

void pg_hide(char *url)
{
	size_t length;
	char *secret = secret_in(url, &length), *query = strchr(url, '?');
	if (secret && length)
		hide_one(secret, length);
	for (char *word = query; word && (word = strstr(word, "password=")); word += 9)
		hide_one(word + 9, strcspn(word + 9, "&"));
}

/* What the library says, on one line and without the password. */
static void take_words(const struct pg *p, const char *said, char *into, size_t room)
{
	struct sentence s = { into, room };
	size_t length = strlen(p->secret);
	into[0] = 0;
	while (*said == ' ' || *said == '\n')
		said++;
	while (*said) {
		if (length && !strncmp(said, p->secret, length)) {
			str_say(&s, "***");
			said += length;
		} else {
			if (*said != '\n' || said[1])
				str_say(&s, "%c", *said == '\n' || *said == '\t' ? ' ' : *said);
			said++;
		}
	}
}

static int failed(const struct pg *p, const char *said, struct err *why)
{
	char words[400];
	take_words(p, said, words, sizeof words);
	err_set(why, "'%.150s': %.300s", p->name, words);
	why->code = 4;
	return -1;
}

/* ---- the connection ---- */

static int bad_address(const char *url, struct err *why)
{
	char shown[600];
	snprintf(shown, sizeof shown, "%s", url);
	pg_hide(shown);
	err_set(why, "'%.200s' is not the address of a PostgreSQL database", shown);
	err_hint(why, "as in postgres://user@host:5432/name");
	why->code = 2;
	return -1;
}

int pg_open(struct pg **out, const char *url, struct err *why)
{
	bool like = str_starts(url, "postgres://") || str_starts(url, "postgresql://");
	struct pg *p = mem_take(sizeof *p);
	size_t length = 0;
	if (!like || strlen(url) >= sizeof p->name || library_open(why) < 0) {
		mem_free(p);
		return like && strlen(url) < sizeof p->name ? -1 : bad_address(url, why);
	}
	snprintf(p->name, sizeof p->name, "%s", url);
	const char *secret = secret_in(p->name, &length);
	if (secret)
		snprintf(p->secret, sizeof p->secret, "%.*s", (int)length, secret);
	pg_hide(p->name);
	char *said = NULL;
	PQconninfoOption *parsed = pq.PQconninfoParse_(url, &said);
	if (said)
		pq.PQfreemem_(said);
	if (!parsed) {
		mem_free(p);
		return bad_address(url, why);
	}
	pq.PQconninfoFree_(parsed);
	/* The first stands for the others, those behind it come before what it says. */
	const char *const keys[] = { "connect_timeout", "dbname", "fallback_application_name", NULL }, *const values[] = { "10", url, "raddle", NULL };
	p->own = pq.PQconnectdbParams_(keys, values, 1);
	if (pq.PQstatus_(p->own) != CONNECTION_OK) {
		failed(p, pq.PQerrorMessage_(p->own), why);
		pg_close(p);
		return -1;
	}
	pq.PQclear_(pq.PQexec_(p->own, "set client_min_messages = warning"));
	*out = p;
	return 0;
}

void pg_close(struct pg *p)
{
	if (!p)
		return;
	pq.PQfinish_(p->own);
	memset(p->secret, 0, sizeof p->secret);
	mem_free(p);
}

const char *pg_name(const struct pg *p)
{
	return p->name;
}

/* ---- statements ---- */

static bool is_good(const PGresult *r)
{
	ExecStatusType status = pq.PQresultStatus_(r);
	return status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK;
}

static PGresult *sent(struct pg *p, const char *sql, int count, const char *const *values)
{
	return count < 0 ? pq.PQexec_(p->own, sql) : pq.PQexecParams_(p->own, sql, count, NULL, values, NULL, NULL, 0);
}

static PGresult *answer(struct pg *p, const char *sql, int count, const char *const *values, struct err *why)
{
	bool alone = pq.PQtransactionStatus_(p->own) == PQTRANS_IDLE;
	PGresult *r = sent(p, sql, count, values);
	if (!is_good(r) && alone && pq.PQstatus_(p->own) != CONNECTION_OK) {
		pq.PQclear_(r);
		pq.PQreset_(p->own);
		r = sent(p, sql, count, values);
	}
	if (is_good(r))
		return r;
	failed(p, *pq.PQresultErrorMessage_(r) ? pq.PQresultErrorMessage_(r) : pq.PQerrorMessage_(p->own), why);
	pq.PQclear_(r);
	return NULL;
}

int pg_do(struct pg *p, const char *sql, struct err *why)
{
	PGresult *r = answer(p, sql, -1, NULL, why);
	if (r)
		pq.PQclear_(r);
	return r ? 0 : -1;
}

int pg_ask(struct pg *p, struct pg_rows **rows, const char *sql, int count, const char *const *values, struct err *why)
{
	PGresult *r = answer(p, sql, count, values, why);
	if (!r)
		return -1;
	if (rows) {
		*rows = mem_take(sizeof **rows);
		(*rows)->own = r;
	} else {
		pq.PQclear_(r);
	}
	return 0;
}

size_t pg_count(const struct pg_rows *r) { return (size_t)pq.PQntuples_(r->own); }
uint64_t pg_changed(const struct pg_rows *r) { return strtoull(pq.PQcmdTuples_(r->own), NULL, 10); }
const char *pg_text(const struct pg_rows *r, size_t row, int column) { return pq.PQgetvalue_(r->own, (int)row, column); }
int64_t pg_number(const struct pg_rows *r, size_t row, int column) { return strtoll(pg_text(r, row, column), NULL, 10); }

void pg_done(struct pg_rows *r)
{
	if (!r)
		return;
	pq.PQclear_(r->own);
	mem_free(r);
}
