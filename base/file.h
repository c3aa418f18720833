/* base/file.h -- files to be written: where they go, and what was there before; files read whole. */
#ifndef RADDLE_BASE_FILE_H
#define RADDLE_BASE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/err.h"

void file_folder(const char *path, char *into, size_t room);    /* "a/b" -> "a/", "/b" -> "/", "b" -> "." */
/* May a trace be written here?  0; or -1 and why: no such folder, not ours to write, or something there is no file. */
int  file_writable(const char *path, struct err *why);
void file_keep_old(const char *path);                           /* what is there is called <path>.old from now on */
/* To be read: a descriptor of a regular file, or -1, why, and errno.  A directory, a FIFO or a device is refused, and never waited for. */
int  file_open_read(const char *path, struct err *why);

/* Files that are written.  No link that somebody put there is followed: a new file is made beside its name, by a name nobody can guess
 * (O_EXCL), and takes the place of whatever was called so; what is there and no regular file or link is refused.  -1, why, and errno. */
#define FILE_OURS   0600u                       /* schedules, inputs, traces, databases, states, certificates: they hold what the program was given */
#define FILE_REPORT 0666u                       /* as the umask has it */
int  file_create(const char *path, unsigned mode, struct err *why);             /* at once; to be written and read */
int  file_create_beside(const char *path, unsigned mode, char *beside, size_t room, struct err *why);   /* rename() it when it is whole */
/* What is locked, or kept by a database: the file that is there, or a new one of our own. */
int  file_keep(const char *path, struct err *why);
FILE *file_stream(const char *path, struct err *why);           /* the same as a stream, or NULL and why */
/* All of it, at most `most` bytes; mem_free(*bytes), which has a zero behind it.  0, or -1 and why. */
int  file_read(const char *path, size_t most, char **bytes, size_t *count, struct err *why);

#endif
