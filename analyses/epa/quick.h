/* analyses/epa/quick.h -- a run held against the golden one while it goes on, record by record, without a trace of it.
 *
 * Both run without address randomisation.  Where every object lies where it lay, what a thread wrote down is the same if and only if its bytes are, but for
 * times and versions; so what is the same is passed over by the thousand, and only the first record of a thread that is not is looked into.  Whatever may
 * be of another meaning than it seems is not judged here (quick_end: false): an object at another address, a handler, another process, records of library
 * calls that differ.  Then the run is made once more and compared in full (diff.h).
 *   (1) what is said is what diff.h would say of the run;
 *   (2) nothing the program wrote is trusted: records are measured before they are read. */
#ifndef RADDLE_EPA_QUICK_H
#define RADDLE_EPA_QUICK_H

#include "analyses/epa/canon.h"
#include "analyses/epa/diff.h"
#include "drive/drain.h"

struct quick;
/* Of a golden run made with fixed addresses, native or steered, and canon_make_indexed(); these outlive it.  NULL: it cannot be had. */
struct quick *quick_new(struct trace *t, const struct canon *c);
void quick_free(struct quick *q);                       /* NULL is fine */
/* Events of all threads are counted too, and whether this function is called; NULL: none is asked for, as of steered runs, which do not tell. */
void quick_count(struct quick *q, struct names_book *book, const char *function);

struct quick_end {                                      /* how the run ended */
	bool late, signalled;
};

struct quick_found {                                    /* a thread that deviates */
	const char *path;
	enum deviation kind;
	bool cut;                                       /* only in that it ends where the run was ended */
	size_t entry;                                   /* of the golden lane */
	const struct place *place;                      /* of what it did instead; NULL: the golden entry's */
	const char *name;
	const struct canon_lane *lane;                  /* golden, or NULL: it has no such thread */
};

/* The sink of one run.  The fault is made in this thread, at this entry of its golden lane; SIZE_MAX: there is none. */
struct drain_sink *quick_begin(struct quick *q, const char *thread, size_t fault);
/* The same sink has been told of a run without a fault up to where one is made in this thread, at this entry: from here on it is a run with that fault. */
void quick_aim(struct quick *q, const char *thread, size_t fault);
bool quick_same(const struct quick *q);                 /* nothing it was told of so far deviates */
/* Steered: the number of the record of this entry, and what the place gave that thread the time before, 0 the first; NULL: not asked.  false: it is no access and no result. */
bool quick_number(const struct quick *q, const char *thread, size_t entry, uint64_t *number, uint64_t *before);
bool quick_saw_die(const struct quick *q, const char *thread);   /* this thread, and no other, said that it fails, and of what */
/* After the run: true, and who deviates, by path; false: it must be compared in full.  waits: everybody who is left waits. */
bool quick_end(struct quick *q, const struct quick_end *end, const struct quick_found **found, uint32_t *count, bool *waits);
/* After that, of a run whose events were counted: all; those before the fault; those before the function was first called, UINT64_MAX: it was not. */
struct quick_counts { uint64_t events, fault, called; };
void quick_counts(const struct quick *q, struct quick_counts *out);
uint64_t quick_segments(const struct quick *q);         /* about how many the golden run filled */

#endif
