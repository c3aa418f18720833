/* base/buffer.c -- bytes that grow at the end. */
#include "base/buffer.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/vec.h"

static void make_room(struct buffer *b, size_t count)
{
	if (b->count + count <= b->room)
		return;
	b->room = 2 * (b->count + count) + 64;
	b->at = mem_resize(b->at, b->room);
}

void buffer_add(struct buffer *b, const void *bytes, size_t count)
{
	make_room(b, count);
	if (count)
		memcpy(b->at + b->count, bytes, count);
	b->count += count;
}

void buffer_print(struct buffer *b, const char *format, ...)
{
	va_list args, again;
	va_start(args, format);
	va_copy(again, args);
	int length = vsnprintf(NULL, 0, format, args);
	make_room(b, (size_t)length + 1);
	vsnprintf((char *)b->at + b->count, (size_t)length + 1, format, again);
	b->count += (size_t)length;
	va_end(again);
	va_end(args);
}

void buffer_quote(struct buffer *b, const char *text)
{
	for (; *text; text++)
		if ((unsigned char)*text < 32 || *text == '\\' || *text == 127)
			buffer_print(b, "\\x%02x", (unsigned char)*text);
		else
			buffer_add(b, text, 1);
}

void buffer_release(struct buffer *b)
{
	mem_free(b->at);
	*b = (struct buffer){ 0 };
}
