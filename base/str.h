/* base/str.h -- texts a user typed: numbers, sizes, near misses; and texts made for a user. */
#ifndef RADDLE_BASE_STR_H
#define RADDLE_BASE_STR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

bool str_starts(const char *text, const char *with);
bool str_number(const char *text, uint64_t *out);       /* all of it is one decimal or 0x number that fits */
bool str_size(const char *text, uint64_t *out);         /* the same, or decimal with K M G T behind it (powers of 1024) */
bool str_seconds(const char *text, uint64_t *out);      /* a number of seconds, or a number with s, m or h behind it */
unsigned str_distance(const char *a, const char *b);    /* edits from one to the other; 99 when far too long to ask */
size_t str_utf8(const char *text);                      /* bytes of the UTF-8 character it begins with; 0: it is none */
size_t str_shown(const char *text);                     /* the same, of one a terminal may get as it is; 0: a control character, or none at all */
char *str_escape(char *into, size_t room, const char *text);    /* all others as \xNN; returns into */
char *str_shell(char *into, size_t room, const char *text);     /* as a shell takes it for one word; returns into */
const char *str_error(int number);                      /* of an errno, in lower case, as messages want it */

/* "12,345,678" and "64 MB", into a buffer of at least STR_NUMBER bytes; return it. */
#define STR_NUMBER 32
char *str_grouped(char *into, uint64_t n);
char *str_bytes(char *into, uint64_t bytes);

/* A text that grows to its right as far as there is room; what does not fit is left out.  The room is never 0. */
struct sentence { char *at; size_t room; };
__attribute__((format(printf, 2, 3)))
void str_say(struct sentence *s, const char *format, ...);

#endif
