/* tests/run/setting/deny.c -- runs a program as a container would: no ptrace, no perf, no userfaultfd, no bpf, no looking into
 * other processes' memory, no new privileges.   deny <program> [<arguments>] */
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define REFUSE(number) \
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (number), 0, 1), BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM)

int main(int argc, char **argv)
{
	struct sock_filter rules[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		REFUSE(SYS_ptrace), REFUSE(SYS_perf_event_open), REFUSE(SYS_userfaultfd), REFUSE(SYS_bpf),
		REFUSE(SYS_process_vm_readv), REFUSE(SYS_process_vm_writev), REFUSE(SYS_pidfd_getfd), REFUSE(SYS_kcmp),
		REFUSE(SYS_mount), REFUSE(SYS_unshare), REFUSE(SYS_setns), REFUSE(SYS_keyctl),
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
