/* rt/stdio.c -- input and output through streams, as the program asks for them; what libc then reads and writes underneath
 * is not recorded again.  The printf and scanf families are in varargs.c, what opens and closes streams in opened.c.  Wide and unlocked functions are not seen. */
#define __NO_INLINE__ 1         /* libc's header must declare these functions, not define them */
#include <stdio.h>

#include "rt/effect.h"
#include "rt/opened.h"

size_t __fread_chk(void *to, size_t room, size_t size, size_t count, FILE *stream);
char *__fgets_chk(char *to, size_t room, int bytes, FILE *stream);
int _IO_getc(FILE *stream);
int _IO_putc(int byte, FILE *stream);

static size_t length_of(const char *text)
{
	size_t length = 0;
	while (text[length])
		length++;
	return length;
}

/* ---- in ---- */

static size_t block_in(FILE *stream, const void *to, size_t size, size_t got, uint64_t pc)
{
	note_input(stream->_fileno, to, (int64_t)(size * got), pc);
	return got;
}

INTERPOSE_STREAM(size_t, fread, (void *to, size_t size, size_t count, FILE *stream))
{
	if (!rt_on())
		return REAL(fread)(to, size, count, stream);
	opened_used(stream, RT_PC);
	return block_in(stream, to, size, REAL(fread)(to, size, count, stream), RT_PC);
}

INTERPOSE_STREAM(size_t, __fread_chk, (void *to, size_t room, size_t size, size_t count, FILE *stream))
{
	if (!rt_on())
		return REAL(__fread_chk)(to, room, size, count, stream);
	opened_used(stream, RT_PC);
	return block_in(stream, to, size, REAL(__fread_chk)(to, room, size, count, stream), RT_PC);
}

static char *line_in(FILE *stream, char *got, uint64_t pc)
{
	note_input(stream->_fileno, got, got ? (int64_t)length_of(got) + 1 : 0, pc);
	return got;
}

INTERPOSE_STREAM(char *, fgets, (char *to, int bytes, FILE *stream))
{
	if (!rt_on())
		return REAL(fgets)(to, bytes, stream);
	opened_used(stream, RT_PC);
	return line_in(stream, REAL(fgets)(to, bytes, stream), RT_PC);
}

INTERPOSE_STREAM(char *, __fgets_chk, (char *to, size_t room, int bytes, FILE *stream))
{
	if (!rt_on())
		return REAL(__fgets_chk)(to, room, bytes, stream);
	opened_used(stream, RT_PC);
	return line_in(stream, REAL(__fgets_chk)(to, room, bytes, stream), RT_PC);
}

static ssize_t delimited_in(FILE *stream, char **line, size_t *room, ssize_t got, uint64_t pc)
{
	note_input(stream->_fileno, got > 0 ? *line : NULL, got > 0 ? got + 1 : 0, pc);
	effect_result(line, sizeof *line, pc);
	effect_result(room, sizeof *room, pc);
	return got;
}

INTERPOSE_STREAM(__ssize_t, getline, (char **line, size_t *room, FILE *stream))
{
	if (!rt_on())
		return REAL(getline)(line, room, stream);
	opened_used(stream, RT_PC);
	return delimited_in(stream, line, room, REAL(getline)(line, room, stream), RT_PC);
}

__ssize_t __getdelim(char **line, size_t *room, int end, FILE *stream);
INTERPOSE_STREAM(__ssize_t, __getdelim, (char **line, size_t *room, int end, FILE *stream))
{
	if (!rt_on())
		return REAL(__getdelim)(line, room, end, stream);
	opened_used(stream, RT_PC);
	return delimited_in(stream, line, room, REAL(__getdelim)(line, room, end, stream), RT_PC);
}

INTERPOSE_STREAM(__ssize_t, getdelim, (char **line, size_t *room, int end, FILE *stream))
{
	if (!rt_on())
		return REAL(getdelim)(line, room, end, stream);
	opened_used(stream, RT_PC);
	return delimited_in(stream, line, room, REAL(getdelim)(line, room, end, stream), RT_PC);
}

/* One byte, or the end of the stream; it comes in a register, so there is no address. */
static int byte_in(FILE *stream, int got, uint64_t pc)
{
	char byte = (char)got;
	rt_event_bytes(EV_INPUT, 0, got != EOF, (uint64_t)stream->_fileno + 1, &byte, got != EOF, 1, pc);
	return got;
}

#define GETC_LIKE(name) \
	INTERPOSE_STREAM(int, name, (FILE *stream)) \
	{ \
		if (!rt_on()) \
			return REAL(name)(stream); \
		opened_used(stream, RT_PC); \
		return byte_in(stream, REAL(name)(stream), RT_PC); \
	}
GETC_LIKE(fgetc)
GETC_LIKE(getc)
GETC_LIKE(_IO_getc)

INTERPOSE_STREAM(int, getchar, (void))
{
	if (!rt_on())
		return REAL(getchar)();
	return byte_in(stdin, REAL(getchar)(), RT_PC);
}

/* ---- out ---- */

INTERPOSE_STREAM(size_t, fwrite, (const void *from, size_t size, size_t count, FILE *stream))
{
	if (!rt_on())
		return REAL(fwrite)(from, size, count, stream);
	opened_used(stream, RT_PC);
	note_output(stream->_fileno, from, size * count, RT_PC);
	size_t sent = REAL(fwrite)(from, size, count, stream);
	note_sent(stream->_fileno, from, (int64_t)(sent * size), size * count, RT_PC);
	return sent;
}

/* A string: its terminator is read but does not go out. */
static void text_out(FILE *stream, const char *text, uint64_t pc)
{
	size_t length = length_of(text);
	note_output(stream->_fileno, text, length, pc);
	if (raddle_tls.mode >= MODE_ACCESS)
		effect_read(text + length, 1, pc);
}

INTERPOSE_STREAM(int, fputs, (const char *text, FILE *stream))
{
	if (!rt_on())
		return REAL(fputs)(text, stream);
	opened_used(stream, RT_PC);
	text_out(stream, text, RT_PC);
	return REAL(fputs)(text, stream);
}

INTERPOSE_STREAM(int, puts, (const char *text))
{
	if (!rt_on())
		return REAL(puts)(text);
	text_out(stdout, text, RT_PC);
	return REAL(puts)(text);
}

static void byte_out(int byte, FILE *stream, uint64_t pc)
{
	char one = (char)byte;
	rt_event_bytes(EV_OUTPUT, 0, 1, (uint64_t)stream->_fileno + 1, &one, 1, 1, pc);
}

#define PUTC_LIKE(name) \
	INTERPOSE_STREAM(int, name, (int byte, FILE *stream)) \
	{ \
		if (rt_on()) { \
			opened_used(stream, RT_PC); \
			byte_out(byte, stream, RT_PC); \
		} \
		return REAL(name)(byte, stream); \
	}
PUTC_LIKE(fputc)
PUTC_LIKE(putc)
PUTC_LIKE(_IO_putc)

INTERPOSE_STREAM(int, putchar, (int byte))
{
	if (rt_on())
		byte_out(byte, stdout, RT_PC);
	return REAL(putchar)(byte);
}
