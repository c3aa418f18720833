/* rt/once_frame.S -- the frame in which once.c calls a routine: whatever leaves it without returning passes here, and once_left() is told.
 *   void once_framed(void (*routine)(void)) */
	.text
	.globl	once_framed
	.hidden	once_framed
	.type	once_framed, @function
once_framed:
	.cfi_startproc
	.cfi_personality 0x1b, once_left
	subq	$8, %rsp
	.cfi_adjust_cfa_offset 8
	call	*%rdi
	addq	$8, %rsp
	.cfi_adjust_cfa_offset -8
	ret
	.cfi_endproc
	.size	once_framed, . - once_framed
	.section .note.GNU-stack, "", @progbits
