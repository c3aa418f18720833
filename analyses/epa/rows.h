/* analyses/epa/rows.h -- what came of a fault, as a row of a database: the same columns in SQLite and in PostgreSQL. */
#ifndef RADDLE_EPA_ROWS_H
#define RADDLE_EPA_ROWS_H

#include "analyses/epa/experiment.h"
#include "base/db.h"

#define ROW_VALUES 13

struct row_column { const char *name; bool number; };
extern const struct row_column row_columns[ROW_VALUES];         /* outcome is the first */
struct row_values { char at[ROW_VALUES][520]; };

void row_of(const struct result *r, struct row_values *out);
/* For SQLite: a statement that gives fault `id` its row, if it has none yet. */
int  row_update(struct db *db, struct db_query **out, struct err *why);
int  row_keep(struct db_query *q, uint64_t id, const struct row_values *v, struct err *why);    /* 0, or -1 and why */
int  row_check(uint64_t id, const char *outcome, struct err *why);      /* can a run come to that?  0, or -1 and why */
/* For SQLite: every row that has an outcome, and whether it is as it was written: 0, or -1 and why (code 3). */
int  row_sealed(struct db *db, struct db_query **out, struct err *why);
int  row_check_seal(const struct db_query *row, struct err *why);
/* SHA-256 of what is the same each time the fault is made: fault, outcome and why, not how long it took. */
void row_digest(const struct db_query *row, char into[]);       /* of a row of campaign_rows(); DIGEST_ROOM bytes */

#endif
