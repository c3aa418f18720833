/* rt/entry.S -- the doors of inline code: few registers change, whatever happens behind them.
 *   raddle_next_segment   its segment is full.  LLVM's preserve_all: all but r11 and the result are as they were
 *   raddle_load, _store   an access of a steered body.  LLVM's preserve_most: general registers but r11 and the result are as
 *                         they were, vector registers are not
 *   raddle_load4_1, ...   the same of this size, the access of this number in its group: two arguments less to hand over
 *   raddle_enter, _leave  the function stack of a steered body (cc/frame.c); preserve_most too
 *   raddle_atomic, raddle_weak_cas   calls like others, whose callers' registers can be looked at (state.h)
 *   raddle_round, _asm    a round of a loop that may have no event, inline assembly (waiting.c); preserve_most too
 *   raddle_own            a write to a thread-local variable no other thread can see; preserve_most too
 *   raddle_asm_begins, _ends   around inline assembly with a loop in it (stepping.c); preserve_most too
 *   raddle_call           in front of a call that may leave watched code (called.c); preserve_most too
 * The C behind them is compiled without vector registers, so only the general ones need keeping. */
	/* of wire/tls.h and wire/ring.h; rt/thread.c checks them */
	.set	TLS_AREA, 16
	.set	AREA_DEPTH_AT, 24
	.set	RING_KEEP_AT, 44
	.set	AREA_FRAMES_AT, 672
	.set	AREA_FRAMES, 208

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
	.endm

	/* the other registers too, where rt/access.c looks for them; they are given back by whoever is called */
	.macro	keep_all
	keep
	pushq	%rbx
	pushq	%r12
	pushq	%r13
	pushq	%r14
	pushq	%r15
	.endm

	.macro	restore
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
	.endm

	.macro	give_back
	restore
	ret
	.endm

	.macro	aligned
	andq	$-16, %rsp
	.endm

	.macro	door name
	.globl	\name
	.type	\name, @function
	.p2align 4
\name:
	.cfi_startproc
	.endm

	/* goes on if the address is not of the heap or of what is gone, and the thread has quota left, and takes one of it */
	.macro	take_quota otherwise
	movq	%rdi, %r11
	subq	heap_base(%rip), %r11
	cmpq	heap_bytes(%rip), %r11
	jb	\otherwise
	movq	%rdi, %r11
	subq	left_base(%rip), %r11
	cmpq	left_bytes(%rip), %r11
	jb	\otherwise
	movq	access_quota@gottpoff(%rip), %r11
	cmpq	$0, %fs:(%r11)
	je	\otherwise
	decq	%fs:(%r11)
	.endm

	.hidden	heap_base
	.hidden	heap_bytes
	.hidden	left_base
	.hidden	left_bytes
	.hidden	states_on
	.hidden	access_unseen
	.hidden	access_states
	.hidden	state_frame
	.hidden	atomic_perform
	.hidden	atomic_perform_weak
	.text
	door	raddle_next_segment
	keep
	aligned
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
4:	keep_all
	aligned
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
	aligned
	call	access_store
	movq	-64(%rbp), %rax
	give_back
	.cfi_endproc
	.size	raddle_store, . - raddle_store
	/* r11d what; rdi address, rsi site */
	.p2align 4
load_slowly:
	.cfi_startproc
	keep_all
	aligned
	movq	%rsi, %rdx
	movl	%r11d, %esi
	call	access_load
	give_back
	.cfi_endproc

	/* r11d what; rdi address, rsi bits, rdx site */
	.p2align 4
store_slowly:
	.cfi_startproc
	keep
	aligned
	movq	%rdx, %rcx
	movl	%r11d, %edx
	call	access_store
	movq	-64(%rbp), %rax
	give_back
	.cfi_endproc

	.macro	sized_doors size, log2size, read, into, write, from, nth
	door	raddle_load\size\()_\nth
	take_quota 1f
	\read	(%rdi), %\into
	ret
1:	movl	$\log2size | \nth << 8, %r11d
	jmp	load_slowly
	.cfi_endproc
	.size	raddle_load\size\()_\nth, . - raddle_load\size\()_\nth
	door	raddle_store\size\()_\nth
	take_quota 1f
	\write	%\from, (%rdi)
	ret
1:	movl	$\log2size | \nth << 8, %r11d
	jmp	store_slowly
	.cfi_endproc
	.size	raddle_store\size\()_\nth, . - raddle_store\size\()_\nth
	.endm

	.irp	nth, 0, 1, 2, 3, 4, 5, 6, 7         /* DOORS_NTH of them */
	sized_doors 1, 0, movzbl, eax, movb, sil, \nth
	sized_doors 2, 1, movzwl, eax, movw, si, \nth
	sized_doors 4, 2, movl, eax, movl, esi, \nth
	sized_doors 8, 3, movq, rax, movq, rsi, \nth
	.endr

	/* rdi descriptor, rsi where the function returns to: area->frames[min(depth, last)] = { it, that }; area->depth++ */
	door	raddle_enter
	pushq	%rax
	.cfi_def_cfa_offset 16
	movq	raddle_tls@gottpoff(%rip), %r11
	movq	%fs:TLS_AREA(%r11), %r11
	movl	AREA_DEPTH_AT(%r11), %eax
	cmpl	$AREA_FRAMES - 1, %eax
	jbe	1f
	movl	$AREA_FRAMES - 1, %eax
