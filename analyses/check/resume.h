/* analyses/check/resume.h -- what a search has learned, kept in a file (SQLite), for another process to go on from: one that was killed
 * has lost what it did since it was last kept, and nothing else. */
#ifndef RADDLE_ANALYSES_CHECK_RESUME_H
#define RADDLE_ANALYSES_CHECK_RESUME_H

#include "analyses/check/ends.h"
#include "base/err.h"

struct resume;
struct resume_about { char *const *argv; uint32_t model, heap; const char *trusted; bool same_output; };    /* what is checked, and how; trusted may be NULL */

/* 0 and *out to be closed; or -1 and why, code 3: the file is none of these, is damaged, is of something else, or is in use.  It is made if there is none. */
int  resume_open(struct resume **out, const char *path, const struct resume_about *about, struct err *why);
/* Into what is empty; most_steps: of one run.  1; 0: nothing has been kept yet; -1 and why: it is damaged. */
int  resume_take(struct resume *r, struct threads *t, struct ends *e, uint64_t *most_steps, struct err *why);
/* Behind the first run: were the objects it loaded, and all that runs before loaded or asked for, the same then?  If not: why, code 3. */
bool resume_fits(struct resume *r, struct surroundings *now, struct err *why);
/* 0, or -1 and why: what was kept before still is. */
int  resume_keep(struct resume *r, const struct threads *t, struct ends *e, uint64_t most_steps, struct err *why);
void resume_close(struct resume *r);            /* NULL is fine */

#endif
