/* The program puts a filter on itself: one call is refused, one is trapped and answered by its own handler. */
#define _GNU_SOURCE
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

static void trapped(int number, siginfo_t *info, void *context)
{
	(void)number, (void)info;
	((ucontext_t *)context)->uc_mcontext.gregs[REG_RAX] = 42;
}

static void *asks(void *x)
{
	errno = 0;
	int result = chroot("/");
	printf("refused %d %d, trapped %ld\n", result, errno == EACCES, syscall(SYS_sethostname, "x", 1));
	return x;
}

int main(void)
{
	struct sock_filter code[] = { { BPF_LD | BPF_W | BPF_ABS, 0, 0, offsetof(struct seccomp_data, nr) },
		{ BPF_JMP | BPF_JEQ | BPF_K, 2, 0, SYS_chroot }, { BPF_JMP | BPF_JEQ | BPF_K, 2, 0, SYS_sethostname },
		{ BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW }, { BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ERRNO | EACCES },
		{ BPF_RET | BPF_K, 0, 0, SECCOMP_RET_TRAP } };
	struct sock_fprog all = { sizeof code / sizeof *code, code };
	struct sigaction action = { .sa_sigaction = trapped, .sa_flags = SA_SIGINFO };
	pthread_t t;
	sigfillset(&action.sa_mask);
	sigaction(SIGSYS, &action, NULL);
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &all))
		return 1;
	pthread_create(&t, NULL, asks, NULL);
	pthread_join(t, NULL);
	return 0;
}
