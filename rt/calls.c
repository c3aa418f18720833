/* rt/calls.c -- the system calls of x86-64 Linux: what kind each is, what it waits for, where it leaves what it brings.
 * A call that is not in the table is made, its result logged, and counted: a replay cannot bring back what it left in memory.
 * Lengths the kernel is given and gives back through a pointer are read before (room) and after (what came). */
#include <asm/prctl.h>
#include <fcntl.h>
#include <linux/sockios.h>
#include <poll.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/sem.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statfs.h>

#include "rt/input.h"
#include "rt/world.h"

#ifndef SYS_close_range
#define SYS_close_range 436
#endif
#define TABLE 512
#define IOVECS 1024

enum piece_rule {
	P_NONE = 0,
	P_RESULT,               /* result bytes at arg, and `bytes` more; room: the argument `size`, and those */
	P_FIXED,                /* `bytes` bytes at arg */
	P_COUNT,                /* result elements of `bytes` bytes; room for the argument `size` of them */
	P_ARRAY,                /* the argument `size` elements of `bytes` bytes */
	P_SOCKLEN,              /* bytes at arg, their length at the pointer behind it */
	P_IOVEC,                /* result bytes over the iovecs at arg, the argument `size` of them */
	P_MESSAGE,              /* struct msghdr */
	P_SENT,                 /* the length in a struct mmsghdr */
	P_SETS,                 /* three fd_set */
	P_IOCTL, P_FCNTL, P_PRCTL, P_SEMCTL
};

#define PASS              { .act = ACT_PASS }
#define IS(what)          { .act = ACT_##what }
#define LOG               { .act = ACT_LOG }
#define CLOCK(...)        { .act = ACT_TIME, .pieces = { __VA_ARGS__ } }
#define FILLS(...)        { .act = ACT_LOG, .pieces = { __VA_ARGS__ } }
#define POINT(kind, wait, ...) { .act = ACT_LOG, .point = EV_##kind, .await = AWAIT_##wait, .pieces = { __VA_ARGS__ } }
#define RESULT(a, s)      { .rule = P_RESULT, .arg = a, .size = s }
#define BEHIND(n, a, s)   { .rule = P_RESULT, .arg = a, .size = s, .bytes = n }
#define FIXED(a, n)       { .rule = P_FIXED, .arg = a, .bytes = n }
#define COUNT(a, s, n)    { .rule = P_COUNT, .arg = a, .size = s, .bytes = n }
#define ARRAY(a, s, n)    { .rule = P_ARRAY, .arg = a, .size = s, .bytes = n }
#define SOCKLEN(a)        { .rule = P_SOCKLEN, .arg = a }
#define IOVEC(a, s)       { .rule = P_IOVEC, .arg = a, .size = s }
#define RULE(r, a)        { .rule = P_##r, .arg = a }

