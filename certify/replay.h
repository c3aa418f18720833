/* certify/replay.h -- classes of a certificate on the real program: does every thread do at every place what is said of it there? */
#ifndef RADDLE_CERTIFY_REPLAY_H
#define RADDLE_CERTIFY_REPLAY_H

#include "certify/certificate.h"

struct replay_setup { char *const *argv; uint64_t seed, sample; bool (*goes_on)(void); };       /* sample: so many classes, 0 all */
struct replay { uint64_t runs, seen, places; char why[400]; };  /* of all places, those runs came to */
/* 1 they do; 0 not, and why; -1 cannot be told, and why; -2 and *error: the program could not be run. */
int replay_classes(const struct certificate *c, const struct replay_setup *how, struct replay *out, struct err *error);

#endif
