/* drive/program.h -- a program as a child process: found, checked, started, waited for.  For record.c and steer.c. */
#ifndef RADDLE_DRIVE_PROGRAM_H
#define RADDLE_DRIVE_PROGRAM_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/err.h"

/* The file exec would run, into path[].  0, or -1 and why (code 2). */
int program_find(const char *name, char *path, size_t room, struct err *why);
/* A hash of the contents of a file, as text.  0, or -1 and why (code 2). */
#define PROGRAM_HASH 33
int program_hash(const char *path, char into[PROGRAM_HASH], struct err *why);
int program_check_full(const char *path, struct err *why);      /* 0; or -1 and why, code 3: it was not built at level full */
/* Was it built with raddle, and is its runtime there?  0 (also for what is no ELF file: it may start one), or -1 and why (code 2 or 3). */
int program_check(const char *path, struct err *why);
/* The same, but a program that may start another (a test runner, a shell) will do: *plain, it was not built with raddle itself. */
int program_check_starter(const char *path, bool *plain, struct err *why);
/* -1 and why (code 3): such a one has started none that was. */
int program_none_started(const char *name, const char *path, struct err *why);
/* The folder of a file to be written takes files.  0, or -1 and why (code 2). */
int program_check_output(const char *output, struct err *why);

struct program_start {
	const char *path;
	char *const *argv;
	char *const *environment;                       /* all of it; ends with NULL */
	bool own_group;                                 /* a process group of its own, and the terminal if we have it */
	bool fixed_addresses;                           /* no address randomisation, where permitted */
	int output;                                     /* where its standard output goes; 0: where ours does */
	bool apart;                                     /* its standard error goes there too; no terminal */
	bool bound;                                     /* it is killed when we end */
	int input;                                      /* where its standard input comes from; 0: where ours does */
};
/* Its pid; or -1 and why, when it cannot be run (code 2).  *fixed (may be NULL): addresses are not randomised. */
pid_t program_start(const struct program_start *how, bool *fixed, struct err *why);

void program_terminal_back(void);                       /* ours again, if the program was given it, */
void program_terminal_again(pid_t child);               /* and its again */
bool program_has_terminal(void);                        /* the program has it: Ctrl-Z means both of us */
int program_exit_code(int status);                      /* its own; 128 + signal */

void program_size_is_an_error(void);                    /* what would make a file larger than RLIMIT_FSIZE fails here, and ends nothing but the program */

/* Signals that mean us while a program runs: Ctrl-C and Ctrl-\ are only noted (the terminal sends them to the program too), TERM
 * and HUP are noted and handed on. */
struct program_signals { struct sigaction old[5]; int interrupted, forwarded; pid_t receiver; };
void program_signals_take(struct program_signals *s);
void program_signals_for(pid_t child);                  /* to whom they are handed on; 0 nobody */
void program_signals_leave(struct program_signals *s);  /* as they were; what came is handed on to who listened before */
void program_signals_block(sigset_t *before);           /* they come while somebody waits for them, and at no other moment; before may be NULL */
bool program_interrupted(void);                         /* since the last program_signals_take() */
bool program_forwarded(void);

#endif
