/* wire/probe.h -- what a program built with raddle says of itself when somebody asks what another program starts.
 *
 * The environment variable names a file every such process appends one record to, before main: struct probe_record, then its parts one
 * behind the other.  Arguments and environment are as in /proc/self: each text ends with a zero byte. */
#ifndef RADDLE_WIRE_PROBE_H
#define RADDLE_WIRE_PROBE_H

#include <stdint.h>

#define PROBE_ENV   "RADDLE_PROBE"            /* environment: path of that file */
#define PROBE_MAGIC 0x65626f7270646172ull     /* "radprobe" */

enum probe_part { PROBE_EXE, PROBE_FOLDER, PROBE_STDIN, PROBE_ARGUMENTS, PROBE_ENVIRONMENT, PROBE_PARTS };

struct probe_record {
	uint64_t magic;
	uint64_t bytes[PROBE_PARTS];
};

#endif
