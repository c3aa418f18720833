/* rt/dispatch.c -- Syscall User Dispatch: the kernel hands every system call that is not made in stub.S to on_call, as a SIGSYS.
 *
 * So the system calls inside libc and other libraries are seen too: a lock of stdio held across a switch, what printf writes, what a
 * resolver reads.  The calls of the runtime come by here only through libc (inside > 0) and are passed on.
 *   (1) SIGSYS is never blocked and its handler never replaced, whatever the program asks for: the kernel would end the process
 *       at its next call.  So signal masks and handlers are looked at on their way;
 *   (2) a new kernel thread or process begins without dispatch: a thread of the program asks for its own (dispatch_thread);
 *   (3) clocks read in the vdso are no system calls: its functions are overwritten with ones that are.
 * Where the kernel does not have it (before 5.11, or forbidden), only the interposed functions of libc are steered. */
#include <elf.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <ucontext.h>

#include "rt/ghost.h"
#include "rt/input.h"
#include "rt/private.h"
#include "rt/keep.h"
#include "rt/restart.h"
#include "rt/serve.h"
#include "rt/sys.h"
#include "rt/warm.h"
#include "rt/world.h"

#ifndef PR_SET_SYSCALL_USER_DISPATCH
#define PR_SET_SYSCALL_USER_DISPATCH 59
#endif
#define DISPATCH_ON     1
#define USER_DISPATCH   2               /* si_code */
#define SLOTS           16u
#define SLOT_BYTES      32u
#define NOTHING         UINT32_MAX

extern const char rt_stub_low[], rt_stub_high[], rt_clone_slots[];
extern uint64_t rt_clone_targets[SLOTS];
_Noreturn void rt_return_at(uint64_t sp);
long rt_clone_at(const char *slot, const greg_t *registers);

#define BIT(number) (1ull << ((number) - 1))
#define FAULTS      (BIT(SIGSEGV) | BIT(SIGBUS) | BIT(SIGFPE) | BIT(SIGILL) | BIT(SIGTRAP))

static char selector = 1;               /* hand it over */
static bool on;
static struct kernel_action given;      /* the program's own for SIGSYS */

bool dispatch_is_on(void)
{
	return on;
}

/* ---- signals keep off SIGSYS ---- */

/* The mask is taken from the context when the handler returns: there it is changed, as the kernel would. */
static long mask_call(const struct world_call *c, ucontext_t *context)
{
	uint64_t *mask = (uint64_t *)&context->uc_sigmask, old = *mask, set = 0;
	if (c->a[3] != 8)
		return -EINVAL;
	if (rt_steered()) {                      /* sigsetjmp, siglongjmp */
		long failed = signals_mask((int)c->a[0], (const uint64_t *)c->a[1], (uint64_t *)c->a[2]);
		*mask &= ~(FAULTS & ~own_strand->mask);         /* the kernel still blocks those a handler left by a jump was for */
		return failed;
	}
	if (c->a[1]) {
		signals_kernel_asked();
		copy_bytes(&set, (const void *)c->a[1], 8);
		set &= ~(SIGSYS_BIT | 1ull << (SIGKILL - 1) | 1ull << (SIGSTOP - 1));
		switch (c->a[0]) {
		case SIG_BLOCK:   *mask = old | set; break;
		case SIG_UNBLOCK: *mask = old & ~set; break;
		case SIG_SETMASK: *mask = set; break;
		default: return -EINVAL;
		}
	}
	if (c->a[2])
		copy_bytes((void *)c->a[2], &old, 8);
	return 0;
}

static long action_call(const struct world_call *c)
{
	struct world_call ours = *c;
	struct kernel_action action;
	if (c->a[0] == SIGSYS) {
		if (c->a[2])
			copy_bytes((void *)c->a[2], &given, sizeof given);
		if (c->a[1])
			copy_bytes(&given, (const void *)c->a[1], sizeof given);
		return 0;
	}
	if (!c->a[1])
		return kernel_call(c);
	copy_bytes(&action, (const void *)c->a[1], sizeof action);
	action.mask &= ~SIGSYS_BIT;
	ours.a[1] = (long)&action;
	return kernel_call(&ours);
}

static long suspend_call(const struct world_call *c)
{
	uint64_t set;
	copy_bytes(&set, (const void *)c->a[0], 8);
	set &= ~SIGSYS_BIT;
	return sys3(c->number, (long)&set, c->a[1], 0);
}

