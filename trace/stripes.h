/* trace/stripes.h -- which counter of the runtime gave an event its version.
 *
 * Versions of one stripe are one order.  Heap, mapping, stack and thread-local events share a counter of their own; a
 * condition's waits are counted with its lock (arg), everything else with its object.  rt/record.c is the other side. */
#ifndef RADDLE_TRACE_STRIPES_H
#define RADDLE_TRACE_STRIPES_H

#include "wire/kinds.h"
#include "wire/ring.h"

#define STRIPES   (VERSION_STRIPES + 1u)        /* the last is the one counter of heap and mapping events */
#define NO_STRIPE UINT32_MAX

/* The stripe whose counter events of this kind use, below STRIPES. */
static inline uint32_t stripe_counting(unsigned kind, uint64_t object, uint64_t arg)
{
	if (kind >= EV_ALLOC && kind <= EV_TLS)
		return VERSION_STRIPES;
	return stripe_of(kind == EV_CWAIT || kind == EV_CWAKE ? arg & RECORD_ADDRESS_MASK : object);
}

/* The stripe `version` of such an event belongs to; NO_STRIPE: it is none. */
static inline uint32_t stripe_of_version(unsigned kind, uint64_t object, uint64_t arg, uint64_t version)
{
	if (version == 0 || kind == EV_INPUT || kind == EV_OUTPUT)      /* those two have a file descriptor there */
		return NO_STRIPE;
	return stripe_counting(kind, object, arg);
}

#endif
