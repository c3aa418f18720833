/* analyses/epa/picture.h -- how a fault went on, to be drawn (report/picture.h). */
#ifndef RADDLE_EPA_PICTURE_H
#define RADDLE_EPA_PICTURE_H

#include "analyses/epa/campaign.h"
#include "analyses/epa/spread.h"
#include "report/picture.h"

void spread_picture(const struct spread *s, struct picture *out);       /* picture_release() it */

typedef VEC(uint64_t) fault_ids;
/* Worth a picture: of each outcome in which something deviates the fault that reached most threads.  0, or -1 and why. */
int pictures_choose(struct db *db, fault_ids *out, struct err *why);
/* Makes fault `id` again and keeps its picture in the database, unless that is there.  0, or -1 and why (code 2: no such fault). */
int picture_make(struct campaign *k, uint64_t id, struct err *why);
int pictures_rows(struct db *db, struct db_query **out, struct err *why);      /* id, picture as JSON; by id */

#endif
