/* rt/loader.S -- dlopen and dlsym find out who calls them by their return address: they are jumped to, not called.  What is to be
 * done before is a function of C (unload.c, behind.c), which says where the real one is. */
#ifndef RADDLE_STATIC
	.macro	BEFORE function                 /* with the two arguments kept; %rax: the real one */
	pushq	%rdi
	.cfi_adjust_cfa_offset 8
	pushq	%rsi
	.cfi_adjust_cfa_offset 8
	subq	$8, %rsp
	.cfi_adjust_cfa_offset 8
	call	\function
	addq	$8, %rsp
	.cfi_adjust_cfa_offset -8
	popq	%rsi
	.cfi_adjust_cfa_offset -8
	popq	%rdi
	.cfi_adjust_cfa_offset -8
	.endm

	.text
	.globl	dlopen
	.type	dlopen, @function
	.p2align 4
dlopen:
	.cfi_startproc
	BEFORE	rt_before_dlopen
	jmpq	*%rax
	.cfi_endproc
	.size	dlopen, . - dlopen

	.globl	dlsym
	.type	dlsym, @function
	.p2align 4
dlsym:
	.cfi_startproc
	movq	(%rsp), %rdx
	BEFORE	rt_before_dlsym
	testq	%rdx, %rdx                      /* the runtime's own answer, or 0 */
	jz	1f
	movq	%rdx, %rax
	retq
1:
	jmpq	*%rax
	.cfi_endproc
	.size	dlsym, . - dlsym
#endif
	.section .note.GNU-stack,"",@progbits
