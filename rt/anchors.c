/* rt/anchors.c -- where the memory a process begins with lies, so that whoever writes its trace can say it lies elsewhere.
 *
 * Under address randomisation the kernel moves, each on its own: the first stack (and on it, beneath the strings, everything below by
 * a multiple of 16), the libraries and what the loader mapped beside them, the end of the program's data.  Distances inside each
 * stay the same, but for one thing: a function that aligns its frame to more than 16 bytes.  Without it, what lies on the stack
 * depends on how much is in the environment.  So main and the program's constructors run from an address on the stack that
 * is a multiple of MAIN_UNIT. */
#include "rt/anchors.h"

#include <sys/personality.h>
#include <sys/resource.h>

#include "rt/rt.h"
#include "rt/segment.h"
#include "rt/sys.h"

#define STACK_UNIT (1ull << 20)
#define STACK_MOST (64ull << 20)

void anchors_note(struct process_entry *p, char **argv)
{
	p->stack_at = argv ? (uint64_t)(argv - 1) : 0;
	p->strings_at = argv ? (uint64_t)argv[0] : 0;
	p->tls_at = (uint64_t)__builtin_thread_pointer();
	p->break_at = (uint64_t)sys3(SYS_brk, 0, 0, 0);
}

void anchors_of_stack(uint64_t stack_at, uint64_t *low, uint64_t *bytes)
{
	long kind = sys3(SYS_personality, 0xffffffff, 0, 0);
	if (!stack_at || (kind >= 0 && kind & ADDR_NO_RANDOMIZE))
		return;
	*bytes = (*bytes + STACK_UNIT - 1) / STACK_UNIT * STACK_UNIT;
	if (*bytes > STACK_MOST)
		*bytes = STACK_MOST;
	*low = main_below(stack_at) - *bytes;
}

uint64_t anchors_main_top;

static bool has_room(void)
{
	struct rlimit most;
	return sys3(SYS_getrlimit, RLIMIT_STACK, (long)&most, 0) == 0 && most.rlim_cur >= 8 * MAIN_UNIT;
}

int __libc_start_main(int (*main)(int, char **, char **), int argc, char **argv, void (*init)(void), void (*fini)(void),
	void (*at_end)(void), void *stack_end);

/* In a static program nothing of libc works before this: no thread-local memory either. */
INTERPOSE(int, __libc_start_main, (int (*main)(int, char **, char **), int argc, char **argv, void (*init)(void),
	void (*fini)(void), void (*at_end)(void), void *stack_end))
{
	uint64_t here = (uint64_t)__builtin_frame_address(0);
	bool moves = has_room();
	anchors_main_top = moves ? main_below((uint64_t)(argv - 1)) : 0;
	void *skipped = __builtin_alloca(moves ? here - anchors_main_top : 0);
	__asm__ volatile("" : : "r"(skipped) : "memory");
	int code = REAL(__libc_start_main)(main, argc, argv, init, fini, at_end, stack_end);
	__asm__ volatile("" : : "r"(skipped) : "memory");
	return code;
}
