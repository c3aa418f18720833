/* rt/switch.S -- contexts on one kernel thread: a stack, a thread pointer, and what a called function must keep.
 *
 *   void context_swap(void **save, void *load, uint64_t thread_pointer)
 *        puts the caller to rest, *save says where, and wakes the one that rests at `load`;
 *   void context_vanish(void **save, int32_t *alive)
 *        the same, but the kernel thread ends here; the kernel clears *alive and wakes its waiters when nobody runs on this
 *        stack any more.  What is left, stack and thread-local memory, goes on when somebody swaps to it.
 *   void context_start(void **save, const greg_t *registers, uint64_t stack, uint64_t thread_pointer)
 *        puts the caller to rest and goes on where `registers` say, as a new thread would behind the system call that made it.
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

	.globl context_start
	.hidden context_start
	.type context_start, @function
	.p2align 4
context_start:
	rest
	wrfsbase %rcx
	mov %rdx, %rsp
	mov %rsi, %rcx
	mov (%rcx), %r8
	mov 8(%rcx), %r9
	mov 16(%rcx), %r10
	mov 32(%rcx), %r12
	mov 40(%rcx), %r13
	mov 48(%rcx), %r14
	mov 56(%rcx), %r15
	mov 64(%rcx), %rdi
	mov 72(%rcx), %rsi
	mov 80(%rcx), %rbp
	mov 88(%rcx), %rbx
	mov 96(%rcx), %rdx
	mov 128(%rcx), %r11             /* rip */
	xor %eax, %eax
	jmp *%r11
	.size context_start, . - context_start

	/* bool context_mark(uint64_t where[10]): false; true when context_back(where) comes here, as setjmp, with thread pointer and
	 * control words */
	.globl context_mark
	.hidden context_mark
	.type context_mark, @function
	.p2align 4
context_mark:
	mov %rbx, (%rdi)
	mov %rbp, 8(%rdi)
	mov %r12, 16(%rdi)
	mov %r13, 24(%rdi)
	mov %r14, 32(%rdi)
	mov %r15, 40(%rdi)
	mov (%rsp), %rax
	mov %rax, 48(%rdi)
	mov %rsp, 56(%rdi)
	rdfsbase %rax
	mov %rax, 64(%rdi)
	stmxcsr 72(%rdi)
	fnstcw 76(%rdi)
	xor %eax, %eax
	ret
	.size context_mark, . - context_mark

	.globl context_back
	.hidden context_back
	.type context_back, @function
	.p2align 4
context_back:
	mov (%rdi), %rbx
	mov 8(%rdi), %rbp
	mov 16(%rdi), %r12
	mov 24(%rdi), %r13
	mov 32(%rdi), %r14
	mov 40(%rdi), %r15
	mov 64(%rdi), %rax
	wrfsbase %rax
	ldmxcsr 72(%rdi)
	fldcw 76(%rdi)
	mov 56(%rdi), %rsp
	add $8, %rsp
	mov $1, %eax
	jmp *48(%rdi)
	.size context_back, . - context_back

	/* void context_on(void *stack, void (*run)(void)): runs it there; it does not return */
	.globl context_on
	.hidden context_on
	.type context_on, @function
	.p2align 4
context_on:
	mov %rdi, %rsp
	xor %ebp, %ebp
	call *%rsi
	ud2
	.size context_on, . - context_on

	/* void context_call(void *top, void (*run)(void *), void *with): runs it there, and comes back; unwinders find the way */
	.globl context_call
	.hidden context_call
	.type context_call, @function
	.p2align 4
context_call:
	.cfi_startproc
	push %rbp
	.cfi_def_cfa_offset 16
	.cfi_offset %rbp, -16
	mov %rsp, %rbp
	.cfi_def_cfa_register %rbp
	mov %rdi, %rsp
	and $-16, %rsp
	mov %rdx, %rdi
	call *%rsi
	leave
	.cfi_def_cfa %rsp, 8
	ret
	.cfi_endproc
	.size context_call, . - context_call

	.section .note.GNU-stack, "", @progbits