/* The kernel takes it from the context too. */
static long stack_call(struct world_call *c, ucontext_t *context)
{
	long result = world_wanted() ? world_call(c) : kernel_call(c);
	if (result == 0 && c->a[0])
		sys3(SYS_sigaltstack, 0, (long)&context->uc_stack, 0);
	return result;
}

/* ---- tasks ---- */

static uint64_t clone_flags(const struct world_call *c)
{
	if (c->number == SYS_clone3)
		return ((const struct clone_args *)c->a[0])->flags;
	return c->number == SYS_clone ? (uint64_t)c->a[0] : 0;
}

static bool has_stack(const struct world_call *c)
{
	return c->number == SYS_clone3 ? ((const struct clone_args *)c->a[0])->stack != 0 : c->number == SYS_clone && c->a[1];
}

static const char *slot_for(uint64_t target)
{
	for (unsigned i = 0; i < SLOTS; i++) {
		if (!rt_clone_targets[i])
			rt_clone_targets[i] = target;
		if (rt_clone_targets[i] == target)
			return rt_clone_slots + i * SLOT_BYTES;
	}
	rt_fatal("this program makes threads by system calls in more than 16 places");
}

static long task_call(struct world_call *c, const greg_t *registers)
{
	uint64_t flags = clone_flags(c);
	bool thread = flags & CLONE_THREAD, wanted = world_wanted();
	if (wanted && rt_unlikely(serve_waits))          /* its child is this run's */
		serve();
	if (wanted && !thread && !input_serving())
		private_before_process();
	if (!(flags & CLONE_VM && has_stack(c)))
		return wanted ? fork_call(c) : kernel_call(c);
	if (wanted && !thread && input_serving())
		return input_next(INPUT_CALL, c)->result;
	if (wanted && thread && !own_strand->makes_thread)
		steer_give_up(OUTCOME_UNSUPPORTED, "a thread that was not made by pthread_create: libc has its own for aio_*, getaddrinfo_a and "
			"mq_notify");
	if (wanted && thread && c->number == SYS_clone3 && own_strand->makes_ghost)
		return ghost_make((const struct clone_args *)c->a[0], registers);
	long result = rt_clone_at(slot_for((uint64_t)registers[REG_RIP]), registers);
	return wanted && !thread ? task_made(c, result) : result;
}

/* ---- the handler ---- */

static long answer(struct world_call *c, ucontext_t *context)
{
	const greg_t *registers = context->uc_mcontext.gregs;
	if (rt_unlikely(ghost_is_made()) && ghost_registers(c))
		return 0;
	if (rt_unlikely(restart_on))
		restart_sees(c);
	keep_sees(c);
	if (rt_unlikely(warm_looks) && c->number == SYS_exit_group)
		warm_look();
	switch (c->number) {
	case SYS_rt_sigreturn:
		rt_return_at((uint64_t)registers[REG_RSP]);
	case SYS_rt_sigprocmask: return mask_call(c, context);
	case SYS_rt_sigaction:   return action_call(c);
	case SYS_rt_sigsuspend:  return suspend_call(c);
	case SYS_fork: case SYS_vfork: case SYS_clone: case SYS_clone3:
		return task_call(c, registers);
	case SYS_sigaltstack:    return stack_call(c, context);
	default:
		return world_wanted() ? world_call(c) : kernel_call(c);
	}
}

/* A filter the program is under, or has put on itself, does not let a call through. */
static void on_filter(int number, siginfo_t *info, void *context)
{
	struct kernel_action standard = { .handler = NULL };
	if ((uint64_t)given.handler > 1) {
		given.handler(number, info, context);
		return;
	}
	sys6(SYS_rt_sigaction, SIGSYS, (long)&standard, 0, 8, 0, 0);
	sys3(SYS_tgkill, sys3(SYS_getpid, 0, 0, 0), sys3(SYS_gettid, 0, 0, 0), SIGSYS);
}

static void on_call(int number, siginfo_t *info, void *context)
{
	greg_t *r = ((ucontext_t *)context)->uc_mcontext.gregs;
	if (info->si_code != USER_DISPATCH) {
		on_filter(number, info, context);
		return;
	}
	struct world_call c = { .number = (long)r[REG_RAX], .pc = (uint64_t)r[REG_RIP],
		.a = { (long)r[REG_RDI], (long)r[REG_RSI], (long)r[REG_RDX], (long)r[REG_R10], (long)r[REG_R8], (long)r[REG_R9] } };
	r[REG_RAX] = answer(&c, context);
}

/* ---- the vdso ---- */

