/* rt/vfork.S -- vfork returns twice into one frame, so no C function may stand between it and its caller.
 * The return address waits in a register while the child uses the stack; the parent's side is told to fork.c. */
#include <sys/syscall.h>
#ifdef RADDLE_STATIC
#define VFORK __wrap_vfork
#else
#define VFORK vfork
#endif
	.text
	.globl	VFORK
	.type	VFORK, @function
	.p2align 4
VFORK:
	.cfi_startproc
	cmpq	$0, steer(%rip)                 /* a steered program: an ordinary child (tasks.c) */
	jne	rt_steered_vfork
	popq	%rdi
	.cfi_adjust_cfa_offset -8
	.cfi_register %rip, %rdi
	movl	$SYS_vfork, %eax
	syscall
	pushq	%rdi
	.cfi_adjust_cfa_offset 8
	.cfi_offset %rip, -8
	testq	%rax, %rax
	jz	1f
	movq	%rdi, %rsi
	movq	%rax, %rdi
	subq	$8, %rsp
	.cfi_adjust_cfa_offset 8
	call	rt_vforked
	addq	$8, %rsp
	.cfi_adjust_cfa_offset -8
1:	ret
	.cfi_endproc
	.size	VFORK, . - VFORK
	.section .note.GNU-stack,"",@progbits
