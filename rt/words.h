/* rt/words.h -- text put together and numbers read, without libc, which may be interposed or not be ready. */
#ifndef RADDLE_RT_WORDS_H
#define RADDLE_RT_WORDS_H

#include <stdbool.h>
#include <stdint.h>

/* `text` at to[at], as far as there is room; where it ends: there is a zero. */
static inline unsigned words_add(char *to, unsigned at, unsigned room, const char *text)
{
	while (*text && at + 1 < room)
		to[at++] = *text++;
	to[at] = 0;
	return at;
}

static inline unsigned words_add_number(char *to, unsigned at, unsigned room, uint64_t number)
{
	char digits[24];
	unsigned count = sizeof digits - 1;
	digits[count] = 0;
	do digits[--count] = (char)('0' + number % 10); while (number /= 10);
	return words_add(to, at, room, digits + count);
}

static inline bool words_same(const char *a, const char *b)
{
	while (*a && *a == *b)
		a++, b++;
	return *a == *b;
}

/* The number at *text; *text is behind it then. */
static inline uint64_t words_number(const char **text)
{
	uint64_t value = 0;
	while (**text >= '0' && **text <= '9')
		value = value * 10 + (uint64_t)(*(*text)++ - '0');
	return value;
}

#endif
