/* rt/apart.S -- doors to what the runtime does in one run of a program and not in another: in a steered run it has a stack of its own behind them.  Memory a
 * program copies without having written it, as padding, is what was on its stack before: that is to be the same in a run with a fault, in one that goes on
 * from the site of a fault, in one whose records fill segments elsewhere.  Whoever comes while somebody is behind the door, a handler or a thread that is not
 * steered, does it where it is.
 *   raddle_fault, raddle_fault_call   as wire/hooks.h has them: fault.c
 *   segment_next_apart                segment.c */
	.macro	DOOR name, behind, bytes
	.text
	.globl	\name
	.type	\name, @function
\name:
	.cfi_startproc
	cmpq	$0, steer(%rip)
	je	\behind
	movl	$1, %eax
	xchgl	%eax, busy_\name(%rip)
	testl	%eax, %eax
	jne	\behind
	movq	%rsp, came_\name(%rip)
	leaq	stack_\name(%rip), %rsp
	call	\behind
	movq	came_\name(%rip), %rsp
	movl	$0, busy_\name(%rip)
	ret
	.cfi_endproc
	.size	\name, . - \name

	.bss
	.balign	64
	.skip	\bytes
stack_\name:
came_\name:
	.skip	8
busy_\name:
	.skip	8
	.endm

	DOOR	raddle_fault, fault_value, 131072
	DOOR	raddle_fault_call, fault_call, 131072
	DOOR	segment_next_apart, segment_next, 65536
	.hidden	segment_next_apart
	.section .note.GNU-stack,"",@progbits
