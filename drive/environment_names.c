/* drive/environment_names.c -- names of environment variables that something acts on besides the program: see environment.h.
 *
 * A schedule may come from a stranger.  A variable that makes the loader, libc, a shell or an interpreter load, run or read a file
 * of the schedule's choice is never taken from it.  Sources of the tables: what glibc removes for programs with more rights than
 * their caller (sysdeps/generic/unsecvars.h, 2.36 and 2.41) and reads besides (`info libc`, resolv.conf(5), ld.so(8),
 * catopen(3)); sh(1), bash(1), zsh(1); the manuals of the interpreters; the OpenMP specification for OMP_TOOL. */
#include "drive/environment.h"

#include <string.h>

#include "base/str.h"

struct table { const char *const *names; size_t count; };
#define TABLE(list) (struct table){ list, sizeof list / sizeof *list }

/* An entry that ends with '*' stands for all names that begin so. */
static bool is_in(const char *name, size_t length, struct table t)
{
	for (size_t i = 0; i < t.count; i++) {
		size_t n = strlen(t.names[i]);
		bool family = n && t.names[i][n - 1] == '*';
		if (family ? length >= n - 1 && !memcmp(name, t.names[i], n - 1) : length == n && !memcmp(name, t.names[i], n))
			return true;
	}
	return false;
}

static const char *const acted_on[] = {
	/* the loader and libc */
	"LD_*", "GLIBC_*", "MALLOC_*", "GCONV_PATH", "GETCONF_DIR", "HOSTALIASES", "LOCALDOMAIN", "LOCPATH", "NIS_PATH", "NLSPATH",
	"PATH_LOCALE", "PCPROFILE_OUTPUT", "RESOLV_*", "RES_OPTIONS", "SEGFAULT_*", "SOTRUSS_*", "TEXTDOMAINDIR", "TMPDIR", "TZDIR",
	/* what system(), popen() and execvp() run with */
	"PATH", "SHELL", "IFS", "CDPATH", "ENV", "BASH*", "SHELLOPTS", "GLOBIGNORE", "PS4", "PROMPT_COMMAND", "FPATH", "NULLCMD",
	"READNULLCMD", "ZDOTDIR", "TMPPREFIX",
	/* interpreters and libraries that load what a variable names */
	"PYTHON*", "PERL*", "RUBY*", "NODE_*", "JAVA_*", "_JAVA_*", "JDK_*", "CLASSPATH", "LUA_*", "TCL*", "GUILE_*", "GIT_*",
	"TERMINFO*", "TERMPATH", "TERMCAP", "GTK_*", "GIO_*", "QT_*", "OPENSSL_*", "SSLKEYLOGFILE", "KRB5*", "OMP_TOOL*", "LIBC_*",
	"ASAN_*", "LSAN_*", "TSAN_*", "UBSAN_*", "MSAN_*", "GCOV_*", "LLVM_PROFILE_FILE", "GMON_OUT_PREFIX",
	/* raddle's own runtime */
	"RADDLE_*",
};

/* Libraries look at these by themselves; all they can do is choose words, formats and numbers of threads. */
static const char *const harmless[] = { "ARGP_HELP_FMT", "GLIBCXX_*", "GOMP_*", "LANG", "LANGUAGE", "LC_*", "OMP_*", "OUTPUT_CHARSET",
	"POSIXLY_CORRECT", "TZ" };

static const char *const looked_at_by_libraries[] = { "GLIBC_*", "GCONV_PATH", "GETCONF_DIR", "HOME", "HOSTALIASES", "LD_*",
	"LOCALDOMAIN", "LOCPATH", "MALLOC_*", "NLSPATH", "RADDLE_*", "RES_OPTIONS", "TMPDIR", "TZDIR" };

bool environment_acted_on(const char *name)
{
	return is_in(name, strcspn(name, "="), TABLE(acted_on));
}

bool environment_harmless(const char *name, const char *value)
{
	return !environment_acted_on(name) && is_in(name, strcspn(name, "="), TABLE(harmless)) && !strchr(value, '/');
}

bool environment_of_libraries(const char *name)
{
	size_t length = strcspn(name, "=");
	return is_in(name, length, TABLE(harmless)) || is_in(name, length, TABLE(looked_at_by_libraries));
}
