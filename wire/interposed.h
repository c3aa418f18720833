/* wire/interposed.h -- the library functions the runtime stands in front of, one X(name) each.
 * A dynamic program is caught by symbol order; a static link is given --wrap=name for each by the compiler driver.
 * Grouped by the file of rt/ that defines them. */
#ifndef RADDLE_WIRE_INTERPOSED_H
#define RADDLE_WIRE_INTERPOSED_H

#define INTERPOSED(X) \
	INTERPOSED_THREADS(X) \
	INTERPOSED_OUTSIDE(X)

#include "wire/interposed_threads.h"
#include "wire/interposed_outside.h"

#endif
