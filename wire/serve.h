/* wire/serve.h -- what raddle says to a steered program that was started once to make many runs, and what it answers.
 *
 * With `serve` in wire/steer.h's memory the program stops in front of its first visible event and becomes a *server*:
 *
 *   server: REPORT_READY
 *   raddle: puts an order into the shared memories, then SERVE_RUN
 *   server: puts back what the last run wrote there, makes a copy of itself, which is the run, waits for it; REPORT_DONE
 *
 * A run whose order has `keep_at` becomes a server itself in the middle: in front of the first decision that depends on step keep_at of
 * its script, or on one behind it.  It says REPORT_KEPT, and orders are its own from then on; their scripts begin with the same steps.
 * SERVE_LEAVE ends it, and the server that made it says REPORT_DONE and waits for orders again.  So there may be several, one in the
 * other.  If the run ends before, or has done what cannot be done again by a copy (keep_refused), it is a run like any other.
 *
 * With keep_at KEEP_PARTS the process is no server but a run that others part from, at places it is told one by one (fault_order.at, in the order it comes
 * to them).  There it hands over what it has recorded, says REPORT_KEPT (status: enum keep_refused, 0: copies can be made) and waits: SERVE_RUN
 * makes a copy, with that folder and descriptors of its own, which makes the fault and runs to its end, REPORT_DONE; SERVE_ON, after the ring was
 * emptied and another place put there, lets the run itself go on.
 *
 * With `stays` a run that exits does not end its process: that says REPORT_STAYS, leaves everything as it is for raddle to look at,
 * and waits for steer_head.orders to rise.  Then the memories have another order, and it makes that run; or `stays` is 0, and it ends.  If it cannot, the process
 * ends with its run, and the server says so.
 *
 * One message is one packet on a socket (steer_head.serve_fd).  The socket's end is the end of the server, and of the run it makes;
 * a run has no hand in it: it closes its copy first of all, unless it is to become a server or stays.  The memories, though, were written by runs: hostile to raddle and server. */
#ifndef RADDLE_WIRE_SERVE_H
#define RADDLE_WIRE_SERVE_H

#include <stdint.h>

enum serve_word {
	SERVE_RUN = 1,            /* make the run the shared memories order */
	SERVE_STOP = 2,           /* the run in progress is to end now; when there is none, nothing */
	SERVE_LEAVE = 3,          /* the server is to end, if it is not the first one */
	SERVE_ON = 4              /* the run others part from goes on */
};

struct serve_command {
	uint32_t word;            /* enum serve_word */
	uint32_t spare;
	uint64_t most_memory;     /* SERVE_RUN: bytes the run may have in memory before it is ended; 0 no limit */
};

enum serve_report_what { REPORT_READY = 1, REPORT_DONE = 2, REPORT_KEPT = 3, REPORT_STAYS = 4 };
enum serve_ended { ENDED_ITSELF = 0, ENDED_STOPPED = 1, ENDED_MEMORY = 2 };

struct serve_report {
	uint32_t what;            /* enum serve_report_what */
	int32_t  pid;             /* READY, KEPT: of the server; DONE, STAYS: of the run, or of the server that was left */
	int32_t  status;          /* as from waitpid */
	uint32_t ended;           /* enum serve_ended */
	uint64_t nanoseconds;     /* of processor time */
	uint64_t copying;         /* nanoseconds it took to copy the server */
	uint64_t leftovers;       /* processes the run had made and left behind; they were ended */
};

#endif
