/* analyses/determinism/commute.h -- which events of a run are updates that may be made in any order with the same outcome.
 *
 * The code says which loads and stores, and which atomic operations, can be (model/update.h); the run says which are:
 *   (1) load and store are of the same bytes, which lie in one word, with nothing in between that orders (the same spot, so the
 *       same locks are held) and no other write of these bytes, by whomever.  A load whose store breaks that is banned, with its store;
 *   (2) two updates commute if they are of one kind and of the same bytes, and either both are atomic or one lock, held by both and
 *       not shared, keeps them whole;
 *   (3) an atomic one teaches its thread nothing (order_note_blind): which others it met is another matter in another order.
 * Nobody is told the values in between, so a run in which such updates change places does the same as long as all else keeps its order. */
#ifndef RADDLE_DETERMINISM_COMMUTE_H
#define RADDLE_DETERMINISM_COMMUTE_H

#include "model/model.h"
#include "order/order.h"

struct commute;

struct commute *commute_new(struct model *m, const char *module);       /* of this object's code; both must outlive it */
void commute_free(struct commute *c);                   /* NULL is fine */
void commute_begin(struct commute *c);                  /* the run is walked (again) */

bool commute_may(struct commute *c, const struct event *ev);    /* by the code, and not banned */
/* Before what it touches is noted: the number of this kind of update made here under these locks; 0: it is none. */
uint32_t commute_note(struct commute *c, const struct order *o, const struct event *ev, struct spot spot);
void commute_written(struct commute *c, uint64_t word, uint8_t mask);   /* these bytes of the word are written, by whomever */
bool commute_pair(const struct commute *c, uint32_t a, uint32_t b);     /* numbers, of the same bytes */
bool commute_is_sound(const struct commute *c);         /* no load was banned on the way; else it must be walked again */

#endif
