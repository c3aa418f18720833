/* base/buffer.h -- bytes that grow at the end.  An all-zero one is empty; buffer_release() gives the memory back. */
#ifndef RADDLE_BASE_BUFFER_H
#define RADDLE_BASE_BUFFER_H

#include <stddef.h>
#include <stdint.h>

struct buffer { uint8_t *at; size_t count, room; };

void buffer_add(struct buffer *b, const void *bytes, size_t count);
void buffer_print(struct buffer *b, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Text from outside as it goes into lines of facts: control bytes and backslashes as \xNN. */
void buffer_quote(struct buffer *b, const char *text);
void buffer_release(struct buffer *b);

#endif
