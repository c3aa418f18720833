/* analyses/epa/fate.h -- why nothing came of a fault: what became of the value it made.
 *
 * A run that does not deviate did what the golden one did, event for event; so the value is followed there, along the uses the kept bitcode has of it (model/)
 * and along the accesses to the bytes it was stored in.
 *   overwritten       it was in memory, and something else was written there before anybody looked
 *   dead              nobody used it again: no instruction that was executed, no read, until it was computed anew, its function left or the run ended
 *   logically masked  it was used, and what was computed of it is the same: a comparison, a choice, bits cut off, a library function
 *   never activated   the fault was not made, or the value was that already, or only time passed
 *   unexplained       none of these can be told: "unexplained: sigaction at a.c:18 may have read it" */
#ifndef RADDLE_EPA_FATE_H
#define RADDLE_EPA_FATE_H

#include "analyses/epa/judge.h"

enum fate { FATE_OVERWRITTEN, FATE_DEAD, FATE_MASKED, FATE_NEVER, FATE_UNEXPLAINED, FATE_COUNT };
extern const char *const fate_words[];          /* "overwritten", ... */

enum fate fate_said(const char *text);          /* by its first words; FATE_UNEXPLAINED if there are none of these */

struct fates;
struct fates *fates_new(const char *program);   /* without bitcode values in registers stay unexplained; never NULL */
void fates_free(struct fates *f);               /* NULL is fine */

/* The run is masked, or the fault was not made; fault: its entry in the golden lane of its thread, SIZE_MAX none.  In words too: "overwritten at pay.c:12". */
enum fate fate_of(struct fates *f, const struct judged *j, size_t fault, char *into, size_t room);

#endif
