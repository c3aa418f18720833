/* rt/dlopen.S -- dlopen finds out who calls it by its return address: it is jumped to, not called. */
#ifdef RADDLE_STATIC
#define DLOPEN __wrap_dlopen
#else
#define DLOPEN dlopen
#endif
	.text
	.globl	DLOPEN
	.type	DLOPEN, @function
	.p2align 4
DLOPEN:
	.cfi_startproc
	pushq	%rdi
	.cfi_adjust_cfa_offset 8
	pushq	%rsi
	.cfi_adjust_cfa_offset 8
	subq	$8, %rsp
	.cfi_adjust_cfa_offset 8
	call	rt_before_dlopen
	addq	$8, %rsp
	.cfi_adjust_cfa_offset -8
	popq	%rsi
	.cfi_adjust_cfa_offset -8
	popq	%rdi
	.cfi_adjust_cfa_offset -8
	jmpq	*%rax
	.cfi_endproc
	.size	DLOPEN, . - DLOPEN
	.section .note.GNU-stack,"",@progbits
