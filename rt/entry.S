/* rt/entry.S -- the door inline code uses when its segment is full.
 * LLVM's preserve_all convention: every register but r11 and the result is as it was.  The C behind it is compiled
 * without vector registers, so only the general ones need keeping. */
	.text
	.globl	raddle_next_segment
	.type	raddle_next_segment, @function
	.p2align 4
raddle_next_segment:
	.cfi_startproc
	pushq	%rbp
	.cfi_def_cfa_offset 16
	.cfi_offset %rbp, -16
	movq	%rsp, %rbp
	.cfi_def_cfa_register %rbp
	pushq	%rcx
	pushq	%rdx
	pushq	%rsi
	pushq	%rdi
	pushq	%r8
	pushq	%r9
	pushq	%r10
	subq	$8, %rsp
	andq	$-16, %rsp
	call	segment_next
	leaq	-56(%rbp), %rsp
	popq	%r10
	popq	%r9
	popq	%r8
	popq	%rdi
	popq	%rsi
	popq	%rdx
	popq	%rcx
	popq	%rbp
	.cfi_def_cfa %rsp, 8
	ret
	.cfi_endproc
	.size	raddle_next_segment, . - raddle_next_segment
	.section .note.GNU-stack,"",@progbits
