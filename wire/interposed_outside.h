/* wire/interposed_outside.h -- memory and the outside: rt/alloc.c anchors.c map.c signal.c sigsend.c timers.c failure.c fork.c
 * exec.c io.c outcall.c vfork.S unload.c loader.S; and streams: stdio.c varargs.c. */
#define INTERPOSED_OUTSIDE(X) \
	INTERPOSED_PLAIN(X) \
	INTERPOSED_STREAMS(X)

#define INTERPOSED_PLAIN(X) \
	/* alloc */ \
	X(malloc) X(calloc) X(free) X(realloc) X(reallocarray) X(aligned_alloc) X(memalign) X(posix_memalign) \
	X(valloc) X(pvalloc) X(malloc_usable_size) \
	/* anchors */ \
	X(__libc_start_main) \
	/* map */ \
	X(mmap) X(mmap64) X(munmap) X(mremap) X(shmat) X(shmdt) \
	/* signal */ \
	X(sigaction) X(signal) X(bsd_signal) X(ssignal) X(sysv_signal) X(__sysv_signal) X(sigset) X(longjmp) \
	X(_longjmp) X(siglongjmp) X(__longjmp_chk) \
	/* sigsend */ \
	X(kill) X(killpg) X(raise) X(sigqueue) X(tgkill) X(pthread_kill) X(pthread_sigqueue) X(sigwait) \
	X(sigwaitinfo) X(sigtimedwait) \
	/* pending */ \
	X(pause) X(sigsuspend) X(pthread_sigmask) X(sigprocmask) X(sigpending) \
	/* timers */ \
	X(alarm) X(getitimer) X(setitimer) X(timer_create) X(timer_settime) X(timer_gettime) X(timer_getoverrun) X(timer_delete) \
	X(timerfd_create) X(timerfd_settime) X(timerfd_gettime) \
	/* failure */ \
	X(abort) X(__assert_fail) X(__assert) X(__stack_chk_fail) \
	/* fork */ \
	X(fork) X(_Fork) X(vfork) X(clone) X(posix_spawn) X(posix_spawnp) X(daemon) X(_exit) X(_Exit) X(quick_exit) \
	/* exec */ \
	X(execve) X(execv) X(execvp) X(execvpe) X(fexecve) X(execveat) X(execl) X(execlp) X(execle) X(system) \
	/* io */ \
	X(read) X(__read_chk) X(pread) X(pread64) X(__pread_chk) X(__pread64_chk) X(recv) X(__recv_chk) X(readv) \
	X(preadv) X(preadv64) X(recvfrom) X(recvmsg) X(accept) X(accept4) X(write) X(pwrite) X(pwrite64) X(send) \
	X(sendto) X(writev) X(pwritev) X(pwritev64) X(sendmsg) X(sendfile) X(sendfile64) X(poll) X(__poll_chk) \
	X(ppoll) X(__ppoll_chk) X(epoll_wait) X(epoll_pwait) X(select) X(pselect) \
	/* outcall */ \
	X(time) X(gettimeofday) X(clock_gettime) X(timespec_get) X(times) X(getrusage) X(clock) X(getrandom) \
	X(getentropy) X(rand) X(random) X(srand) X(srandom) X(srand48) X(open) X(open64) X(openat) X(openat64) X(__open_2) \
	X(__open64_2) X(__openat_2) X(__openat64_2) X(fopen) X(fopen64) X(freopen) X(freopen64) X(lrand48) X(mrand48) X(arc4random) X(arc4random_uniform) X(arc4random_buf) \
	X(getpid) X(getppid) X(gettid) X(sched_getcpu) X(wait) X(waitpid) X(waitid) X(wait3) X(wait4) X(getenv) \
	X(secure_getenv) \
	/* varargs */ \
	X(drand48)

/* What these write into memory of the program, libc writes: code nobody watches. */
#define INTERPOSED_STREAMS(X) \
	/* stdio */ \
	X(fread) X(__fread_chk) X(fgets) X(__fgets_chk) X(getline) X(__getdelim) X(getdelim) X(fgetc) X(getc) \
	X(_IO_getc) X(getchar) X(fwrite) X(fputs) X(puts) X(fputc) X(putc) X(_IO_putc) X(putchar) \
	/* opened */ \
	X(fdopen) X(opendir) X(fdopendir) X(fclose) X(closedir) X(fflush) X(fseek) X(ftell) X(feof) X(ferror) X(ungetc) X(rewind) \
	/* varargs */ \
	X(vfprintf) X(vprintf) X(vdprintf) X(printf) X(fprintf) X(dprintf) X(__vfprintf_chk) X(__vprintf_chk) \
	X(__vdprintf_chk) X(__printf_chk) X(__fprintf_chk) X(__dprintf_chk) X(vfscanf) X(vscanf) X(fscanf) X(scanf) \
	X(__isoc99_vfscanf) X(__isoc99_vscanf) X(__isoc99_fscanf) X(__isoc99_scanf) \
	/* the same, where libc has them (2.38 and later) */ \
	X(__isoc23_vfscanf) X(__isoc23_vscanf) X(__isoc23_fscanf) X(__isoc23_scanf)
