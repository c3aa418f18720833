/* rt/stub.S -- every system call the runtime makes itself, in pages of their own: the kernel lets calls from here through while
 * those from anywhere else in a steered program are handed to dispatch.c.
 *   rt_syscall      number and six arguments, as rt/sys.h says
 *   __restore_rt    the way back from the handler of trapped calls; gdb knows a signal frame by this name alone, and without it its
 *                   stacks end here
 *   rt_clone_slots  a trapped call that makes a task on a stack of its own in our memory is made here, with the registers it came
 *                   with, and the new task goes on where rt_clone_targets says: one slot of 32 bytes for each place in libc that
 *                   makes such calls */
#include <sys/syscall.h>
	.section .text.raddle_stub, "ax", @progbits
	.p2align 12
	.globl	rt_stub_low
	.hidden	rt_stub_low
rt_stub_low:
	.globl	rt_syscall
	.hidden	rt_syscall
	.type	rt_syscall, @function
rt_syscall:
	.cfi_startproc
	movq	%rdi, %rax
	movq	%rsi, %rdi
	movq	%rdx, %rsi
	movq	%rcx, %rdx
	movq	%r8, %r10
	movq	%r9, %r8
	movq	8(%rsp), %r9
	syscall
	ret
	.cfi_endproc
	.size	rt_syscall, . - rt_syscall

	.globl	__restore_rt
	.hidden	__restore_rt
	.type	__restore_rt, @function
	.p2align 4
	nop
__restore_rt:
	movq	$SYS_rt_sigreturn, %rax        /* these very bytes: debuggers and unwinders know a signal frame by them */
	syscall
	ud2
	.size	__restore_rt, . - __restore_rt

	/* (stack pointer): the program's own return from a signal handler, trapped; the frame we run on is given up */
	.globl	rt_return_at
	.hidden	rt_return_at
	.type	rt_return_at, @function
	.p2align 4
rt_return_at:
	movq	%rdi, %rsp
	movl	$SYS_rt_sigreturn, %eax
	syscall
	ud2
	.size	rt_return_at, . - rt_return_at

	/* (slot, registers as in a ucontext): makes the call there; the parent comes back, the child goes on where the slot says */
	.globl	rt_clone_at
	.hidden	rt_clone_at
	.type	rt_clone_at, @function
	.p2align 4
rt_clone_at:
	pushq	%rbx
	pushq	%rbp
	pushq	%r12
	pushq	%r13
	pushq	%r14
	pushq	%r15
	movq	%rdi, %r11
	movq	%rsi, %rcx
	movq	(%rcx), %r8
	movq	8(%rcx), %r9
	movq	16(%rcx), %r10
	movq	32(%rcx), %r12
	movq	40(%rcx), %r13
	movq	48(%rcx), %r14
	movq	56(%rcx), %r15
	movq	64(%rcx), %rdi
	movq	72(%rcx), %rsi
	movq	80(%rcx), %rbp
	movq	88(%rcx), %rbx
	movq	96(%rcx), %rdx
	movq	104(%rcx), %rax
	jmp	*%r11
2:	popq	%r15
	popq	%r14
	popq	%r13
	popq	%r12
	popq	%rbp
	popq	%rbx
	ret
	.size	rt_clone_at, . - rt_clone_at

	.globl	rt_clone_slots
	.hidden	rt_clone_slots
	.p2align 5
rt_clone_slots:
	.set	slot, 0
	.rept	16
	syscall
	testq	%rax, %rax
	jnz	2b
	jmp	*(rt_clone_targets + 8 * slot)(%rip)
	.p2align 5
	.set	slot, slot + 1
	.endr
	ud2
	.p2align 12
	.globl	rt_stub_high
	.hidden	rt_stub_high
rt_stub_high:
	.bss
	.p2align 3
	.globl	rt_clone_targets
	.hidden	rt_clone_targets
	.type	rt_clone_targets, @object
	.size	rt_clone_targets, 128
rt_clone_targets:
	.zero	128
	.section .note.GNU-stack,"",@progbits
