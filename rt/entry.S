/* rt/entry.S -- the doors of inline code: few registers change, whatever happens behind them.
 *   raddle_next_segment   its segment is full.  LLVM's preserve_all: all but r11 and the result are as they were
 *   raddle_load, _store   an access of a steered body.  LLVM's preserve_most: general registers but r11 and the result are as
 *                         they were, vector registers are not
 * The C behind them is compiled without vector registers, so only the general ones need keeping. */
	.macro	keep
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
	pushq	%rax
	andq	$-16, %rsp
	.endm

	.macro	give_back
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
	.endm

	.macro	door name
	.globl	\name
	.type	\name, @function
	.p2align 4
\name:
	.cfi_startproc
	.endm

	/* goes on if the address is not of the heap and the thread has quota left, and takes one of it */
	.macro	take_quota otherwise
	movq	%rdi, %r11
	subq	heap_base(%rip), %r11
	cmpq	heap_bytes(%rip), %r11
	jb	\otherwise
	movq	access_quota@gottpoff(%rip), %r11
	cmpq	$0, %fs:(%r11)
	je	\otherwise
	decq	%fs:(%r11)
	.endm

	.hidden	heap_base
	.hidden	heap_bytes
	.text
	door	raddle_next_segment
	keep
	call	segment_next
	give_back
	.cfi_endproc
	.size	raddle_next_segment, . - raddle_next_segment

	/* rdi address, esi what; rdx site */
	door	raddle_load
	take_quota 4f
	testb	$2, %sil
	jz	2f
	testb	$1, %sil
	jz	1f
	movq	(%rdi), %rax
	ret
1:	movl	(%rdi), %eax
	ret
2:	testb	$1, %sil
	jz	3f
	movzwl	(%rdi), %eax
	ret
3:	movzbl	(%rdi), %eax
	ret
4:	keep
	call	access_load
	give_back
	.cfi_endproc
	.size	raddle_load, . - raddle_load

	/* rdi address, rsi bits, edx what; rcx site */
	door	raddle_store
	take_quota 4f
	testb	$2, %dl
	jz	2f
	testb	$1, %dl
	jz	1f
	movq	%rsi, (%rdi)
	ret
1:	movl	%esi, (%rdi)
	ret
2:	testb	$1, %dl
	jz	3f
	movw	%si, (%rdi)
	ret
3:	movb	%sil, (%rdi)
	ret
4:	keep
	call	access_store
	movq	-64(%rbp), %rax
	give_back
	.cfi_endproc
	.size	raddle_store, . - raddle_store
	.section .note.GNU-stack,"",@progbits
