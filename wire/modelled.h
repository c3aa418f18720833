/* wire/modelled.h -- library functions whose effects on memory are known exactly, one X(name) each.
 * cc/ turns a call of NAME in an instrumented body into one of raddle_lib_NAME, which rt/ defines: the same prototype; its return
 * address says where the call stands.  Grouped by the file of rt/ that defines them.
 * Names that begin with __isoc23_ are defined where libc has them (2.38 and later): only there do headers produce them. */
#ifndef RADDLE_WIRE_MODELLED_H
#define RADDLE_WIRE_MODELLED_H

#define MODELLED(X) \
	/* strings */ \
	X(memcpy) X(memmove) X(mempcpy) X(bcopy) X(memccpy) X(memset) X(bzero) X(explicit_bzero) X(memcmp) X(bcmp) \
	X(memchr) X(rawmemchr) X(memrchr) X(memmem) X(strlen) X(strnlen) X(strchr) X(strchrnul) X(index) X(strrchr) \
	X(rindex) X(strstr) X(strcasestr) X(strpbrk) X(strspn) X(strcspn) X(strcmp) X(strcasecmp) X(strncmp) \
	X(strncasecmp) X(strcoll) X(strverscmp) X(strcpy) X(stpcpy) X(strncpy) X(stpncpy) X(strcat) X(strncat) \
	X(strdup) X(strndup) X(strxfrm) X(strtok_r) X(strtok) X(strsep) X(__memcpy_chk) X(__memmove_chk) \
	X(__mempcpy_chk) X(__memset_chk) X(__strcpy_chk) X(__stpcpy_chk) X(__strncpy_chk) X(__stpncpy_chk) \
	X(__strcat_chk) X(__strncat_chk) \
	/* numbers */ \
	X(strtol) X(strtoll) X(strtoul) X(strtoull) X(strtoimax) X(strtoumax) X(atoi) X(atol) X(atoll) X(rand_r) \
	X(__isoc23_strtol) X(__isoc23_strtoll) X(__isoc23_strtoul) X(__isoc23_strtoull) X(__isoc23_strtoimax) \
	X(__isoc23_strtoumax) \
	/* sort */ \
	X(qsort) X(qsort_r) \
	/* results */ \
	X(stat) X(lstat) X(fstat) X(fstatat) X(stat64) X(lstat64) X(fstat64) X(fstatat64) X(statvfs) X(fstatvfs) \
	X(readlink) X(getcwd) X(realpath) X(readdir) X(readdir64) X(pipe) X(pipe2) X(socketpair) X(tcgetattr) \
	X(getsockname) X(getpeername) X(getsockopt) X(inet_ntop) X(inet_pton) X(uname) X(gethostname) X(getrlimit) \
	X(getrlimit64) X(getitimer) X(setitimer) X(clock_getres) X(sigemptyset) X(sigfillset) X(sigaddset) \
	X(sigdelset) X(sigprocmask) X(pthread_sigmask) X(sigpending) X(sigaltstack) X(localtime_r) X(gmtime_r) \
	X(localtime) X(gmtime) X(mktime) X(timegm) X(strftime) X(asctime_r) X(ctime_r) X(asctime) X(ctime) \
	X(strerror_r) X(__xpg_strerror_r) \
	/* varargs */ \
	X(vsprintf) X(vsnprintf) X(vasprintf) X(sprintf) X(snprintf) X(asprintf) X(__vsprintf_chk) X(__vsnprintf_chk) \
	X(__vasprintf_chk) X(__sprintf_chk) X(__snprintf_chk) X(__asprintf_chk) X(vsscanf) X(sscanf) \
	X(__isoc99_vsscanf) X(__isoc99_sscanf) X(strtof) X(strtod) X(strtold) X(atof) X(__isoc23_sscanf) \
	X(__isoc23_vsscanf)

#endif
