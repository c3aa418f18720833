/* rt/results.c -- library and system functions that only fill memory of their caller: what they wrote there.
 * Those that bring something from outside which a replay must serve again are in outcall.c and io.c. */
#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/time.h>
#include <sys/utsname.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include "rt/lib.h"
#include "rt/opened.h"

/* ---- files ---- */
LIB_FILLS(int, stat, (const char *path, struct stat *out), (path, out), !result, out, sizeof *out)
LIB_FILLS(int, lstat, (const char *path, struct stat *out), (path, out), !result, out, sizeof *out)
LIB_FILLS(int, fstat, (int fd, struct stat *out), (fd, out), !result, out, sizeof *out)
LIB_FILLS(int, fstatat, (int fd, const char *path, struct stat *out, int flags), (fd, path, out, flags), !result, out, sizeof *out)
LIB_FILLS(int, stat64, (const char *path, struct stat64 *out), (path, out), !result, out, sizeof *out)
LIB_FILLS(int, lstat64, (const char *path, struct stat64 *out), (path, out), !result, out, sizeof *out)
LIB_FILLS(int, fstat64, (int fd, struct stat64 *out), (fd, out), !result, out, sizeof *out)
LIB_FILLS(int, fstatat64, (int fd, const char *path, struct stat64 *out, int flags), (fd, path, out, flags), !result, out,
	sizeof *out)
LIB_FILLS(int, statvfs, (const char *path, struct statvfs *out), (path, out), !result, out, sizeof *out)
LIB_FILLS(int, fstatvfs, (int fd, struct statvfs *out), (fd, out), !result, out, sizeof *out)
LIB_FILLS(ssize_t, readlink, (const char *path, char *out, size_t room), (path, out, room), result > 0, out, result)
LIB_FILLS(char *, getcwd, (char *out, size_t room), (out, room), result, result, strlen(result) + 1)
LIB_FILLS(char *, realpath, (const char *path, char *out), (path, out), result, result, strlen(result) + 1)
#define READS_FOLDER(type, name) \
	LIB(type *, name, (DIR *in)) \
	{ \
		lib_point(EV_LIBWRITE, in, RT_PC); \
		opened_looked_at(in, RT_PC); \
		type *result = name(in); \
		if (result && effects_on()) \
			effect_write(result, result->d_reclen, RT_PC); \
		return result; \
	}
READS_FOLDER(struct dirent, readdir)
READS_FOLDER(struct dirent64, readdir64)
LIB_FILLS(int, pipe, (int out[2]), (out), !result, out, 2 * sizeof *out)
LIB_FILLS(int, pipe2, (int out[2], int flags), (out, flags), !result, out, 2 * sizeof *out)
LIB_FILLS(int, socketpair, (int domain, int type, int protocol, int out[2]), (domain, type, protocol, out), !result, out,
	2 * sizeof *out)
LIB_FILLS(int, tcgetattr, (int fd, struct termios *out), (fd, out), !result, out, sizeof *out)

/* A value whose length comes back through a pointer. */
static void sized_result(const void *out, const socklen_t *length, socklen_t room, uint64_t pc)
{
	effect_write(out, *length < room ? *length : room, pc);
	effect_write(length, sizeof *length, pc);
}

#define SOCKET_NAME_LIKE(name) \
	LIB(int, name, (int fd, struct sockaddr *out, socklen_t *length)) \
	{ \
		lib_point(EV_LIBWRITE, out, RT_PC); \
		socklen_t room = *length; \
		int result = name(fd, out, length); \
		if (!result && effects_on()) \
			sized_result(out, length, room, RT_PC); \
		return result; \
	}
SOCKET_NAME_LIKE(getsockname)
SOCKET_NAME_LIKE(getpeername)

LIB(int, getsockopt, (int fd, int level, int option, void *out, socklen_t *length))
{
	lib_point(EV_LIBWRITE, out, RT_PC);
	socklen_t room = *length;
	int result = getsockopt(fd, level, option, out, length);
	if (!result && effects_on())
		sized_result(out, length, room, RT_PC);
	return result;
}

LIB(const char *, inet_ntop, (int family, const void *in, char *out, socklen_t room))
{
	lib_point(EV_LIBWRITE, in, RT_PC);
	const char *result = inet_ntop(family, in, out, room);
	if (effects_on()) {
		effect_read(in, family == AF_INET ? 4 : 16, RT_PC);
		if (result)
			effect_write(out, strlen(out) + 1, RT_PC);
	}
	return result;
}

