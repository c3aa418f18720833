/* rt/exec.c -- another program takes this process over, or runs for it.
 * An OUTCALL names the call before it is made, since a successful exec leaves nobody to write it; a second one, with the
 * result, follows when it failed.  The recording goes on in the new program if RADDLE_RING is in its environment and it was
 * built with raddle. */
#include <stdarg.h>
#include <stdlib.h>
#include <unistd.h>

#include "rt/effect.h"
#include "rt/steer.h"

static void before(const char *name, uint64_t pc)
{
	if (rt_steered())
		signals_leave();
	if (rt_on())
		note_outcall(name, 0, pc);
}

static int after(const char *name, int result, uint64_t pc)
{
	if (rt_on())
		note_outcall(name, result, pc);
	return result;
}

#define EXEC_LIKE(name, params, args) \
	INTERPOSE(int, name, params) \
	{ \
		before(#name, RT_PC); \
		return after(#name, REAL(name) args, RT_PC); \
	}
EXEC_LIKE(execve, (const char *path, char *const argv[], char *const envp[]), (path, argv, envp))
EXEC_LIKE(execv, (const char *path, char *const argv[]), (path, argv))
EXEC_LIKE(execvp, (const char *file, char *const argv[]), (file, argv))
EXEC_LIKE(execvpe, (const char *file, char *const argv[], char *const envp[]), (file, argv, envp))
EXEC_LIKE(fexecve, (int fd, char *const argv[], char *const envp[]), (fd, argv, envp))
EXEC_LIKE(execveat, (int fd, const char *path, char *const argv[], char *const envp[], int flags), (fd, path, argv, envp, flags))

/* Gathers arguments up to the null pointer into argv[], whose size is `count`. */
static void gather(char **argv, size_t count, const char *first, va_list *rest)
{
	argv[0] = (char *)first;
	for (size_t i = 1; i < count; i++)
		argv[i] = va_arg(*rest, char *);
}

static size_t count_arguments(const char *first, va_list rest)
{
	size_t count = 1;
	for (const char *arg = first; arg; count++)
		arg = va_arg(rest, const char *);
	return count;
}

#define EXECL_LIKE(name, file, by, more, ...) \
	INTERPOSE(int, name, (const char *file, const char *first, ...)) \
	{ \
		va_list rest; \
		va_start(rest, first); \
		size_t count = count_arguments(first, rest); \
		va_end(rest); \
		char *argv[count]; \
		va_start(rest, first); \
		gather(argv, count, first, &rest); \
		more; \
		va_end(rest); \
		before(#name, RT_PC); \
		return after(#name, REAL(by)(__VA_ARGS__), RT_PC); \
	}
EXECL_LIKE(execl, path, execv, (void)0, path, argv)
EXECL_LIKE(execlp, file, execvp, (void)0, file, argv)
EXECL_LIKE(execle, path, execve, char *const *envp = va_arg(rest, char *const *), path, argv, envp)

INTERPOSE(int, system, (const char *command))
{
	before("system", RT_PC);
	return after("system", REAL(system)(command), RT_PC);
}
