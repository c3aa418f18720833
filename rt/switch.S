/* rt/switch.S -- contexts on one kernel thread: a stack, a thread pointer, and what a called function must keep.
 *
 *   void context_swap(void **save, void *load, uint64_t thread_pointer)
 *        puts the caller to rest, *save says where, and wakes the one that rests at `load`;
 *   void context_vanish(void **save, int32_t *alive)
 *        the same, but the kernel thread ends here; the kernel clears *alive and wakes its waiters when nobody runs on this
 *        stack any more.  What is left, stack and thread-local memory, goes on when somebody swaps to it.
 *
 * Resting stack, from its top: control words of SSE and x87, r15 r14 r13 r12 rbx rbp, return address. */

#define SYS_exit 60
#define SYS_set_tid_address 218

	.text
	.macro rest
	push %rbp
	push %rbx
	push %r12
	push %r13
	push %r14
	push %r15
	sub $8, %rsp
	stmxcsr (%rsp)
	fnstcw 4(%rsp)
	mov %rsp, (%rdi)
	.endm

	.globl context_swap
	.hidden context_swap
	.type context_swap, @function
	.p2align 4
context_swap:
	rest
	mov (%rsp), %eax                /* setting control words is slow, and they are mostly the same */
	movzwl 4(%rsp), %ecx
	mov %rsi, %rsp
	wrfsbase %rdx
	cmp (%rsp), %eax
	je 1f
	ldmxcsr (%rsp)
1:	cmp 4(%rsp), %cx
	je 2f
	fldcw 4(%rsp)
2:	add $8, %rsp
	pop %r15
	pop %r14
	pop %r13
	pop %r12
	pop %rbx
	pop %rbp
	ret
	.size context_swap, . - context_swap

	.globl context_vanish
	.hidden context_vanish
	.type context_vanish, @function
	.p2align 4
context_vanish:
	rest
	mov %rsi, %rdi
	mov $SYS_set_tid_address, %eax
	syscall
1:	xor %edi, %edi
	mov $SYS_exit, %eax
	syscall
	jmp 1b
	.size context_vanish, . - context_vanish

	.section .note.GNU-stack, "", @progbits
