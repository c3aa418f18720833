/* rt/sys.h -- system calls made without libc, so that no cancellation point, lock, errno or interposed name is touched. */
#ifndef RADDLE_RT_SYS_H
#define RADDLE_RT_SYS_H

#include <linux/futex.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <time.h>

long rt_syscall(long number, long a, long b, long c, long d, long e, long f);       /* stub.S; -errno on failure */
void rt_restorer(void) __asm__("__restore_rt");                                       /* stub.S: the way back from a handler */

static inline long sys6(long number, long a, long b, long c, long d, long e, long f)
{
	return rt_syscall(number, a, b, c, d, e, f);
}

static inline long sys3(long number, long a, long b, long c) { return sys6(number, a, b, c, 0, 0, 0); }

static inline long sys_futex_wait(uint32_t *word, uint32_t expected, const struct timespec *timeout)
{
	return sys6(SYS_futex, (long)word, FUTEX_WAIT, expected, (long)timeout, 0, 0);
}

static inline long sys_futex_wake(uint32_t *word, int how_many)
{
	return sys3(SYS_futex, (long)word, FUTEX_WAKE, how_many);
}

/* SIGSYS is never blocked: dispatch.c gets the program's system calls by it. */
#define SIGSYS_BIT (1ull << 30)
/* Nor is SIGSEGV: memory may be read-only until it is first written to (restart.c). */
#define SIGSEGV_BIT (1ull << 10)
/* Every other signal but the two libc sends to itself, 32 and 33: it waits for their handlers. */
#define SIGNALS_OF_PROGRAM (~(3ull << 31 | SIGSYS_BIT | SIGSEGV_BIT))

static inline void sys_block_signals(uint64_t *before)
{
	uint64_t all = SIGNALS_OF_PROGRAM;
	if (before)
		*(volatile uint64_t *)before = 0;        /* the kernel would not write to a page that is read-only until then */
	sys6(SYS_rt_sigprocmask, 0 /* SIG_BLOCK */, (long)&all, (long)before, 8, 0, 0);
}

static inline void sys_set_signals(const uint64_t *mask)
{
	sys6(SYS_rt_sigprocmask, 2 /* SIG_SETMASK */, (long)mask, 0, 8, 0, 0);
}

/* May this be read?  A pointer the kernel would refuse must not bring the program down: it is asked, by a call that does nothing. */
static inline int sys_readable(const void *at, uint64_t bytes)
{
	uint64_t low = (uint64_t)at & ~7ull, high = ((uint64_t)at + (bytes ? bytes - 1 : 0)) & ~7ull;
	return at && sys6(SYS_rt_sigprocmask, -1, (long)low, 0, 8, 0, 0) != -14 /* EFAULT */ &&
		(high >> 12 == low >> 12 || sys6(SYS_rt_sigprocmask, -1, (long)high, 0, 8, 0, 0) != -14);
}

static inline void zero_bytes(void *at, size_t bytes)      /* multiple of 8; string instruction, no vector register */
{
	size_t words = bytes / 8;
	__asm__ volatile("rep stosq" : "+D"(at), "+c"(words) : "a"(0) : "memory");
}

typedef uint64_t any_word __attribute__((aligned(1), may_alias));

/* The string instruction starts slowly: short copies, which most are, go word by word. */
static inline void copy_bytes(void *to, const void *from, size_t bytes)
{
	char *t = to;
	const char *f = from;
	if (bytes <= 64) {
		for (; bytes >= 8; bytes -= 8, t += 8, f += 8)
			*(any_word *)t = *(const any_word *)f;
		while (bytes--)
			*t++ = *f++;
		return;
	}
	__asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(bytes) : : "memory");
}

static inline uint64_t ticks(void)
{
	uint32_t low, high;
	__asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
	return (uint64_t)high << 32 | low;
}

#define SA_RESTORER_BIT 0x04000000ul

struct kernel_action {                  /* as rt_sigaction takes it, which is not libc's struct sigaction */
	void (*handler)(int, siginfo_t *, void *);
	unsigned long flags;
	void (*restorer)(void);
	uint64_t mask;
};

#endif
