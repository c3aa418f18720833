/* rt/known.h -- which modelled library function is at an address (wire/modelled.h), for calls through pointers. */
#ifndef RADDLE_RT_KNOWN_H
#define RADDLE_RT_KNOWN_H

#include <stdbool.h>

struct known { const char *real, *model, *name; };

void known_start(void);                                 /* once, before anything is called */
const struct known *known_at(const void *code);         /* or NULL */
bool known_is_told(const struct known *k);              /* a call of it is (wire/told.h) */

#endif
