/* analyses/check/certificate.h -- what a check has shown, in a file that others can check again (docs/certificate-format.md; certify/ does). */
#ifndef RADDLE_ANALYSES_CHECK_CERTIFICATE_H
#define RADDLE_ANALYSES_CHECK_CERTIFICATE_H

#include "analyses/check/check_inside.h"

/* Of a search that came to its end.  0, or -1 and why; then there is no file, or the one that was there. */
int certificate_write(struct work *w, struct err *why);

#endif