static const struct call_about table[TABLE] = {
	/* bytes in and out */
	[SYS_read] = POINT(INPUT, IN, RESULT(1, 2)), [SYS_pread64] = POINT(INPUT, IN, RESULT(1, 2)),
	[SYS_readv] = POINT(INPUT, IN, IOVEC(1, 2)), [SYS_preadv] = POINT(INPUT, IN, IOVEC(1, 2)),
	[SYS_preadv2] = POINT(INPUT, IN, IOVEC(1, 2)), [SYS_recvfrom] = POINT(INPUT, IN, RESULT(1, 2), SOCKLEN(4)),
	[SYS_recvmsg] = POINT(INPUT, IN, RULE(MESSAGE, 1)), [SYS_recvmmsg] = POINT(INPUT, IN, RULE(MESSAGE, 1)),
	[SYS_accept] = POINT(INPUT, IN, SOCKLEN(1)), [SYS_accept4] = POINT(INPUT, IN, SOCKLEN(1)),
	[SYS_write] = POINT(OUTPUT, OUT), [SYS_pwrite64] = POINT(OUTPUT, OUT), [SYS_writev] = POINT(OUTPUT, OUT),
	[SYS_pwritev] = POINT(OUTPUT, OUT), [SYS_pwritev2] = POINT(OUTPUT, OUT), [SYS_sendto] = POINT(OUTPUT, OUT),
	[SYS_sendmsg] = POINT(OUTPUT, OUT), [SYS_sendmmsg] = POINT(OUTPUT, OUT, RULE(SENT, 1)),
	[SYS_sendfile] = POINT(OUTPUT, OUT, FIXED(2, 8)), [SYS_splice] = POINT(OUTPUT, IN, FIXED(1, 8), FIXED(3, 8)),
	[SYS_tee] = POINT(OUTPUT, IN), [SYS_vmsplice] = POINT(OUTPUT, OUT),
	[SYS_copy_file_range] = POINT(OUTPUT, NOTHING, FIXED(1, 8), FIXED(3, 8)),
	[SYS_connect] = POINT(OUTPUT, CONNECT), [SYS_mq_timedreceive] = POINT(INPUT, IN, RESULT(1, 2), FIXED(3, 4)),
	[SYS_mq_timedsend] = POINT(OUTPUT, OUT),
	/* waiting for either, and for others */
	[SYS_poll] = POINT(INPUT, POLL, ARRAY(0, 1, 8)), [SYS_ppoll] = POINT(INPUT, POLL, ARRAY(0, 1, 8)),
	[SYS_select] = POINT(INPUT, SELECT, RULE(SETS, 1), FIXED(4, 16)),
	[SYS_pselect6] = POINT(INPUT, SELECT, RULE(SETS, 1)),
	[SYS_epoll_wait] = POINT(INPUT, EPOLL, COUNT(1, 2, 12)), [SYS_epoll_pwait] = POINT(INPUT, EPOLL, COUNT(1, 2, 12)),
	[SYS_epoll_pwait2] = POINT(INPUT, EPOLL, COUNT(1, 2, 12)),
	[SYS_wait4] = POINT(INPUT, CHILD, FIXED(1, 4), FIXED(3, 144)),
	[SYS_waitid] = POINT(INPUT, CHILD, FIXED(2, 128), FIXED(4, 144)),
	[SYS_flock] = POINT(OUTCALL, FILE_LOCK),
	[SYS_fcntl] = POINT(OUTCALL, RECORD_LOCK, RULE(FCNTL, 2)),
	/* descriptors: others can notice them too */
	[SYS_open] = POINT(OUTCALL, NOTHING), [SYS_openat] = POINT(OUTCALL, NOTHING), [SYS_openat2] = POINT(OUTCALL, NOTHING),
	[SYS_creat] = POINT(OUTCALL, NOTHING), [SYS_close] = POINT(OUTCALL, NOTHING), [SYS_close_range] = POINT(OUTCALL, NOTHING),
	[SYS_dup] = POINT(OUTCALL, NOTHING), [SYS_dup2] = POINT(OUTCALL, NOTHING), [SYS_dup3] = POINT(OUTCALL, NOTHING),
	[SYS_pipe] = POINT(OUTCALL, NOTHING, FIXED(0, 8)), [SYS_pipe2] = POINT(OUTCALL, NOTHING, FIXED(0, 8)),
	[SYS_socket] = POINT(OUTCALL, NOTHING), [SYS_socketpair] = POINT(OUTCALL, NOTHING, FIXED(3, 8)),
	[SYS_bind] = POINT(OUTCALL, NOTHING), [SYS_listen] = POINT(OUTCALL, NOTHING), [SYS_shutdown] = POINT(OUTCALL, NOTHING),
	[SYS_lseek] = POINT(OUTCALL, NOTHING), [SYS_ftruncate] = POINT(OUTCALL, NOTHING), [SYS_truncate] = POINT(OUTCALL, NOTHING),
	[SYS_rename] = POINT(OUTCALL, NOTHING), [SYS_renameat] = POINT(OUTCALL, NOTHING), [SYS_renameat2] = POINT(OUTCALL, NOTHING),
	[SYS_unlink] = POINT(OUTCALL, NOTHING), [SYS_unlinkat] = POINT(OUTCALL, NOTHING), [SYS_mkdir] = POINT(OUTCALL, NOTHING),
	[SYS_mkdirat] = POINT(OUTCALL, NOTHING), [SYS_rmdir] = POINT(OUTCALL, NOTHING),
	[SYS_epoll_ctl] = POINT(OUTCALL, NOTHING), [SYS_fsync] = LOG, [SYS_fdatasync] = LOG, [SYS_sync] = LOG, [SYS_syncfs] = LOG,
	[SYS_fallocate] = LOG, [SYS_fadvise64] = LOG, [SYS_readahead] = LOG, [SYS_sync_file_range] = LOG,
	[SYS_link] = LOG, [SYS_linkat] = LOG, [SYS_symlink] = LOG, [SYS_symlinkat] = LOG, [SYS_chmod] = LOG, [SYS_fchmod] = LOG,
	[SYS_fchmodat] = LOG, [SYS_chown] = LOG, [SYS_fchown] = LOG, [SYS_lchown] = LOG, [SYS_fchownat] = LOG, [SYS_mknod] = LOG,
	[SYS_mknodat] = LOG, [SYS_utime] = LOG, [SYS_utimes] = LOG, [SYS_utimensat] = LOG, [SYS_futimesat] = LOG,
	[SYS_access] = LOG, [SYS_faccessat] = LOG, [SYS_faccessat2] = LOG, [SYS_chdir] = LOG, [SYS_fchdir] = LOG, [SYS_umask] = LOG,
	[SYS_setsockopt] = LOG, [SYS_epoll_create] = LOG, [SYS_epoll_create1] = LOG, [SYS_eventfd] = LOG, [SYS_eventfd2] = LOG,
	[SYS_timerfd_create] = IS(TIMER), [SYS_timerfd_settime] = { .act = ACT_TIMER, .pieces = { FIXED(3, 32) } },
	[SYS_timerfd_gettime] = { .act = ACT_TIMER, .pieces = { FIXED(1, 32) } },
	[SYS_signalfd] = LOG, [SYS_signalfd4] = LOG, [SYS_inotify_init] = LOG, [SYS_inotify_init1] = LOG,
	[SYS_inotify_add_watch] = LOG, [SYS_inotify_rm_watch] = LOG, [SYS_memfd_create] = LOG, [SYS_pidfd_open] = LOG,
	[SYS_mq_open] = LOG, [SYS_mq_unlink] = LOG, [SYS_mq_getsetattr] = FILLS(FIXED(2, 64)),
	/* questions */
	[SYS_stat] = FILLS(FIXED(1, 144)), [SYS_lstat] = FILLS(FIXED(1, 144)), [SYS_fstat] = FILLS(FIXED(1, 144)),
	[SYS_newfstatat] = FILLS(FIXED(2, 144)), [SYS_statx] = FILLS(FIXED(4, 256)), [SYS_statfs] = FILLS(FIXED(1, 120)),
	[SYS_fstatfs] = FILLS(FIXED(1, 120)), [SYS_readlink] = FILLS(RESULT(1, 2)), [SYS_readlinkat] = FILLS(RESULT(2, 3)),
	[SYS_getdents] = FILLS(RESULT(1, 2)), [SYS_getdents64] = FILLS(RESULT(1, 2)), [SYS_getcwd] = FILLS(RESULT(0, 1)),
	[SYS_getxattr] = FILLS(RESULT(2, 3)), [SYS_lgetxattr] = FILLS(RESULT(2, 3)), [SYS_fgetxattr] = FILLS(RESULT(2, 3)),
	[SYS_listxattr] = FILLS(RESULT(1, 2)), [SYS_llistxattr] = FILLS(RESULT(1, 2)), [SYS_flistxattr] = FILLS(RESULT(1, 2)),
	[SYS_setxattr] = LOG, [SYS_lsetxattr] = LOG, [SYS_fsetxattr] = LOG, [SYS_removexattr] = LOG,
	[SYS_ioctl] = FILLS(RULE(IOCTL, 2)), [SYS_getsockname] = FILLS(SOCKLEN(1)), [SYS_getpeername] = FILLS(SOCKLEN(1)),
	[SYS_getsockopt] = FILLS(SOCKLEN(3)), [SYS_getrandom] = FILLS(RESULT(0, 1)), [SYS_uname] = FILLS(FIXED(0, 390)),
	[SYS_sysinfo] = FILLS(FIXED(0, 112)), [SYS_getpid] = LOG, [SYS_getppid] = LOG, [SYS_gettid] = LOG, [SYS_getuid] = LOG,
	[SYS_geteuid] = LOG, [SYS_getgid] = LOG, [SYS_getegid] = LOG, [SYS_getpgid] = LOG, [SYS_getpgrp] = LOG, [SYS_getsid] = LOG,
	[SYS_getresuid] = FILLS(FIXED(0, 4), FIXED(1, 4), FIXED(2, 4)), [SYS_getresgid] = FILLS(FIXED(0, 4), FIXED(1, 4), FIXED(2, 4)),
	[SYS_getgroups] = FILLS(COUNT(1, 0, 4)), [SYS_getcpu] = FILLS(FIXED(0, 4), FIXED(1, 4)),
	[SYS_sched_getaffinity] = FILLS(RESULT(2, 1)), [SYS_sched_getparam] = FILLS(FIXED(1, 4)), [SYS_sched_getscheduler] = LOG,
	[SYS_sched_get_priority_max] = LOG, [SYS_sched_get_priority_min] = LOG, [SYS_getpriority] = LOG, [SYS_capget] = FILLS(FIXED(1, 24)),
	[SYS_getrlimit] = FILLS(FIXED(1, 16)), [SYS_prlimit64] = FILLS(FIXED(3, 16)), [SYS_getrusage] = FILLS(FIXED(1, 144)),
	[SYS_prctl] = FILLS(RULE(PRCTL, 1)), [SYS_mincore] = LOG,
	/* the process: done once, in the recorded run */
	[SYS_setsid] = LOG, [SYS_setpgid] = LOG, [SYS_setuid] = LOG, [SYS_setgid] = LOG, [SYS_setreuid] = LOG, [SYS_setregid] = LOG,
	[SYS_setresuid] = LOG, [SYS_setresgid] = LOG, [SYS_setgroups] = LOG, [SYS_capset] = LOG, [SYS_setpriority] = LOG,
	[SYS_sched_setaffinity] = LOG, [SYS_sched_setparam] = LOG, [SYS_sched_setscheduler] = LOG, [SYS_setrlimit] = LOG,
	[SYS_sched_setattr] = LOG, [SYS_ioprio_set] = LOG, [SYS_ioprio_get] = LOG, [SYS_personality] = LOG, [SYS_syslog] = LOG,
	[SYS_chroot] = LOG, [SYS_mount] = LOG, [SYS_umount2] = LOG, [SYS_unshare] = LOG, [SYS_setns] = LOG, [SYS_sethostname] = LOG,
	[SYS_semget] = LOG, [SYS_semctl] = POINT(OUTCALL, NOTHING, RULE(SEMCTL, 3)), [SYS_msgget] = LOG,
	[SYS_semop] = POINT(OUTCALL, SYSV), [SYS_semtimedop] = POINT(OUTCALL, SYSV), [SYS_msgsnd] = POINT(OUTPUT, SYSV),
	[SYS_msgrcv] = POINT(INPUT, SYSV, BEHIND(8, 1, 2)), [SYS_msgctl] = FILLS(FIXED(2, 120)), [SYS_shmget] = LOG, [SYS_add_key] = LOG, [SYS_keyctl] = LOG,
	/* time */
	[SYS_clock_gettime] = CLOCK(FIXED(1, 16)), [SYS_gettimeofday] = CLOCK(FIXED(0, 16), FIXED(1, 8)), [SYS_time] = CLOCK(FIXED(0, 8)), [SYS_nanosleep] = IS(TIME),
	[SYS_clock_nanosleep] = IS(TIME), [SYS_times] = CLOCK(FIXED(0, 32)), [SYS_clock_getres] = IS(TIME), [SYS_sched_yield] = IS(TIME),
	/* memory, and what concerns this thread alone */
	[SYS_mmap] = IS(MAP), [SYS_mremap] = IS(MAP), [SYS_munmap] = PASS, [SYS_mprotect] = PASS, [SYS_brk] = PASS, [SYS_madvise] = PASS,
	[SYS_msync] = PASS, [SYS_mlock] = PASS, [SYS_mlock2] = PASS, [SYS_munlock] = PASS, [SYS_mlockall] = PASS, [SYS_munlockall] = PASS,
	[SYS_mbind] = PASS, [SYS_set_mempolicy] = PASS, [SYS_get_mempolicy] = PASS, [SYS_pkey_alloc] = PASS, [SYS_pkey_free] = PASS,
	[SYS_pkey_mprotect] = PASS, [SYS_membarrier] = PASS, [SYS_set_tid_address] = PASS, [SYS_set_robust_list] = PASS,
	[SYS_get_robust_list] = PASS, [SYS_arch_prctl] = PASS, [334 /* rseq */] = PASS, [SYS_rt_sigaction] = PASS,
	[SYS_rt_sigprocmask] = PASS, [SYS_rt_sigpending] = PASS, [SYS_rt_sigreturn] = PASS, [SYS_rt_sigsuspend] = PASS,
	[SYS_rt_sigtimedwait] = PASS, [SYS_sigaltstack] = IS(STACK), [SYS_pause] = PASS, [SYS_alarm] = PASS, [SYS_setitimer] = PASS,
	[SYS_getitimer] = PASS, [SYS_timer_create] = PASS, [SYS_timer_settime] = PASS, [SYS_timer_gettime] = PASS,
	[SYS_timer_delete] = PASS, [SYS_timer_getoverrun] = PASS, [SYS_restart_syscall] = PASS, [SYS_seccomp] = PASS,
	[SYS_shmat] = PASS, [SYS_shmdt] = PASS, [SYS_shmctl] = PASS,
	[SYS_futex] = IS(FUTEX),
	[SYS_fork] = IS(TASK), [SYS_vfork] = IS(TASK), [SYS_clone] = IS(TASK), [SYS_clone3] = IS(TASK),
	[SYS_execve] = IS(EXEC), [SYS_execveat] = IS(EXEC), [SYS_exit] = IS(EXIT), [SYS_exit_group] = IS(EXIT),
	[SYS_kill] = IS(SIGNAL), [SYS_tkill] = IS(SIGNAL), [SYS_tgkill] = IS(SIGNAL), [SYS_rt_sigqueueinfo] = IS(SIGNAL),
	[SYS_rt_tgsigqueueinfo] = IS(SIGNAL), [SYS_pidfd_send_signal] = LOG,
	[SYS_io_uring_setup] = IS(REFUSE), [SYS_io_setup] = IS(REFUSE), [SYS_userfaultfd] = IS(REFUSE),
};

