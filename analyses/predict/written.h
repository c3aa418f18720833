/* analyses/predict/written.h -- which instruction wrote to which bytes, in which thread, in one recording.
 *
 * Asked of a read before its answer is held against an aim: what is known of the writes to its bytes is all there can be, whatever the order, only if
 *   (1) model/ knows every instruction that may write there, and each did, in this recording: another one may in another order, by a way that was not
 *       gone, or at another index;
 *   (2) so did every thread that may come to it, by where threads begin: one that passed by may not in another order.  Threads that did not begin never do
 *       where the first thread alone would make them and, while there were others, it saw nothing of them;
 *   (3) no thread comes to it more than once, or it does so, and writes to the same places, whatever it sees of others: else it may write there earlier;
 *   (4) every write to any of the bytes was to all of them: else what is read may be of two writes, and neither's answer is its own. */
#ifndef RADDLE_PREDICT_WRITTEN_H
#define RADDLE_PREDICT_WRITTEN_H

#include "analyses/predict/steady.h"
#include "model/model.h"

struct written_by {                             /* all zero: empty */
	struct model *model;
	struct names seen;                      /* word, thread, site, mask of bytes: their bytes are its name */
	VEC(const char *) begins;               /* by thread: the function it began in, NULL not known */
	uint32_t others;                        /* that are there, as far as the first thread has made and joined them */
	bool told;                              /* while there were others it may have learned something of them */
};

void written_begin(struct written_by *w, struct model *model, uint32_t threads);
void written_note(struct written_by *w, const struct trace *t, const struct event *ev, uint32_t site, bool marked);   /* every event; site NONE: it has none */
struct written_read { uint32_t site, call; uint64_t address; uint32_t bytes; };         /* call: through which its function was come to, or NONE */
/* made: asked for a pointer to what this call made, so that rounds with another such call in them write another one; or NONE. */
bool written_is_all(const struct written_by *w, struct steady *s, struct depend *d, const struct written_read *read, uint32_t made);
void written_release(struct written_by *w);

#endif
