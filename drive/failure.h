/* drive/failure.h -- what counts as a failed run, and whether two runs failed the same way. */
#ifndef RADDLE_DRIVE_FAILURE_H
#define RADDLE_DRIVE_FAILURE_H

#include <regex.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/buffer.h"
#include "base/err.h"
#include "drive/runs.h"

/* Signals, deadlocks, livelocks, memory errors and failed assertions always are failures; of a run that ends by itself this says when. */
struct failure_rule {
	enum failure_by { FAIL_EXIT_NOT, FAIL_EXIT_IS, FAIL_OUTPUT, FAIL_NEVER } by;    /* all-zero: any exit code but 0 */
	int32_t code;
	regex_t regex;                  /* FAIL_OUTPUT: found in what it wrote */
};
/* "exit", "exit=3", "exit!=3", or an extended regular expression.  0 and *out to be released; or -1 and why (code 2). */
int  failure_rule_parse(const char *text, struct failure_rule *out, struct err *why);
void failure_rule_release(struct failure_rule *rule);

/* FAIL_OUTPUT: how many bytes it has written when what is looked for has been; 0: it is not there. */
uint64_t failure_output_end(const struct failure_rule *rule, const struct run_done *run);
bool failure_is(const struct failure_rule *rule, const struct run_done *run);
/* A run that says nothing: an assumption did not hold, it left its schedule, it cannot be steered, it was stopped. */
bool failure_is_unknown(const struct run_done *run);

/* How a failed run failed, as a text two runs have in common exactly when they failed the same way: kind of outcome, what it said, and
 * where; for a deadlock what every thread waits for and where.  Which threads they were does not matter. */
void failure_key(const struct failure_rule *rule, struct run_done *run, struct buffer *out);
/* "bank.c:41", the place of the failing event or of the first of the waiting ones; "" not known.  Returns into. */
char *failure_place(struct steer_result *r, char *into, size_t room);

#endif