const struct call_about *call_about(long number)
{
	static const struct call_about unknown;
	return number >= 0 && number < TABLE ? &table[number] : &unknown;
}

/* ---- where results go ---- */

/* Of terminals and sockets, whose numbers do not say it. */
static uint64_t ioctl_bytes(unsigned long what)
{
	switch (what) {
	case TCGETS:     return 36;
	case TIOCGWINSZ: return 8;
	case FIONREAD: case TIOCGPGRP: case TIOCGSID: case TIOCOUTQ: case TIOCMGET: return 4;
	case SIOCGIFCONF: return 16;
	case SIOCGIFFLAGS: case SIOCGIFADDR: case SIOCGIFINDEX: case SIOCGIFNETMASK: case SIOCGIFHWADDR: case SIOCGIFMTU:
	case SIOCGIFNAME: case SIOCGIFBRDADDR: return 40;
	default: return what >> 16 && _IOC_DIR(what) & _IOC_READ ? _IOC_SIZE(what) : 0;
	}
}

static uint64_t fcntl_bytes(unsigned long what)
{
	switch (what) {
	case F_GETLK: case F_OFD_GETLK: return sizeof(struct flock);
	case F_GETOWN_EX: return 8;
	default: return 0;
	}
}

static uint64_t prctl_bytes(unsigned long what)
{
	switch (what) {
	case 16: return 16;                     /* PR_GET_NAME */
	case 2: case 25: case 19: case 37: return 4;     /* PDEATHSIG, TSC, ENDIAN, CHILD_SUBREAPER */
	default: return 0;
	}
}

