/* tests/run/setting/deny.c -- runs a program as a container would: no ptrace, no perf, no userfaultfd, no bpf, no looking into
 * other processes' memory, no new privileges, no address randomisation switched off (personality for the values Docker's
 * profile has).  With -d the kernel does not hand over system calls either.   deny [-d] <program> [<arguments>] */
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define REFUSE(number) \
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (number), 0, 1), BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM)

#define ARGUMENT(n) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[n]))
#define PERMIT(value) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (value), 0, 1), BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)
#define DISPATCH 59

int main(int argc, char **argv)
{
	int no_dispatch = argc > 1 && strcmp(argv[1], "-d") == 0;
	argv += no_dispatch;
	argc -= no_dispatch;
	struct sock_filter rules[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		REFUSE(SYS_ptrace), REFUSE(SYS_perf_event_open), REFUSE(SYS_userfaultfd), REFUSE(SYS_bpf),
		REFUSE(SYS_process_vm_readv), REFUSE(SYS_process_vm_writev), REFUSE(SYS_pidfd_getfd), REFUSE(SYS_kcmp),
		REFUSE(SYS_mount), REFUSE(SYS_unshare), REFUSE(SYS_setns), REFUSE(SYS_keyctl),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_prctl, 0, 3),
		ARGUMENT(0),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, no_dispatch ? DISPATCH : (unsigned)-1, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EINVAL),
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_personality, 0, 12),
		ARGUMENT(0), PERMIT(0), PERMIT(8), PERMIT(0x20000), PERMIT(0x20008), PERMIT(0xffffffff),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = { sizeof rules / sizeof *rules, rules };
	if (argc < 2 || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0 || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) < 0) {
		perror("deny");
		return 77;
	}
	execvp(argv[1], argv + 1);
	perror(argv[1]);
	return 127;
}
