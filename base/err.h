/* base/err.h -- why something failed, in words for the user; and check(), for what is our own fault.
 *
 * A function that can fail for the user's reasons takes a `struct err *` last and fills it with err_set() before it
 * returns -1; a code or a hint is set behind it, for err_set() clears both.  Messages: lower case, subject quoted,
 * no full stop, no source line; `hint` is the way out. */
#ifndef RADDLE_BASE_ERR_H
#define RADDLE_BASE_ERR_H

struct err {
	char text[512];
	char hint[256];         /* "" if there is none */
	int code;               /* exit code that fits: 2 command line, 3 input, 125 our own run; 0 = caller decides */
};

int  err_set(struct err *e, const char *format, ...) __attribute__((format(printf, 2, 3)));      /* always -1 */
int  err_hint(struct err *e, const char *format, ...) __attribute__((format(printf, 2, 3)));     /* always -1 */

/* Our bug, not the user's: says file and line and aborts, in release builds too. */
#define check(condition) ((condition) ? (void)0 : check_failed(#condition, __FILE__, __LINE__))
_Noreturn void check_failed(const char *condition, const char *file, int line);

#endif