/* In a replay there is no set to ask: the log knows how many there were. */
static uint64_t semctl_bytes(const struct world_call *c)
{
	struct semid_ds about;
	switch (c->a[2] & 0xff) {
	case IPC_STAT: case SEM_STAT: return sizeof about;
	case IPC_INFO: case SEM_INFO: return sizeof(struct seminfo);
	case GETALL:
		if (input_serving())
			return UINT16_MAX * 2;
		return sys6(SYS_semctl, c->a[0], 0, IPC_STAT, (long)&about, 0, 0) < 0 ? 0 : about.sem_nsems * 2;
	default: return 0;
	}
}

struct list { struct piece *at; unsigned count; };

static void add(struct list *l, const void *at, uint64_t most, uint32_t scattered)
{
	if (l->count < PIECES_MOST)
		l->at[l->count++] = (struct piece){ .at = (void *)(uintptr_t)at, .most = at ? most : 0, .scattered = at ? scattered : 0 };
}

static uint64_t room_of(const struct iovec *v, uint64_t count)
{
	uint64_t room = 0;
	if (!count || count > IOVECS || !sys_readable(v, count * sizeof *v))
		return 0;
	for (uint64_t i = 0; i < count; i++)
		room += v[i].iov_len;
	return room;
}

static void add_message(struct list *l, struct msghdr *m)
{
	if (!sys_readable(m, sizeof *m))
		return;
	add(l, m->msg_iov, room_of(m->msg_iov, m->msg_iovlen), (uint32_t)m->msg_iovlen);
	add(l, m->msg_name, m->msg_name ? m->msg_namelen : 0, 0);
	add(l, m->msg_control, m->msg_control ? m->msg_controllen : 0, 0);
	add(l, &m->msg_namelen, sizeof m->msg_namelen, 0);
	add(l, &m->msg_controllen, sizeof m->msg_controllen, 0);
	add(l, &m->msg_flags, sizeof m->msg_flags, 0);
}

