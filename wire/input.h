/* wire/input.h -- what came into a steered program from outside, as its runtime writes it and gets it served again.
 *
 * A stream of records, each a multiple of 8 bytes: struct input_record, then its pieces, each a struct input_piece followed by
 * its bytes and as many zero bytes as make 8.  The runtime writes it to a descriptor raddle gave it (steer_head.input_fd),
 * whole records, in the order things happened, so it is sound up to its last whole record whatever became of the program.  For
 * a replay raddle hands the same stream back in a file to be mapped.  As a file beside the schedule: drive/input.c.
 *
 *   INPUT_STRAND   `strand` in the records that follow is the thread with the path in piece 0
 *   INPUT_CALL     a system call: number, result (-errno), what it left in the program's memory; a call that came back in parts has
 *                  several records, all but the last with INPUT_MORE; of a write to a file that is mapped, piece 0 is which and where
 *   INPUT_MAP      the same for a mapping of a file: piece 0 is what the file held
 *   INPUT_TEXT     an environment variable the program looked at: piece 0 its name, piece 1 its value if result is 1
 *   INPUT_SIGNAL   nobody's: at event `nth` of all threads signal `number` came, piece 0 is its siginfo_t
 *   INPUT_CLOCK    nobody's: at event `nth` of all threads the virtual clock stood at `result`, for somebody really waited
 *
 * The stream is hostile input to the runtime that serves it and to raddle: every number is checked. */
#ifndef RADDLE_WIRE_INPUT_H
#define RADDLE_WIRE_INPUT_H

#include <stdint.h>

enum steer_input { INPUT_NONE = 0, INPUT_KEEP = 1, INPUT_SERVE = 2 };

enum input_what { INPUT_STRAND = 1, INPUT_CALL = 2, INPUT_MAP = 3, INPUT_TEXT = 4, INPUT_CLOCK = 5, INPUT_SIGNAL = 6 };

#define INPUT_MORE   1u
#define INPUT_PIECES 8u

struct input_record {
	uint64_t bytes;           /* of the whole record */
	uint16_t what, pieces;
	uint32_t flags;
	uint32_t strand;
	int32_t  number;          /* of the system call */
	uint64_t nth;             /* events of the strand when it was made */
	int64_t  result;
	uint64_t check;           /* hash of what it sent; 0 nothing */
	uint64_t next;            /* 0; the runtime chains the records of one strand through it */
};

struct input_piece {
	uint64_t index;           /* which of the places the call fills */
	uint64_t bytes;
};

#endif
