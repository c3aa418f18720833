/* base/file.h -- files to be written: where they go, and what was there before; files read whole. */
#ifndef RADDLE_BASE_FILE_H
#define RADDLE_BASE_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

void file_folder(const char *path, char *into, size_t room);    /* "a/b" -> "a/", "/b" -> "/", "b" -> "." */
/* May a trace be written here?  0; or -1 and why: no such folder, not ours to write, or something there is no file. */
int  file_writable(const char *path, struct err *why);
void file_keep_old(const char *path);                           /* what is there is called <path>.old from now on */
/* To be read: a descriptor of a regular file, or -1, why, and errno.  A directory, a FIFO or a device is refused, and never waited for. */
int  file_open_read(const char *path, struct err *why);
/* All of it, at most `most` bytes; mem_free(*bytes), which has a zero behind it.  0, or -1 and why. */
int  file_read(const char *path, size_t most, char **bytes, size_t *count, struct err *why);

#endif
