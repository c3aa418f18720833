/* base/json.h -- writes JSON, one value after another; commas and quotes are its business.
 *   (1) keys are written inside objects only, values inside arrays or after a key: check()ed;
 *   (2) text that is not UTF-8 is written byte by byte as U+FFFD, so that the output is JSON whatever the program did. */
#ifndef RADDLE_BASE_JSON_H
#define RADDLE_BASE_JSON_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct json {
	FILE *out;
	unsigned depth;
	bool some[16];          /* something was written at this depth */
	bool keyed;             /* a key waits for its value */
};

void json_init(struct json *j, FILE *out);
void json_object(struct json *j);
void json_array(struct json *j);
void json_end(struct json *j, char bracket);                    /* '}' or ']' */
void json_line(struct json *j);                                 /* after the outermost '}': end of the line */
void json_key(struct json *j, const char *key);
void json_text(struct json *j, const char *text);               /* NULL: null */
void json_number(struct json *j, uint64_t n);
void json_signed(struct json *j, int64_t n);
void json_real(struct json *j, double n);
void json_bool(struct json *j, bool b);
void json_hex(struct json *j, uint64_t n);                      /* "0x..." : 64-bit numbers do not survive every reader */

/* Key and value in one. */
void json_put_text(struct json *j, const char *key, const char *text);
void json_put_number(struct json *j, const char *key, uint64_t n);
void json_put_bool(struct json *j, const char *key, bool b);
void json_put_hex(struct json *j, const char *key, uint64_t n);

/* The line raddle ends with: {"schema":1,"summary":{ ... }}, in between what the command has to say. */
void json_summary(struct json *j, FILE *out);
void json_summary_end(struct json *j);

#endif