static uint64_t set_bytes(long count)
{
	return count > 0 ? (uint64_t)(count + 63) / 64 * 8 : 0;
}

unsigned call_pieces(const struct world_call *c, struct piece *pieces)
{
	const struct call_about *about = call_about(c->number);
	struct list l = { pieces, 0 };
	for (unsigned i = 0; i < 3; i++) {
		void *at = (void *)c->a[about->pieces[i].arg];
		uint64_t size = (uint64_t)c->a[about->pieces[i].size], bytes = about->pieces[i].bytes;
		switch (about->pieces[i].rule) {
		case P_RESULT: add(&l, at, size + bytes, 0); break;
		case P_FIXED:  add(&l, at, bytes, 0); break;
		case P_COUNT:  add(&l, at, (size & 0x7fffffff) * bytes, 0); break;
		case P_ARRAY:  add(&l, at, (size & 0x7fffffff) * bytes, 0); break;
		case P_SOCKLEN: {
			const socklen_t *length = (const socklen_t *)c->a[about->pieces[i].arg + 1];
			add(&l, at, at && sys_readable(length, 4) ? *length : 0, 0);
			add(&l, length, sizeof *length, 0);
			break;
		}
		case P_IOVEC: add(&l, at, room_of(at, size), (uint32_t)size); break;
		case P_MESSAGE:
			add_message(&l, at);
			if (c->number == SYS_recvmmsg && l.count)
				add(&l, (char *)at + sizeof(struct msghdr), sizeof(unsigned), 0);
			break;
		case P_SENT: add(&l, at ? (char *)at + sizeof(struct msghdr) : NULL, sizeof(unsigned), 0); break;
		case P_SETS:
			for (int set = 1; set <= 3; set++)
				add(&l, (void *)c->a[set], set_bytes(c->a[0]), 0);
			break;
		case P_IOCTL: add(&l, at, ioctl_bytes((unsigned long)c->a[1]), 0); break;
		case P_FCNTL: add(&l, at, fcntl_bytes((unsigned long)c->a[1]), 0); break;
		case P_SEMCTL: add(&l, semctl_bytes(c) ? at : NULL, semctl_bytes(c), 0); break;
		case P_PRCTL: add(&l, at, prctl_bytes((unsigned long)c->a[0]), 0); break;
		default: break;
		}
	}
	return l.count;
}

