/* base/err.c -- messages for the user and the end of the road for our own bugs. */
#include "base/err.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

int err_set(struct err *e, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	vsnprintf(e->text, sizeof e->text, format, args);
	va_end(args);
	e->hint[0] = 0;
	e->code = 0;
	return -1;
}

int err_hint(struct err *e, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	vsnprintf(e->hint, sizeof e->hint, format, args);
	va_end(args);
	return -1;
}

_Noreturn void check_failed(const char *condition, const char *file, int line)
{
	fprintf(stderr, "raddle: internal error at %s:%d: %s\n"
		"hint: this is a bug in raddle, not in your program; what you asked for was not done\n", file, line, condition);
	abort();
}
