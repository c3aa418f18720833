/* rt/keep.c -- see keep.h.  A copy has the memory, but of what the kernel keeps for a process some is shared by all copies (files and
 * their offsets) and some is not handed down (timers, children, locks of files).  All system calls are seen (dispatch.c); those on the list
 * here leave nothing of that kind behind, or only memory.  After any other, none is kept from there on. */
#include "rt/keep.h"

#include <sched.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/mman.h>

#include "rt/ghost.h"
#include "rt/reopen.h"
#include "rt/restart.h"
#include "rt/segment.h"
#include "rt/sys.h"
#include "rt/world.h"

static bool makes_thread(const struct world_call *c)
{
	uint64_t flags = c->number == SYS_clone3 ? ((const struct clone_args *)c->a[0])->flags : (uint64_t)c->a[0];
	return flags & CLONE_THREAD;                    /* none of the kernel's: ghost.c */
}

/* Only looks. */
static bool asks(const struct world_call *c)
{
	switch (c->number) {
	case SYS_getpid: case SYS_gettid: case SYS_getppid: case SYS_getpgrp: case SYS_getuid: case SYS_geteuid: case SYS_getgid:
	case SYS_getegid: case SYS_getcwd: case SYS_uname: case SYS_sysinfo: case SYS_getrusage: case SYS_getcpu: case SYS_getrandom:
	case SYS_sched_getaffinity: case SYS_fstat: case SYS_newfstatat: case SYS_stat: case SYS_lstat: case SYS_statx: case SYS_access:
	case SYS_faccessat: case SYS_readlink: case SYS_readlinkat: case SYS_getrlimit: case SYS_get_robust_list:
		return true;
	case SYS_clock_gettime: case SYS_clock_getres: case SYS_gettimeofday: case SYS_time: case SYS_times:
		return true;
	case SYS_prlimit64:
		return c->a[2] == 0;
	case SYS_ioctl:
		return c->a[1] == TCGETS || c->a[1] == TIOCGWINSZ;
	default:
		return false;
	}
}

/* What it leaves behind is handed down to a copy, or is memory. */
static bool is_handed_down(const struct world_call *c)
{
	switch (c->number) {
	case SYS_sched_yield: case SYS_nanosleep: case SYS_clock_nanosleep: case SYS_futex: case SYS_exit_group: case SYS_exit:
	case SYS_rt_sigprocmask: case SYS_rt_sigreturn: case SYS_rt_sigaction: case SYS_rseq: case SYS_set_robust_list:
	case SYS_munmap: case SYS_mprotect: case SYS_mremap: case SYS_madvise: case SYS_brk:
		return true;
	case SYS_mmap:
		return (c->a[3] & MAP_ANONYMOUS) && (c->a[3] & MAP_PRIVATE);
	case SYS_clone3: case SYS_clone:
		return makes_thread(c);
	case SYS_write:                                 /* raddle cuts the output back to where it was */
		return c->a[0] == 1 || c->a[0] == 2;
	default:
		return false;
	}
}

void keep_sees_call(const struct world_call *c)
{
	if (!steer->keep_refused && !asks(c) && !is_handed_down(c) && !(steer->keep_at == KEEP_PARTS && reopen_allows(c)))
		steer->keep_refused = (uint32_t)c->number + 1;
}

bool keep_possible(void)
{
	if (steer->switched_by != SWITCH_GHOST || !dispatch_is_on())
		steer->keep_refused = KEEP_THREADS;
	else if (steer->time == TIME_REAL || (ring->keep && steer->keep_at != KEEP_PARTS) || restart_on)
		steer->keep_refused = KEEP_TIME;
	return !steer->keep_refused;
}
