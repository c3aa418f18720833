/* drive/stdin.h -- standard input for many runs: each reads it from its beginning. */
#ifndef RADDLE_DRIVE_STDIN_H
#define RADDLE_DRIVE_STDIN_H

/* A descriptor of its own for what we were given as standard input, at the place it was given to us; to be closed.  What comes through a
 * pipe is read to its end the first time, and kept; what a terminal would say is not for many runs: it is empty.  -1: there is none. */
int  stdin_again(void);
void stdin_rewind(int fd);              /* such a descriptor, as it was */

#endif