static uint64_t least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

void call_filled(const struct world_call *c, long result, struct piece *pieces, unsigned count)
{
	const struct call_about *about = call_about(c->number);
	unsigned at = 0;
	for (unsigned i = 0; i < count; i++)
		pieces[i].bytes = result < 0 ? 0 : pieces[i].most;
	if (result < 0)
		return;
	for (unsigned i = 0; i < 3; i++) {
		uint64_t bytes = about->pieces[i].bytes;
		switch (about->pieces[i].rule) {
		case P_NONE: break;
		case P_RESULT: case P_IOVEC:
			pieces[at].bytes = least((uint64_t)result + bytes, pieces[at].most);
			at++;
			break;
		case P_COUNT:
			pieces[at].bytes = least((uint64_t)result * bytes, pieces[at].most);
			at++;
			break;
		case P_SOCKLEN:
			if (pieces[at].at && pieces[at + 1].at)
				pieces[at].bytes = least(*(const socklen_t *)pieces[at + 1].at, pieces[at].most);
			at += 2;
			break;
		case P_MESSAGE: {
			const struct msghdr *m = (const struct msghdr *)c->a[1];
			uint64_t got = c->number == SYS_recvmmsg ? *(const unsigned *)(m + 1) : (uint64_t)result;
			pieces[0].bytes = least(got, pieces[0].most);
			pieces[1].bytes = least(m->msg_namelen, pieces[1].most);
			pieces[2].bytes = least(m->msg_controllen, pieces[2].most);
			break;
		}
		case P_SETS: at += 3; break;
		default: at++; break;
		}
	}
}