/* mov $number, %eax; syscall; ret.  NOTHING: mov $-ENOSYS, %rax; ret */
static void overwrite(char *code, uint32_t number)
{
	static const char after[3] = { 0x0f, 0x05, (char)0xc3 };
	static const char nothing[8] = { 0x48, (char)0xc7, (char)0xc0, -ENOSYS, -1, -1, -1, (char)0xc3 };
	if (number == NOTHING) {
		copy_bytes(code, nothing, 8);
		return;
	}
	code[0] = (char)0xb8;
	copy_bytes(code + 1, &number, 4);
	copy_bytes(code + 5, after, 3);
}

static bool same(const char *a, const char *b)
{
	while (*a && *a == *b)
		a++, b++;
	return *a == *b;
}

static void overwrite_functions(char *base, const Elf64_Sym *symbols, const char *names, uint32_t count)
{
	static const struct { const char *name; uint32_t number; } clocks[] = {
		{ "__vdso_clock_gettime", SYS_clock_gettime }, { "__vdso_gettimeofday", SYS_gettimeofday }, { "__vdso_time", SYS_time },
		{ "__vdso_getcpu", SYS_getcpu }, { "__vdso_clock_getres", SYS_clock_getres }, { "__vdso_getrandom", NOTHING } };
	for (uint32_t i = 0; i < count; i++)
		for (unsigned k = 0; k < sizeof clocks / sizeof *clocks; k++)
			if (symbols[i].st_value && same(names + symbols[i].st_name, clocks[k].name))
				overwrite(base + symbols[i].st_value, clocks[k].number);
}

static void open_vdso(void)
{
	char *base = (char *)getauxval(AT_SYSINFO_EHDR);
	if (!base)
		return;
	const Elf64_Ehdr *head = (const Elf64_Ehdr *)base;
	const Elf64_Phdr *parts = (const Elf64_Phdr *)(base + head->e_phoff);
	const Elf64_Dyn *dynamic = NULL;
	uint64_t bytes = 0;
	for (unsigned i = 0; i < head->e_phnum; i++) {
		if (parts[i].p_type == PT_DYNAMIC)
			dynamic = (const Elf64_Dyn *)(base + parts[i].p_offset);
		if (parts[i].p_type == PT_LOAD)
			bytes = (parts[i].p_vaddr + parts[i].p_memsz + 4095) & ~4095ull;
	}
	const Elf64_Sym *symbols = NULL;
	const char *names = NULL;
	const uint32_t *hash = NULL;
	for (; dynamic && dynamic->d_tag != DT_NULL; dynamic++) {
		char *at = base + dynamic->d_un.d_ptr;
		if (dynamic->d_tag == DT_SYMTAB)
			symbols = (const Elf64_Sym *)at;
		if (dynamic->d_tag == DT_STRTAB)
			names = at;
		if (dynamic->d_tag == DT_HASH)
			hash = (const uint32_t *)at;
	}
	uint32_t count = hash ? hash[1] : symbols && names > (const char *)symbols ? (uint32_t)((names - (const char *)symbols) / (long)sizeof *symbols) : 0;
	if (!symbols || !names || !count || sys3(SYS_mprotect, (long)base, (long)bytes, PROT_READ | PROT_WRITE | PROT_EXEC) < 0)
		return;
	overwrite_functions(base, symbols, names, count);
	sys3(SYS_mprotect, (long)base, (long)bytes, PROT_READ | PROT_EXEC);
}

/* ---- on ---- */

static bool ask_kernel(void)
{
	return sys6(SYS_prctl, PR_SET_SYSCALL_USER_DISPATCH, DISPATCH_ON, (long)rt_stub_low, rt_stub_high - rt_stub_low, (long)&selector, 0) == 0;
}

void dispatch_thread(void)
{
	if (on && !ask_kernel())
		rt_fatal("the kernel does not hand over the system calls of a second thread");
}

void dispatch_lets_pass(bool all)
{
	selector = !all;
}

void dispatch_start(void)
{
	struct kernel_action action = { .handler = on_call, .flags = SA_SIGINFO | SA_NODEFER | SA_RESTORER_BIT, .restorer = rt_restorer };
	uint64_t sigsys = SIGSYS_BIT;
	if (getenv("RADDLE_NO_DISPATCH") || sys6(SYS_rt_sigaction, SIGSYS, (long)&action, 0, 8, 0, 0) < 0)
		return;
	sys6(SYS_rt_sigprocmask, SIG_UNBLOCK, (long)&sigsys, 0, 8, 0, 0);
	open_vdso();
	on = ask_kernel();
	steer->dispatched = on;
}