1:	shlq	$4, %rax
	movq	%rdi, AREA_FRAMES_AT(%r11,%rax)
	movq	%rsi, AREA_FRAMES_AT + 8(%r11,%rax)
	incl	AREA_DEPTH_AT(%r11)
	popq	%rax
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.size	raddle_enter, . - raddle_enter

	door	raddle_leave
	movq	raddle_tls@gottpoff(%rip), %r11
	movq	%fs:TLS_AREA(%r11), %r11
	decl	AREA_DEPTH_AT(%r11)
	ret
	.cfi_endproc
	.size	raddle_leave, . - raddle_leave

	/* rdi what is called: nothing to do unless there are store buffers, or somebody wants records or may yet */
	door	raddle_call
	cmpb	$0, buffers_on(%rip)
	jne	1f
	movq	ring(%rip), %r11
	testq	%r11, %r11
	je	2f
	cmpl	$0, RING_KEEP_AT(%r11)
	jne	1f
	cmpb	$0, serve_waits(%rip)
	jne	1f
2:	cmpb	$0, states_on(%rip)
	jne	1f
	ret
1:	keep
	aligned
	movq	8(%rbp), %rsi
	call	called
	movq	-64(%rbp), %rax
	give_back
	.cfi_endproc
	.size	raddle_call, . - raddle_call

	/* around inline assembly with a loop in it; the trap flag is set last */
	door	raddle_asm_begins
	keep
	aligned
	movq	8(%rbp), %rdi
	call	stepping_begins
	movzbl	%al, %r11d
	movq	-64(%rbp), %rax
	restore
	testl	%r11d, %r11d
	je	1f
	pushfq
	orq	$0x100, (%rsp)
	popfq
1:	ret
	.cfi_endproc
	.size	raddle_asm_begins, . - raddle_asm_begins

	door	raddle_asm_ends
	keep
	aligned
	call	stepping_ends
	movq	-64(%rbp), %rax
	give_back
	.cfi_endproc
	.size	raddle_asm_ends, . - raddle_asm_ends

	/* a round of a loop, inline assembly */
	door	raddle_asm
	movq	access_own@gottpoff(%rip), %r11
	incq	%fs:(%r11)
	incq	access_unseen(%rip)
	jmp	raddle_round
	.cfi_endproc
	.size	raddle_asm, . - raddle_asm

	/* a write to what is the thread's own */
	door	raddle_own
	movq	access_own@gottpoff(%rip), %r11
	incq	%fs:(%r11)
	ret
	.cfi_endproc
	.size	raddle_own, . - raddle_own

	door	raddle_round
	movq	access_rounds@gottpoff(%rip), %r11
	decq	%fs:(%r11)
	je	1f
	cmpb	$0, access_states(%rip)
	jne	1f
	ret
1:	keep_all
	aligned
	movq	8(%rbp), %rdi
	movq	%rbp, %rsi
	call	access_round
	movq	-64(%rbp), %rax
	give_back
	.cfi_endproc
	.size	raddle_round, . - raddle_round

	/* An atomic operation: a call like any other, which leaves its caller's registers behind if somebody asks for them. */
	.macro	atomic_door name, behind
	door	\name
	cmpb	$0, states_on(%rip)
	jne	1f
	jmp	\behind
1:	pushq	%rbp
	.cfi_def_cfa_offset 16
	.cfi_offset %rbp, -16
	movq	%rsp, %rbp
	.cfi_def_cfa_register %rbp
	pushq	%rbx
	pushq	%r12
	pushq	%r13
	pushq	%r14
	pushq	%r15
	movq	state_frame@gottpoff(%rip), %r11
	movq	%rsp, %fs:(%r11)
	movq	%rbp, %fs:8(%r11)
	subq	$8, %rsp
	call	\behind
	xorl	%ecx, %ecx              /* what nobody needs must not look like a state that changes */
	xorl	%esi, %esi
	xorl	%edi, %edi
	xorl	%r8d, %r8d
	xorl	%r9d, %r9d
	xorl	%r10d, %r10d
	leave
	.cfi_def_cfa %rsp, 8
	ret
	.cfi_endproc
	.size	\name, . - \name
	.endm
	atomic_door raddle_atomic, atomic_perform
	atomic_door raddle_weak_cas, atomic_perform_weak
	.section .note.GNU-stack,"",@progbits
