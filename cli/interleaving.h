/* cli/interleaving.h -- a failing run as people draw it: a column for each thread, a line for each thing others can notice, with its place in the source and its value. */
#ifndef RADDLE_CLI_INTERLEAVING_H
#define RADDLE_CLI_INTERLEAVING_H

/* Replays the schedule in this file and prints it; nothing if that cannot be done. */
void interleaving_say(const char *schedule);

#endif
