/* base/ini.h -- a file of sections, keys and values, as people write them:
 *
 *   [section]          # or ; begins a comment, at the start of a line or behind a blank
 *   key = value        a key may stand there more than once; order is kept
 *
 * Not by inih, which Debian builds so that it cuts lines at 200 bytes and names of sections at 49, ends silently at a zero byte, and says of a bad line its
 * number alone: a campaign must not run a command that was cut, and must say what is wrong. */
#ifndef RADDLE_BASE_INI_H
#define RADDLE_BASE_INI_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/vec.h"

struct ini_line { const char *section, *key, *value; unsigned line; };
struct ini { VEC(struct ini_line) lines; char *text; size_t bytes; };

int  ini_read(struct ini *i, const char *path, struct err *why);        /* 0, or -1 and why (code 3), which names the line */
void ini_release(struct ini *i);

#endif
