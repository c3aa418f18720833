/* drive/input.h -- what came into a program from outside, kept beside its schedule and served to a replay (wire/input.h).
 *
 * File X.input: struct input_file, then the stream of records in one zstd frame.  It is made by `raddle run --save-schedule=X.sched`
 * and named, with its hash, by that schedule.  It holds what the program read: mode 0600. */
#ifndef RADDLE_DRIVE_INPUT_H
#define RADDLE_DRIVE_INPUT_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

#define INPUT_MAGIC   0x7475706e69646172ull     /* "radinput" */
#define INPUT_VERSION 1u

struct input_file {
	uint64_t magic;
	uint32_t version, reserved;
	uint64_t bytes;                         /* of the stream */
	uint64_t hash;                          /* XXH64 of the stream */
};

const char *input_name(const char *schedule, char *into, size_t room);  /* "a/X.sched" -> "a/X.input"; returns "X.input" */
void input_beside(const char *schedule, const char *name, char *into, size_t room);     /* "a/X.sched", "Y" -> "a/Y" */

/* A descriptor a steered program can keep its input in; -1 and why. */
int input_make(struct err *why);
/* Writes what it kept, up to its last whole record, to a file.  0 and *hash; or -1 and why (code 125). */
int input_save(int fd, const char *path, uint64_t *hash, struct err *why);
/* A descriptor to serve it from; -1 and why (code 3: no such file, damaged, not the one with this hash). */
int input_load(const char *path, uint64_t hash, struct err *why);

/* Of what a program took in: each variable of the environment it looked at. */
void input_each_variable(int fd, void (*each)(void *to, const char *name, size_t length), void *to);

/* Is this stream sound?  The offset of the first byte that is not; `bytes` if all of it is. */
uint64_t input_check(const void *stream, uint64_t bytes);

#endif
