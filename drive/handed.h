/* drive/handed.h -- records of the runs a process made before its last one (wire/handed.h): their races, and traces of those one is
 * wanted of.  Of one run alone there are none, and nothing happens here. */
#ifndef RADDLE_DRIVE_HANDED_H
#define RADDLE_DRIVE_HANDED_H

#include "drive/steer_inside.h"

struct handed;
struct handed *handed_new(const struct shared *shared, struct ring *ring);      /* never NULL */
void handed_free(struct handed *h);                     /* NULL is fine */

/* The runs of this order are about to be made. */
void handed_begin(struct handed *h, const struct steer_options *o);
/* Takes what was handed over.  True: that is all there will be, the last run has begun, and what is in the ring is its. */
bool handed_step(struct handed *h);
/* The last run is over.  0; or -1: the program has written over what it handed over. */
int  handed_end(struct handed *h, struct steer_result *out);

#endif