/* ---- what goes out ---- */

static uint64_t hash_more(uint64_t h, const void *bytes, uint64_t count)
{
	const char *p = bytes;
	uint64_t word;
	for (; count >= 8; count -= 8, p += 8) {
		copy_bytes(&word, p, 8);
		h = (h ^ word) * 0x9e3779b97f4a7c15ull;
		h ^= h >> 29;
	}
	word = count;
	copy_bytes(&word, p, count);
	h = (h ^ word ^ count << 56) * 0x9e3779b97f4a7c15ull;
	return h ^ h >> 32;
}

static uint64_t hash_vector(const struct iovec *v, uint64_t count)
{
	uint64_t h = 1;
	for (uint64_t i = 0; i < count; i++)
		h = hash_more(h, v[i].iov_base, v[i].iov_len);
	return h;
}

uint64_t call_output(const struct world_call *c)
{
	uint64_t h = 0;
	switch (c->number) {
	case SYS_write: case SYS_pwrite64: case SYS_sendto:
		h = hash_more(1, (const void *)c->a[1], (uint64_t)c->a[2]);
		break;
	case SYS_writev: case SYS_pwritev: case SYS_pwritev2:
		h = hash_vector((const struct iovec *)c->a[1], (uint64_t)c->a[2]);
		break;
	case SYS_sendmsg: {
		const struct msghdr *m = (const struct msghdr *)c->a[1];
		h = hash_vector(m->msg_iov, m->msg_iovlen);
		break;
	}
	default:
		return 0;
	}
	return h ? h : 1;
}
