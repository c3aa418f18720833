/* base/json_read.h -- reads one JSON text into a tree.  The text is hostile: depth is bounded, nothing outside of it is looked at. */
#ifndef RADDLE_BASE_JSON_READ_H
#define RADDLE_BASE_JSON_READ_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"

enum json_type { JSON_NULL, JSON_FALSE, JSON_TRUE, JSON_NUMBER, JSON_TEXT, JSON_ARRAY, JSON_OBJECT };

struct json_value {
	enum json_type type;
	const char *text;                       /* TEXT: decoded, with a zero behind it; NUMBER: as it stood there */
	size_t length;                          /* of the text, which may hold zeros */
	double number;
	const char *key;                        /* of a member of an object, or NULL */
	size_t count;                           /* members, elements */
	struct json_value *first, *next;        /* of an array or object; its neighbour */
};

/* All of bytes[0..count) is one value, in the memory of `a`.  NULL: it is not; *where is the byte at which that was seen. */
struct json_value *json_read(struct arena *a, const char *bytes, size_t count, size_t *where);
const struct json_value *json_member(const struct json_value *object, const char *key);        /* NULL: none, or no object */
const char *json_member_text(const struct json_value *object, const char *key);                /* NULL: no such text */

#endif
