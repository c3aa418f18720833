/* drive/server.h -- one program, started once to make many runs, one at a time (what is said: wire/serve.h). */
#ifndef RADDLE_DRIVE_SERVER_H
#define RADDLE_DRIVE_SERVER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "drive/steer.h"

struct server;

struct server_setup {
	const struct steer_options *like;       /* program and settings of all runs; lives as long as the server */
	int input;                              /* descriptor its runs have as standard input */
	uint64_t most_memory;                   /* bytes a run may have in memory; 0 no limit */
};

/* What is known of a run beside its result. */
struct server_run {
	uint32_t ended;                         /* enum serve_ended */
	double seconds;                         /* of processor time */
	double copying;                         /* seconds it took to copy the server */
	uint64_t leftovers;                     /* processes it left behind */
};

/* 0 and *out; 1: this program cannot be served, each run needs a process of its own; -1 and why, as steer_run() has it. */
int  server_start(struct server **out, const struct server_setup *setup, struct err *why);
void server_end(struct server *s);                              /* also in the middle of a run; NULL is fine */

/* Begins a run, from the last checkpoint if there is one: then it is the caller's word that up to there it would be the same run.
 * With o->keep_at it becomes a checkpoint.  `o` lives until it is over.  0, or -1: the server is gone. */
int  server_give(struct server *s, const struct steer_options *o);
int  server_fd(const struct server *s);                         /* readable when server_look() has something to do */
bool server_drains(const struct server *s);                     /* a trace is kept: server_look() wants to be called often */
/* 1: the run is over, server_take() has it; 0: it goes on; -1: the server is gone, and the run with it; SERVER_KEPT: it is a checkpoint. */
#define SERVER_KEPT 2
int  server_look(struct server *s);
int  server_leave(struct server *s);                            /* the last checkpoint is given up: 0, or -1: the server is gone */
void server_stop_run(struct server *s);                         /* it is to end now: server_look() will say when */
/* What came of the run that is over.  0 and *out to be released; -1 and why: the server is of no use any more. */
int  server_take(struct server *s, struct steer_result *out, struct server_run *about, struct err *why);
/* The server is gone or does not answer: as if the run had been killed.  server_take() has it. */
void server_lost(struct server *s);
int  server_output(const struct server *s);                     /* descriptor of the memory the run's output went to */

#endif
