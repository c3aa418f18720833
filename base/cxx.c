/* base/cxx.c -- see cxx.h.  Names come from files: one of a hundred bytes may stand for one of gigabytes, so demangling is
 * left for good, by a jump, as soon as the room is used up.  The demangler called this way takes no memory but the stack. */
#include "base/cxx.h"

#include <setjmp.h>
#include <string.h>

#include <libiberty/demangle.h>

#include "base/err.h"
#include "base/str.h"

#define NAME_MOST 4096                          /* longer ones stay as they are; what they stand for is cut there */

struct answer { char *at; size_t used, room; jmp_buf full; };

static void take(const char *text, size_t count, void *to)
{
	struct answer *a = to;
	size_t fits = a->room - a->used;
	if (count > fits)
		count = fits;
	memcpy(a->at + a->used, text, count);
	a->used += count;
	if (a->used == a->room)
		longjmp(a->full, 1);
}

static bool demangle(const char *name, int how, char *into, size_t room)
{
	struct answer a = { .at = into, .room = room - 1 };
	bool known = true;
	if (setjmp(a.full))
		memcpy(into + room - 4, "...", 4);
	else if ((known = cplus_demangle_v3_callback(name, how, take, &a)))
		into[a.used] = 0;
	return known;
}

/* Every `from` in `text` becomes `to`, which is not longer. */
static bool replace(char *text, const char *from, const char *to)
{
	size_t gone = strlen(from), come = strlen(to);
	bool some = false;
	check(come <= gone);
	for (char *at = text; (at = strstr(at, from)); at += come, some = true) {
		memcpy(at, to, come);
		memmove(at + come, at + gone, strlen(at + gone) + 1);
	}
	return some;
}

static bool shorten(char *text)
{
	static const char *const long_short[][2] = {
		{ "[abi:cxx11]", "" }, { "__cxx11::", "" },
		{ "std::basic_string<char, std::char_traits<char>, std::allocator<char> >", "std::string" },
		{ "std::basic_string<char, std::char_traits<char>, std::allocator<char>>", "std::string" },
		{ "std::string >", "std::string>" },
		{ "_IO_2_1_stdin_", "stdin" }, { "_IO_2_1_stdout_", "stdout" }, { "_IO_2_1_stderr_", "stderr" },        /* as the C library calls them inside */
	};
	bool some = false;
	for (size_t i = 0; i < sizeof long_short / sizeof *long_short; i++)
		some |= replace(text, long_short[i][0], long_short[i][1]);
	return some;
}

bool cxx_name(const char *name, char *into, size_t room)
{
	char text[NAME_MOST];
	check(room >= 4);
	if (strnlen(name, NAME_MOST) == NAME_MOST)
		return false;
	bool mangled = str_starts(name, "_Z");
	if (mangled && !demangle(name, DMGL_NO_OPTS, text, sizeof text))
		return false;
	if (!mangled)
		strcpy(text, name);
	if (!shorten(text) && !mangled)
		return false;
	size_t n = strlen(text);
	memcpy(into, text, n < room ? n + 1 : room);
	if (n >= room)
		memcpy(into + room - 4, "...", 4);
	return true;
}

bool cxx_whole(const char *name, char *into, size_t room)
{
	char text[NAME_MOST];
	if (!str_starts(name, "_Z") || strnlen(name, NAME_MOST) == NAME_MOST || !demangle(name, DMGL_PARAMS | DMGL_ANSI, text, sizeof text))
		return false;
	shorten(text);
	size_t n = strlen(text);
	memcpy(into, text, n < room ? n + 1 : room);
	into[room - 1] = 0;
	return true;
}
