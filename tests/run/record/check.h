/* tests/run/record/check.h -- for the small programs here: each checks what the calls return, recorded or not. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#ifndef RECORD_CHECK_H
#define RECORD_CHECK_H

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define CHECK(condition) \
	((condition) ? (void)0 : (fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition), _exit(1)))
#define IS(call, wanted) check_is((long)(call), (long)(wanted), #call, __FILE__, __LINE__)

static inline void check_is(long got, long wanted, const char *call, const char *file, int line)
{
	if (got == wanted)
		return;
	fprintf(stderr, "%s:%d: %s gave %ld, not %ld\n", file, line, call, got, wanted);
	_exit(1);
}

static inline struct timespec after(clockid_t clock, long milliseconds)
{
	struct timespec t;
	clock_gettime(clock, &t);
	t.tv_sec += milliseconds / 1000;
	t.tv_nsec += milliseconds % 1000 * 1000000;
	if (t.tv_nsec >= 1000000000)
		t.tv_sec++, t.tv_nsec -= 1000000000;
	return t;
}

/* A thread tells its kernel id with here(&tid); asleep(&tid) returns when it has said so and sleeps in the kernel. */
static inline void here(volatile pid_t *tid)
{
	__atomic_store_n(tid, (pid_t)syscall(SYS_gettid), __ATOMIC_SEQ_CST);
}

static inline char state_of(pid_t tid)
{
	char path[64], text[512], *at;
	snprintf(path, sizeof path, "/proc/self/task/%d/stat", (int)tid);
	int fd = open(path, O_RDONLY);
	ssize_t got = fd < 0 ? -1 : read(fd, text, sizeof text - 1);
	if (fd >= 0)
		close(fd);
	if (got <= 0)
		return '?';
	text[got] = 0;
	for (at = text + got; at > text && *at != ')'; at--)
		;
	return at[2];
}

static inline void asleep(volatile pid_t *tid)
{
	struct timespec little = { 0, 1000000 };
	pid_t known;
	while (!(known = __atomic_load_n(tid, __ATOMIC_SEQ_CST)) || state_of(known) != 'S')
		nanosleep(&little, NULL);
}

static inline int done(void)
{
	puts("ok");
	return 0;
}

#endif
