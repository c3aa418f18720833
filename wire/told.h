/* wire/told.h -- functions the runtime stands in front of or models that also look at or change what no memory of the program holds, one X(name)
 * each: a steered body says that it calls them, as it does of those nobody knows.  What the others do is in the trace by their own events. */
#ifndef RADDLE_WIRE_TOLD_H
#define RADDLE_WIRE_TOLD_H

#define TOLD(X) \
	X(strtok) X(localtime) X(localtime_r) X(gmtime) X(gmtime_r) X(ctime) X(ctime_r) X(mktime) X(timegm) X(strftime) \
	X(open) X(open64) X(openat) X(openat64) X(__open_2) X(__open64_2) X(__openat_2) X(__openat64_2) X(fopen) X(fopen64) X(freopen) X(freopen64) \
	X(readdir) X(readdir64) X(pipe) X(pipe2) X(socketpair) X(accept) X(accept4) X(stat) X(lstat) X(fstat) X(fstatat) X(stat64) X(lstat64) X(fstat64) \
	X(fstatat64) X(statvfs) X(fstatvfs) X(readlink) X(getcwd) X(realpath) X(getrlimit) X(getrlimit64) X(getsockname) X(getpeername) X(getsockopt) \
	X(poll) X(__poll_chk) X(ppoll) X(__ppoll_chk) X(select) X(pselect) X(epoll_wait) X(epoll_pwait) \
	X(pread) X(pread64) X(__pread_chk) X(__pread64_chk) X(preadv) X(preadv64) X(readv) X(writev) X(pwritev) X(pwritev64) X(sendmsg) X(recvmsg) \
	X(sigaction) X(signal) X(bsd_signal) X(ssignal) X(sysv_signal) X(__sysv_signal) X(sigset) X(kill) X(killpg) X(raise) X(sigqueue) X(tgkill) \
	X(pthread_kill) X(pthread_sigqueue) X(sigwait) X(sigwaitinfo) X(sigtimedwait) X(pause) X(sigsuspend) X(sigpending) \
	X(alarm) X(getitimer) X(setitimer) X(timer_create) X(timer_settime) X(timer_gettime) X(timer_getoverrun) X(timer_delete) \
	X(timerfd_create) X(timerfd_settime) X(timerfd_gettime) X(pthread_key_create) X(tss_create) X(pthread_key_delete) X(tss_delete) \
	X(pthread_setname_np) X(pthread_getname_np) X(pthread_getattr_np) X(syscall) X(prctl)

#endif
