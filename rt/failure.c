/* rt/failure.c -- how a program fails: abort, failed assertions, fatal signals.
 *
 * For SEGV BUS FPE ILL ABRT TRAP the kernel is given on_failure wherever the program has SIG_DFL: it writes FAILURE (fault
 * address, signal, code address) into a segment of its own, then puts SIG_DFL back and queues the same signal with the same
 * siginfo to its own thread: it is delivered when the handler returns, before the faulting instruction could run again, so
 * exit status, core dump and siginfo are what they would have been.  It runs on the program's alternate stack if there is one;
 * a stack overflow without one, or a fault while the signal is blocked, kills at once and loses only the FAILURE record. */
#include <assert.h>
#include <stdlib.h>
#include <ucontext.h>

#include "rt/effect.h"
#include "rt/segment.h"
#include "rt/signal.h"
#include "rt/steer.h"
#include "rt/stripe.h"
#include "rt/words.h"
#include "rt/world.h"

static const struct { int number; const char *text; } failures[] = {
	{ SIGSEGV, "segmentation fault" }, { SIGBUS, "bus error" }, { SIGFPE, "arithmetic error" },
	{ SIGILL, "illegal instruction" }, { SIGABRT, "aborted" }, { SIGTRAP, "trap" },
};
#define PAGE_FAULT_THERE  1             /* bits of the processor's error code: there is a page, */
#define PAGE_FAULT_WRITES 2             /* it was written */
#define FAILURES (sizeof failures / sizeof failures[0])

/* The signal whose FAILURE is already written, by abort or a failed assertion. */
static __thread int noted __attribute__((tls_model("initial-exec")));

static const char *failure_text(int number)
{
	for (size_t i = 0; i < FAILURES; i++)
		if (failures[i].number == number)
			return failures[i].text;
	return NULL;
}

bool signal_is_failure(int number)
{
	return failure_text(number) != NULL;
}

static void note_failure(uint64_t address, bool known, int number, const char *text, uint64_t pc)
{
	size_t length = 0;
	while (text[length])
		length++;
	if (known && (number == SIGSEGV || number == SIGBUS)) {
		raddle_tls.area->fault_address = address;
		raddle_tls.area->fault_known = 1;
	}
	steer_failing(address, number, text == failure_text(number) ? "" : text);
	rt_event_bytes(EV_FAILURE, address, (uint64_t)number, 0, text, length, EFFECT_LIMIT, pc);
}

/* Does the siginfo say where? */
static bool has_address(int number, const siginfo_t *info)
{
	return info->si_code > 0 && info->si_code != SI_KERNEL && number != SIGABRT;
}

static enum steer_fault fault_of(int number, const siginfo_t *info, const ucontext_t *context)
{
	if (info->si_code <= 0)
		return FAULT_SENT;
	if (!has_address(number, info))
		return FAULT_NOWHERE;
	if (number == SIGSEGV && thread_stack_ends((uint64_t)info->si_addr, (uint64_t)context->uc_mcontext.gregs[REG_RSP]))
		return FAULT_STACK;
	return number == SIGSEGV && info->si_code != SEGV_MAPERR ? FAULT_DENIED : FAULT_AT;
}

static void note_signal(int number, const siginfo_t *info, const ucontext_t *context)
{
	struct rt_nest outer;
	uint64_t address = has_address(number, info) ? (uint64_t)info->si_addr : 0;
	uint64_t pc = (uint64_t)context->uc_mcontext.gregs[REG_RIP];
	enum event_kind kind = number != SIGSEGV ? (enum event_kind)0 : context->uc_mcontext.gregs[REG_ERR] & PAGE_FAULT_WRITES ? EV_WRITE : EV_READ;
	enum steer_fault fault = fault_of(number, info, context);
	steer_fault_is(fault, info->si_code > 0 ? pc : 0, kind);
	bool nothing = fault == FAULT_AT || (fault == FAULT_DENIED && !(context->uc_mcontext.gregs[REG_ERR] & PAGE_FAULT_THERE));
	if (steer && nothing && number == SIGSEGV)
		map_gone(address, &steer->block);
	if (raddle_tls.mode != MODE_OFF && raddle_tls.area && noted != number) {
		rt_nest_begin(&outer);           /* never ended: nothing runs on this thread any more */
		note_failure(address, has_address(number, info), number, failure_text(number), pc + 1);    /* readers look in front of a return address */
	}
	rt_process_ends(EV_FAILURE, number);
}

void on_failure(int number, siginfo_t *info, void *context)
{
	struct sigaction standard = { .sa_handler = SIG_DFL };
	struct stripe_use use;
	stripe_interrupted(&use, context);       /* others must not wait for what will never be finished */
	if (!process_is_borrowed())
		note_signal(number, info, context);
	kernel_sigaction(number, &standard, NULL);
	sys6(SYS_rt_tgsigqueueinfo, sys3(SYS_getpid, 0, 0, 0), sys3(SYS_gettid, 0, 0, 0), number, (long)info, 0, 0);
}

void failure_install(int number)
{
	struct sigaction action = { .sa_flags = SA_SIGINFO | SA_ONSTACK };
	action.sa_sigaction = on_failure;
	kernel_sigaction(number, &action, NULL);
}

__attribute__((constructor(103))) static void start(void)
{
	for (size_t i = 0; ring && i < FAILURES; i++) {
		struct sigaction now;
		if (!kernel_sigaction(failures[i].number, NULL, &now) && now.sa_handler == SIG_DFL)
			failure_install(failures[i].number);
	}
}

static void fails(const char *text, uint64_t pc)
{
	if (!rt_on() || process_is_borrowed())
		return;
	note_failure(0, false, SIGABRT, text, pc);
	noted = SIGABRT;
	steer_exits();
	rt_process_ends(EV_FAILURE, SIGABRT);
}

INTERPOSE(_Noreturn void, abort, (void))
{
	if (noted != SIGABRT)
		fails("abort", RT_PC);
	REAL(abort)();
	__builtin_unreachable();
}

static void assertion_fails(const char *text, const char *file, unsigned line, const char *function, uint64_t pc)
{
	char words[EFFECT_LIMIT + 1];
	unsigned at = words_add(words, 0, sizeof words, file ? file : "");
	at = words_add(words, at, sizeof words, ":");
	at = words_add_number(words, at, sizeof words, line);
	at = words_add(words, at, sizeof words, ": ");
	at = words_add(words, at, sizeof words, function ? function : "");
	at = words_add(words, at, sizeof words, function ? ": assertion '" : "assertion '");
	at = words_add(words, at, sizeof words, text ? text : "");
	words_add(words, at, sizeof words, "' failed");
	fails(words, pc);
}

INTERPOSE(_Noreturn void, __assert_fail, (const char *text, const char *file, unsigned line, const char *function))
{
	assertion_fails(text, file, line, function, RT_PC);
	REAL(__assert_fail)(text, file, line, function);
	__builtin_unreachable();
}

INTERPOSE(_Noreturn void, __assert, (const char *text, const char *file, int line))
{
	assertion_fails(text, file, (unsigned)line, NULL, RT_PC);
	REAL(__assert)(text, file, line);
	__builtin_unreachable();
}

_Noreturn void __stack_chk_fail(void);
INTERPOSE(_Noreturn void, __stack_chk_fail, (void))
{
	fails("stack smashing detected", RT_PC);
	REAL(__stack_chk_fail)();
	__builtin_unreachable();
}
