/* drive/record.h -- run a program built with raddle and write down what its threads do. */
#ifndef RADDLE_DRIVE_RECORD_H
#define RADDLE_DRIVE_RECORD_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "drive/drain.h"
#include "wire/fault.h"
#include "wire/tls.h"

struct record_options {
	const char *output;             /* never NULL; an old file of that name is kept once as <output>.old */
	enum run_mode level;            /* MODE_SYNC or MODE_ACCESS: at most what was compiled in */
	uint64_t last;                  /* flight recorder of so many bytes; 0: everything, to disk */
	uint64_t max_size;              /* bytes on disk before it turns into a flight recorder; 0: the default */
	bool no_values;                 /* record no values */
	bool json;                      /* the last line as JSON on stdout */
	bool outlives;                  /* what is recorded outlives us, if we are killed, in a file beside the output (drive/leftover.h) */
	bool full;                      /* refuse a program that was not built at level full */
	int program_output, program_input;      /* descriptors that are the program's standard output and input; 0: ours are */
	bool quiet;                     /* no summary */
	struct fault_order *fault;      /* one to be made (wire/fault.h), and what became of it: not to be believed; or NULL */
	uint64_t limit_ms;              /* the program is killed if it hangs after so long (drive/late.h); 0: never */
	bool *late;                     /* it was; may be NULL */
	unsigned *left;                 /* with a limit: processes it had left behind when it ended, which were ended; may be NULL */
	bool *signalled;                /* the program was ended by a signal; may be NULL */
	bool fixed;                     /* no address randomisation, where permitted; what raddle itself puts into the environment is of one length */
	bool apart;                     /* a process group of its own, and not the terminal: what it sends to its group does not reach us */
	struct drain_sink *sink;        /* gets the records (drive/drain.h); no file is written and output may be NULL.  Or NULL */
	uint64_t limit_segments;        /* the program is taken for one that hangs when it has filled so many; 0: no limit */
	char **argv;                    /* program and arguments, ends with NULL */
};

/* The exit code to end with (the program's own; 128 + signal), or -1 and why; why->code is then
 * 2 no such program, 3 not built with raddle, 125 our own failure. */
int record_run(const struct record_options *options, struct err *why);

#endif