LIB(int, inet_pton, (int family, const char *in, void *out))
{
	lib_point(EV_LIBWRITE, in, RT_PC);
	int result = inet_pton(family, in, out);
	if (effects_on()) {
		effect_read(in, strlen(in) + 1, RT_PC);
		if (result == 1)
			effect_write(out, family == AF_INET ? 4 : 16, RT_PC);
	}
	return result;
}

/* ---- the machine and the process ---- */
LIB_FILLS(int, uname, (struct utsname *out), (out), !result, out, sizeof *out)
LIB_FILLS(int, gethostname, (char *out, size_t room), (out, room), !result, out, strnlen(out, room - 1) + 1)
LIB_FILLS(int, getrlimit, (__rlimit_resource_t what, struct rlimit *out), (what, out), !result, out, sizeof *out)
LIB_FILLS(int, getrlimit64, (__rlimit_resource_t what, struct rlimit64 *out), (what, out), !result, out, sizeof *out)
LIB_FILLS(int, getitimer, (__itimer_which_t which, struct itimerval *out), (which, out), !result, out, sizeof *out)
LIB_FILLS(int, setitimer, (__itimer_which_t which, const struct itimerval *set, struct itimerval *out), (which, set, out),
	!result, out, sizeof *out)
LIB_FILLS(int, clock_getres, (clockid_t clock, struct timespec *out), (clock, out), !result, out, sizeof *out)

/* ---- signal sets ----  Of their 128 bytes libc fills those the kernel has signals for: behind them is what a stack had there. */
#define SIGNAL_BYTES 8u
LIB_FILLS(int, sigemptyset, (sigset_t *set), (set), !result, set, SIGNAL_BYTES)
LIB_FILLS(int, sigfillset, (sigset_t *set), (set), !result, set, SIGNAL_BYTES)
LIB_FILLS(int, sigaddset, (sigset_t *set, int number), (set, number), !result, set, SIGNAL_BYTES)
LIB_FILLS(int, sigdelset, (sigset_t *set, int number), (set, number), !result, set, SIGNAL_BYTES)
LIB_FILLS(int, sigprocmask, (int how, const sigset_t *set, sigset_t *out), (how, set, out), !result, out, SIGNAL_BYTES)
LIB_FILLS(int, pthread_sigmask, (int how, const sigset_t *set, sigset_t *out), (how, set, out), !result, out, SIGNAL_BYTES)
LIB_FILLS(int, sigpending, (sigset_t *out), (out), !result, out, SIGNAL_BYTES)
LIB_FILLS(int, sigaltstack, (const stack_t *set, stack_t *out), (set, out), !result, out, sizeof *out)

/* ---- calendars ---- */
LIB_FILLS(struct tm *, localtime_r, (const time_t *in, struct tm *out), (in, out), result, out, sizeof *out)
LIB_FILLS(struct tm *, gmtime_r, (const time_t *in, struct tm *out), (in, out), result, out, sizeof *out)
LIB_FILLS(struct tm *, localtime, (const time_t *in), (in), result, result, sizeof *result)
LIB_FILLS(struct tm *, gmtime, (const time_t *in), (in), result, result, sizeof *result)
LIB_FILLS(time_t, mktime, (struct tm *in), (in), true, in, sizeof *in)
LIB_FILLS(time_t, timegm, (struct tm *in), (in), true, in, sizeof *in)
LIB_FILLS(size_t, strftime, (char *out, size_t room, const char *format, const struct tm *in), (out, room, format, in), result,
	out, result + 1)
LIB_FILLS(char *, asctime_r, (const struct tm *in, char *out), (in, out), result, out, strlen(result) + 1)
LIB_FILLS(char *, ctime_r, (const time_t *in, char *out), (in, out), result, out, strlen(result) + 1)
LIB_FILLS(char *, asctime, (const struct tm *in), (in), result, result, strlen(result) + 1)
LIB_FILLS(char *, ctime, (const time_t *in), (in), result, result, strlen(result) + 1)

/* ---- messages ---- */
int __xpg_strerror_r(int number, char *out, size_t room);
LIB_FILLS(char *, strerror_r, (int number, char *out, size_t room), (number, out, room), result == out, out, strlen(out) + 1)
LIB_FILLS(int, __xpg_strerror_r, (int number, char *out, size_t room), (number, out, room), room, out, strnlen(out, room - 1) + 1)
