/* base/pg.h -- a PostgreSQL database somewhere else.  libpq is opened when one is asked for: nobody else pays for loading it.
 *
 * The address is a URL, postgres://user:password@host:port/name.  The password is in no message; PGPASSWORD and ~/.pgpass work as they do elsewhere.
 * A statement whose connection was lost is sent once more over a new one: statements sent outside of a transaction must bear that. */
#ifndef RADDLE_BASE_PG_H
#define RADDLE_BASE_PG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

struct pg;
struct pg_rows;

void pg_hide(char *url);                                                /* its password becomes ***, in place */
int  pg_open(struct pg **out, const char *url, struct err *why);        /* 0, or -1 and why (code 2 no such address, 4 it does not answer) */
void pg_close(struct pg *p);                                            /* NULL is fine */
const char *pg_name(const struct pg *p);                                /* the URL without its password */

/* Statements without parameters and rows; 0, or -1 and why (code 4). */
int  pg_do(struct pg *p, const char *sql, struct err *why);
/* One statement with parameters $1, $2, ... as texts (NULL is null).  rows may be NULL.  0, or -1 and why (code 4). */
int  pg_ask(struct pg *p, struct pg_rows **rows, const char *sql, int count, const char *const *values, struct err *why);
size_t pg_count(const struct pg_rows *r);
uint64_t pg_changed(const struct pg_rows *r);                           /* rows an update or insert changed */
const char *pg_text(const struct pg_rows *r, size_t row, int column);   /* "" for null */
int64_t pg_number(const struct pg_rows *r, size_t row, int column);
void pg_done(struct pg_rows *r);                                        /* NULL is fine */

#endif
