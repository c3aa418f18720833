/* rt/swap.S -- compare-and-exchange that a signal can find in the middle (stripe.c).
 *
 *   unsigned swap_N(void *at, uint64_t found[], const uint64_t value[], uint32_t *phase)
 * Stores value when *at equals found: 1, and *phase is STRIPE_DONE.  0: it did not; found is what was there.
 * 2: *phase was not STRIPE_LOCKED, nothing was done.  Labels, for who looks at an interrupted instruction pointer:
 *   swap_N_check    from here to swap_N_after nothing has happened and no register has changed: may start again from here
 *   swap_N_after    the exchange was done if the zero flag is set
 *   swap_N_stored   it was done, *phase does not say so yet
 *   swap_N_said     it does */
#include "rt/stripe.h"
	.text
	.macro swap bytes, value, found
	.globl	swap_\bytes, swap_\bytes\()_check, swap_\bytes\()_after, swap_\bytes\()_stored, swap_\bytes\()_said
	.hidden	swap_\bytes, swap_\bytes\()_check, swap_\bytes\()_after, swap_\bytes\()_stored, swap_\bytes\()_said
	.type	swap_\bytes, @function
	.p2align 4
swap_\bytes:
	.cfi_startproc
	movq	%rcx, %r8
	movq	%rdx, %r9
	movq	%rbx, %r10
	.cfi_register %rbx, %r10
	movq	(%rsi), %rax
	movq	(%r9), %rbx
	.if \bytes == 16
	movq	8(%rsi), %rdx
	movq	8(%r9), %rcx
	.endif
swap_\bytes\()_check:
	cmpl	$STRIPE_LOCKED, (%r8)
	jne	2f
	.if \bytes == 16
	lock cmpxchg16b (%rdi)
	.else
	lock cmpxchg \value, (%rdi)
	.endif
swap_\bytes\()_after:
	jne	1f
swap_\bytes\()_stored:
	movl	$STRIPE_DONE, (%r8)
swap_\bytes\()_said:
	movl	$1, %eax
	movq	%r10, %rbx
	ret
1:	mov	\found, (%rsi)
	.if \bytes == 16
	movq	%rdx, 8(%rsi)
	.endif
	xorl	%eax, %eax
	movq	%r10, %rbx
	ret
2:	movl	$2, %eax
	movq	%r10, %rbx
	ret
	.cfi_endproc
	.size	swap_\bytes, . - swap_\bytes
	.endm

	swap 1, %bl, %al
	swap 2, %bx, %ax
	swap 4, %ebx, %eax
	swap 8, %rbx, %rax
	swap 16, %rbx, %rax

/* void load_16(const void *at, uint64_t value[2], bool by_vector): in one step; aligned vector loads are one where there is AVX. */
	.globl	load_16
	.hidden	load_16
	.type	load_16, @function
	.p2align 4
load_16:
	.cfi_startproc
	testl	%edx, %edx
	jz	1f
	movdqa	(%rdi), %xmm0
	movdqu	%xmm0, (%rsi)
	ret
1:	movq	%rbx, %r10
	.cfi_register %rbx, %r10
	xorl	%eax, %eax
	xorl	%edx, %edx
	xorl	%ebx, %ebx
	xorl	%ecx, %ecx
	lock cmpxchg16b (%rdi)
	movq	%rax, (%rsi)
	movq	%rdx, 8(%rsi)
	movq	%r10, %rbx
	ret
	.cfi_endproc
	.size	load_16, . - load_16
	.section .note.GNU-stack,"",@progbits
