/* wire/version.h -- numbers that must agree between the halves of raddle.
 * Raise a number when its layout changes; a reader names both numbers when they differ. */
#ifndef RADDLE_WIRE_VERSION_H
#define RADDLE_WIRE_VERSION_H

#define RADDLE_VERSION        "0.1.0"
#define WIRE_RING_VERSION     10u     /* wire/ring.h: program <-> recorder memory */
#define WIRE_SITES_VERSION    6u     /* wire/sites.h: tables inside an instrumented object */
#define WIRE_STEER_VERSION    23u    /* wire/steer.h: steered program <-> raddle memory */
#define WIRE_TRACE_VERSION    1u     /* trace/format.h: a trace file */

#endif
