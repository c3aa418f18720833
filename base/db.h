/* base/db.h -- a database in one file (SQLite): what is written is there after the process is killed.
 *
 * Statements that fail because the file is damaged or is somebody else's, say so with code 3, whatever else with code 4. */
#ifndef RADDLE_BASE_DB_H
#define RADDLE_BASE_DB_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"

struct db;
struct db_query;                                /* one statement, its parameters and the row it stands at */

/* The file a database is kept in, made with mode 0600 if it is not there; links are not followed.  0, or -1 and why (code 2). */
int  db_claim(const char *path, struct err *why);
int  db_open(struct db **out, const char *path, struct err *why);       /* made if it is not there; 0, or -1 and why */
void db_close(struct db *d);                                            /* NULL is fine */
int  db_do(struct db *d, const char *sql, struct err *why);             /* statements without parameters and rows; 0, or -1 and why */

int  db_ask(struct db *d, struct db_query **out, const char *sql, struct err *why);
void db_give_number(struct db_query *q, int parameter, int64_t value);  /* parameters count from 1 */
void db_give_text(struct db_query *q, int parameter, const char *value);       /* copied; NULL is null */
int  db_next(struct db_query *q, struct err *why);                      /* 1 a row, 0 no more, -1 and why; after 0 it may be asked again */
int64_t db_number(const struct db_query *q, int column);                /* columns count from 0 */
const char *db_text(const struct db_query *q, int column);              /* "" for null; until the next row */
void db_done(struct db_query *q);                                       /* NULL is fine */

#endif
