/* rt/dlsym.S -- dlsym finds out who calls it by its return address: it is jumped to, not called (behind.c). */
#ifndef RADDLE_STATIC
	.text
	.globl	dlsym
	.type	dlsym, @function
	.p2align 4
dlsym:
	.cfi_startproc
	movq	(%rsp), %rdx
	pushq	%rdi
	.cfi_adjust_cfa_offset 8
	pushq	%rsi
	.cfi_adjust_cfa_offset 8
	subq	$8, %rsp
	.cfi_adjust_cfa_offset 8
	call	rt_before_dlsym
	addq	$8, %rsp
	.cfi_adjust_cfa_offset -8
	popq	%rsi
	.cfi_adjust_cfa_offset -8
	popq	%rdi
	.cfi_adjust_cfa_offset -8
	testq	%rdx, %rdx
	jz	1f
	movq	%rdx, %rax
	retq
1:
	jmpq	*%rax
	.cfi_endproc
	.size	dlsym, . - dlsym
#endif
	.section .note.GNU-stack,"",@progbits
