/* rt/restart.c -- many runs in one process: at the end of a run memory and registers are put back to what they were where it
 * began, and the next one begins there.
 *
 * At restart_here() every private writable page of the process is made read-only.  The first write to a page faults: a copy of
 * what it was is kept, and from then on, in all runs, it is writable and put back at the end of each run (*hot*).  So a page
 * costs one fault in all, and a run what it takes to copy the pages runs write to.
 *   (1) all state of a run is in hot pages, registers, and the shared memories, which serve.c puts back: there is one kernel
 *       thread (ghost.c), and a run that changes what the kernel keeps (descriptors, mappings, handlers, ...) is the last one,
 *       for restart_sees() meets every system call.  Unknown calls count as such;
 *   (2) what lies here (struct engine, in a mapping of its own) and the shared memories are not put back;
 *   (3) the kernel does not fault but refuse to write to a read-only page: what a permitted call fills is made hot before, and a
 *       signal frame that could not be written makes the pages below the stack pointer hot and the call again;
 *   (4) the kernel writes into the first thread's block when it likes (rseq): those pages are hot from the beginning;
 *   (5) memory a run maps is given back at its end, wherever it lies, and a stack libc gives back, of a thread made in advance (pool.c), is
 *       out of reach for the rest of the run;
 *   (6) the first thread's stack grows as it is used, read-only like the rest of it: its region grows with it;
 *   (7) whatever else goes wrong, a fault of the program's own above all: everything is made writable, the run goes on as if it
 *       were the only one, and is the last.  A signal from outside that came between two calls while the stack was read-only is lost;
 *       the kernel says no more of it than of a fault, so that such a run is marked (RESTART_SIGNAL) and is to be made again. */
#include "rt/restart.h"

#include <fcntl.h>
#include <linux/sched.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <ucontext.h>
#include <unistd.h>

#include "rt/context.h"
#include "rt/handed.h"
#include "rt/maps.h"
#include "rt/segment.h"
#include "rt/serve.h"
#include "rt/strands.h"
#include "rt/sys.h"
#include "rt/world.h"

#define PAGE         4096u
#define HOT_MOST     4096u
#define REGIONS      1024u
#define RANGES       256u               /* mapped by one run, and hidden in it */
#define SIGNALS      64u                /* the last one is never touched */
#define FRAME        (16u << 10)        /* more than a signal frame takes */
#define STACK_BYTES  (64u << 10)
#define MAPS_BYTES   (256u << 10)
#define FIRST_BLOCK  (2 * PAGE)
#define STACK_GAP    (1u << 20)         /* below a stack that grows: the kernel puts no other mapping there */

struct range { uint64_t low, high; };

struct engine {
	uint64_t where[CONTEXT_WORDS];   /* context_mark() */
	uint64_t mask;                  /* of the kernel thread */
	struct kernel_action before;    /* for SIGSEGV */
	struct kernel_action actions[SIGNALS];          /* before the first run that changed them */
	uint64_t actions_kept, actions_changed;         /* bit n: of signal n; ever, and in this run */
	bool given_up;                  /* nothing is read-only any more */
	bool wrote;                     /* the run has put something out */
	uint64_t left, made;            /* runs still to make, this one included; and those before it */
	uint64_t block_end;             /* of what is hot from the beginning */
	uint32_t region_count, hot_count;
	uint32_t stack_region;           /* the one with the first thread's stack */
	struct range regions[REGIONS];
	uint32_t mapped_count, hidden_count;            /* of this run */
	struct range mapped[RANGES], hidden[RANGES];
	uint64_t hot[HOT_MOST];
	char stack[STACK_BYTES] __attribute__((aligned(64)));           /* memory is put back on it */
	char fault_stack[STACK_BYTES] __attribute__((aligned(64)));
	char maps[MAPS_BYTES];
	char copies[HOT_MOST][PAGE] __attribute__((aligned(4096)));     /* last: the whole is so many pages */
};

bool restart_on;
static struct engine *engine;

/* ---- pages ---- */

static bool is_hot(uint64_t page)
{
	for (uint32_t i = 0; i < engine->hot_count; i++)
		if (engine->hot[i] == page)
			return true;
	return false;
}

static bool is_in(const struct range *r, uint64_t at)
{
	return at - r->low < r->high - r->low;
}

static bool is_hidden(uint64_t at)
{
	for (uint32_t i = 0; i < engine->hidden_count; i++)
		if (is_in(&engine->hidden[i], at))
			return true;
	return false;
}

static bool is_kept(uint64_t at)
{
	for (uint32_t i = 0; i < engine->region_count; i++)
		if (is_in(&engine->regions[i], at))
			return true;
	return false;
}

static void protect(int protection)
{
	for (uint32_t i = 0; i < engine->region_count; i++)
		sys3(SYS_mprotect, (long)engine->regions[i].low, (long)(engine->regions[i].high - engine->regions[i].low), protection);
}

static void give_up(uint32_t why)
{
	if (engine->given_up)
		return;
	protect(PROT_READ | PROT_WRITE);        /* what is pushed on the way there may still fault */
	for (uint32_t i = 0; i < engine->hidden_count; i++)
		sys3(SYS_munmap, (long)engine->hidden[i].low, (long)(engine->hidden[i].high - engine->hidden[i].low), 0);
	engine->given_up = true;
	sys6(SYS_rt_sigaction, SIGSEGV, (long)&engine->before, 0, 8, 0, 0);
	steer->restart_refused = why;
	restart_on = false;
	__atomic_store_n(&steer->last_begun, 1, __ATOMIC_RELEASE);
}

/* Has the stack just grown as far as this page?  Nobody has written there before. */
static void grow_stack(uint64_t page)
{
	uint64_t *low = &engine->regions[engine->stack_region].low;
	if (page < *low && *low - page <= STACK_GAP)
		*low = page;
}

/* false: it was hot before, or is none of ours. */
static bool heat(uint64_t at)
{
	uint64_t page = at & ~(uint64_t)(PAGE - 1);
	grow_stack(page);
	if (engine->given_up || !is_kept(page) || is_hidden(page) || is_hot(page))
		return false;
	if (engine->hot_count == HOT_MOST) {
		give_up(RESTART_TOO_MUCH);
		return true;
	}
	copy_bytes(engine->copies[engine->hot_count], (void *)page, PAGE);
	if (sys3(SYS_mprotect, (long)page, PAGE, PROT_READ | PROT_WRITE) < 0)
		return false;
	engine->hot[engine->hot_count++] = page;
	return true;
}

static bool heat_range(uint64_t at, uint64_t bytes)
{
	bool some = false;
	for (uint64_t page = at & ~(uint64_t)(PAGE - 1); page < at + bytes; page += PAGE)
		some |= heat(page);
	return some;
}

/* Is the instruction that was interrupted behind a system call, which then was not made? */
static bool is_call(const ucontext_t *context)
{
	const uint8_t *code = (const uint8_t *)context->uc_mcontext.gregs[REG_RIP];
	return code[-2] == 0x0f && code[-1] == 0x05;
}

static void on_fault(int number, siginfo_t *info, void *data)
{
	ucontext_t *context = data;
	uint64_t sp = (uint64_t)context->uc_mcontext.gregs[REG_RSP];
	(void)number;
	if (info->si_code == SEGV_ACCERR && heat((uint64_t)info->si_addr))
		return;
	if (info->si_code == SI_KERNEL && is_call(context) && heat_range(sp - FRAME, FRAME)) {
		context->uc_mcontext.gregs[REG_RIP] -= 2;
		return;
	}
	give_up(info->si_code == SI_KERNEL ? RESTART_SIGNAL : 0);       /* it comes again, to whom it belongs */
}

/* ---- what there is ---- */

/* Where the kernel writes: behind the first thread's pointer. */
static uint64_t first_block(void)
{
	return engine->where[CONTEXT_THREAD] & ~(uint64_t)(PAGE - 1);
}

static void add_region(uint64_t low, uint64_t high)
{
	if (low >= high)
		return;
	if ((uint64_t)__builtin_frame_address(0) - low < high - low)
		engine->stack_region = engine->region_count;
	engine->regions[engine->region_count].low = low;
	engine->regions[engine->region_count++].high = high;
}

/* All of [low, high) but the part that is not to be put back. */
static uint64_t add_below(uint64_t low, uint64_t high, uint64_t from, uint64_t to)
{
	if (from < low || from >= high)
		return low;
	add_region(low, from);
	return to < high ? to : high;
}

/* false: a mapping that cannot be dealt with.  The system makes one of mappings of the same kind that lie side by side: ours may be
 * part of one. */
static bool take_mapping(void *unused, uint64_t low, uint64_t high, const char *rights)
{
	(void)unused;
	if (rights[1] != 'w' || rights[3] != 'p')
		return true;
	if (rights[2] == 'x' || engine->region_count + 3 > REGIONS)
		return false;
	low = add_below(low, high, (uint64_t)engine, (uint64_t)engine + sizeof *engine);
	uint64_t block = first_block();
	if (block >= low && block < high) {
		engine->block_end = block + FIRST_BLOCK < high ? block + FIRST_BLOCK : high;
		low = add_below(low, high, block, engine->block_end);
	}
	add_region(low, high);
	return true;
}

/* The output of runs goes to memory of raddle's, and nothing reads from outside. */
static bool is_possible(void)
{
	stack_t stack;
	bool has_room = !ring->keep || steer->handed_room || steer->stays;
	return steer->switched_by == SWITCH_GHOST && has_room && dispatch_is_on() && steer->time == TIME_VIRTUAL && !steer->input && !steer->stop_at &&
		sys3(SYS_sigaltstack, 0, (long)&stack, 0) == 0 && stack.ss_flags & SS_DISABLE;
}

static bool start(void)
{
	if (!is_possible())
		return false;
	long at = sys6(SYS_mmap, 0, sizeof *engine, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if ((unsigned long)at >= -4095ul)
		return false;
	engine = (struct engine *)at;
	engine->left = steer->runs;
	sys6(SYS_rt_sigprocmask, SIG_BLOCK, 0, (long)&engine->mask, 8, 0, 0);
	signals_kernel_told(engine->mask);       /* so it is in every run */
	__asm__ volatile("rdfsbase %0" : "=r"(engine->where[CONTEXT_THREAD]));
	return maps_each(engine->maps, MAPS_BYTES, take_mapping, NULL);
}

static void set_on(void)
{
	stack_t stack = { .ss_sp = engine->fault_stack, .ss_size = STACK_BYTES };
	struct kernel_action action = { .handler = on_fault, .flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER | SA_RESTORER_BIT,
		.restorer = rt_restorer };
	sys3(SYS_sigaltstack, (long)&stack, 0, 0);
	sys6(SYS_rt_sigaction, SIGSEGV, (long)&action, (long)&engine->before, 8, 0, 0);
	protect(PROT_READ);
}

/* As it will be put back: nothing in it has changed since context_mark(). */
static void keep_first_block(void)
{
	for (uint64_t page = first_block(); page < engine->block_end; page += PAGE) {
		copy_bytes(engine->copies[engine->hot_count], (void *)page, PAGE);
		engine->hot[engine->hot_count++] = page;
	}
}

bool restart_mask_is(uint64_t mask)
{
	return restart_on && engine->made && engine->mask == mask;
}

bool restart_here(void)
{
	restart_on = true;                       /* before the pages are kept: so it is in every run */
	if (!start()) {
		restart_on = false;
		steer->restart_refused = RESTART_NEVER;
		__atomic_store_n(&steer->last_begun, 1, __ATOMIC_RELEASE);
		return false;
	}
	if (context_mark(engine->where)) {
		serve_again();
		return true;
	}
	handed_start();
	keep_first_block();
	set_on();
	return false;
}

/* ---- from run to run ---- */

static void put_back(void)
{
	for (uint32_t i = 0; i < engine->hot_count; i++)
		copy_bytes((void *)engine->hot[i], engine->copies[i], PAGE);
	context_back(engine->where);
}

static uint64_t log_hash(void)
{
	const uint64_t *log = (const uint64_t *)((const char *)steer + steer->log_at);
	uint64_t hash = steer_mix(0, steer->steps);
	struct steer_step s;
	int again;
	for (uint64_t i = 0, length; i < steer->log_count && (length = logged_take(log + i, steer->log_count - i, &s, &again)); i += length)
		hash = steer_mix_step(hash, s.what, s.strand, s.nth, s.answer);
	return steer_mix_step(hash, STEP_RUN, steer->running, strands[steer->running].seen->done, 0);
}

/* Everything it put out, by whatever way; the offset is the number of bytes. */
static uint64_t output_hash(void)
{
	uint64_t hash = 0;
	long got, at = 0;
	if (!engine->wrote)
		return 0;
	while ((got = sys6(SYS_pread64, 1, (long)engine->maps, MAPS_BYTES, at, 0, 0)) > 0)
		for (long i = 0; i < got; i++, at++)
			hash = steer_mix(hash, (uint8_t)engine->maps[i]);
	return hash;
}

static void forget_output(void)
{
	if (engine->wrote) {
		sys3(SYS_ftruncate, 1, 0, 0);
		sys3(SYS_lseek, 1, 0, SEEK_SET);
	}
	engine->wrote = false;
}

static void put_actions_back(void)
{
	for (uint64_t left = engine->actions_changed; left; left &= left - 1) {
		int number = __builtin_ctzll(left);
		sys6(SYS_rt_sigaction, number, (long)&engine->actions[number], 0, 8, 0, 0);
	}
	engine->actions_changed = 0;
}

/* What lies in a range of a region is as it was: hot pages can be written to, the others not yet. */
static void show_part(const struct range *hidden, const struct range *region)
{
	uint64_t low = hidden->low > region->low ? hidden->low : region->low, high = hidden->high < region->high ? hidden->high : region->high;
	if (low >= high)
		return;
	sys3(SYS_mprotect, (long)low, (long)(high - low), PROT_READ);
	for (uint32_t i = 0; i < engine->hot_count; i++)
		if (engine->hot[i] >= low && engine->hot[i] < high)
			sys3(SYS_mprotect, (long)engine->hot[i], PAGE, PROT_READ | PROT_WRITE);
}

static void put_mappings_back(void)
{
	for (uint32_t i = 0; i < engine->mapped_count; i++)
		sys3(SYS_munmap, (long)engine->mapped[i].low, (long)(engine->mapped[i].high - engine->mapped[i].low), 0);
	for (uint32_t i = 0; i < engine->hidden_count; i++)
		for (uint32_t k = 0; k < engine->region_count; k++)
			show_part(&engine->hidden[i], &engine->regions[k]);
	engine->mapped_count = engine->hidden_count = 0;
}

static void take_turn(void)
{
	uint32_t count = steer->turn_count < STEER_TURNS ? steer->turn_count : STEER_TURNS;
	if (count) {
		steer->policy = steer->turns[(engine->made + 1) % count].policy;
		steer->depth = steer->turns[(engine->made + 1) % count].depth;
	}
}

static void begin_next(void)
{
	engine->made++;
	forget_output();
	put_actions_back();
	put_mappings_back();
	if (!signals_kernel_has(engine->mask))
		sys_set_signals(&engine->mask);
	context_on(engine->stack + STACK_BYTES, put_back);
}

/* Everything is left as it is until the next order is there. */
static void stay(int32_t value)
{
	serve_stays(value);
	handed_forget();
	begin_next();
}

void restart_ended(uint32_t outcome, int32_t value)
{
	if (!restart_on || engine->given_up || outcome != OUTCOME_EXIT)
		return;
	if (steer->stays)
		stay(value);
	if (engine->left <= 1 || value != steer->go_on_with ||
		steer->briefs_done >= steer->briefs_room || steer->early_count)        /* places of early[] are told by a run's end alone */
		return;
	struct steer_brief *b = (struct steer_brief *)((char *)steer + steer->briefs_at) + steer->briefs_done;
	*b = (struct steer_brief){ .seed = steer->seed, .steps = steer->steps, .threads = steer->strand_count, .log_hash = log_hash(),
		.output_hash = output_hash() };
	if (ring->keep && !handed_over()) {
		give_up(RESTART_TOO_MUCH);
		return;
	}
	steer->briefs_done++;
	if (--engine->left == 1)
		__atomic_store_n(&steer->last_begun, 1, __ATOMIC_RELEASE);
	steer->seed++;
	take_turn();
	begin_next();
}

/* ---- system calls ---- */

void restart_not(uint32_t why)
{
	if (restart_on)
		give_up(why);
}

static bool is_output(const struct world_call *c)
{
	return c->a[0] == 1 || c->a[0] == 2;
}

/* What it fills; it must be able to. */
static bool fills(const struct world_call *c, int argument, uint64_t bytes)
{
	heat_range((uint64_t)c->a[argument], bytes);
	return true;
}

/* What is done about a signal is put back by a call at the end of the run. */
static bool keep_action(const struct world_call *c)
{
	uint64_t number = (uint64_t)c->a[0];
	if (!c->a[1] || number >= SIGNALS)
		return !c->a[1];
	if (!(engine->actions_kept >> number & 1)) {
		sys6(SYS_rt_sigaction, c->a[0], 0, (long)&engine->actions[number], 8, 0, 0);
		engine->actions_kept |= 1ull << number;
	}
	engine->actions_changed |= 1ull << number;
	return true;
}

/* A thread of the program's is none of the kernel's (ghost.c). */
static bool makes_thread(const struct world_call *c)
{
	uint64_t flags = c->number == SYS_clone3 ? ((const struct clone_args *)c->a[0])->flags : (uint64_t)c->a[0];
	return flags & CLONE_THREAD;
}

static bool is_own(uint64_t at, uint64_t bytes)
{
	for (uint32_t i = 0; i < engine->mapped_count; i++)
		if (is_in(&engine->mapped[i], at) && bytes <= engine->mapped[i].high - at)
			return true;
	return false;
}

/* Plain memory that goes where we say. */
static bool maps_plainly(const struct world_call *c)
{
	return c->a[3] & MAP_ANONYMOUS && c->a[3] & MAP_PRIVATE && !(c->a[3] & (MAP_FIXED | MAP_GROWSDOWN | MAP_LOCKED | MAP_32BIT)) && !c->a[0] &&
		!(c->a[2] & PROT_EXEC);
}

/* A stack libc had before the run. */
static bool is_old_stack(const struct world_call *c)
{
	uint64_t at = (uint64_t)c->a[0], bytes = (uint64_t)c->a[1];
	return c->number == SYS_munmap && at >= FIXED_STACKS && at < FIXED_HIGH && bytes < FIXED_HIGH - at && !(at & (PAGE - 1)) && !is_own(at, bytes);
}

static bool leaves_no_trace(const struct world_call *c)
{
	switch (c->number) {
	case SYS_getpid: case SYS_gettid: case SYS_getppid: case SYS_getpgrp: case SYS_getuid: case SYS_geteuid: case SYS_getgid:
	case SYS_getegid: case SYS_sched_yield: case SYS_rt_sigprocmask: case SYS_rt_sigreturn: case SYS_futex: case SYS_time:
	case SYS_nanosleep: case SYS_clock_nanosleep: case SYS_exit_group:
		return true;
	case SYS_clock_gettime: case SYS_clock_getres: case SYS_gettimeofday: case SYS_times:
		return true;                     /* answered by virtual.c */
	case SYS_clone3: case SYS_clone:
		return makes_thread(c);
	case SYS_rseq:
		return true;
	case SYS_mmap:
		return maps_plainly(c) && engine->mapped_count < RANGES;
	case SYS_munmap:
		return is_own((uint64_t)c->a[0], (uint64_t)c->a[1]) || (is_old_stack(c) && engine->hidden_count < RANGES);
	case SYS_mprotect:
		return is_own((uint64_t)c->a[0], (uint64_t)c->a[1]) && !(c->a[2] & PROT_EXEC);
	case SYS_madvise:
		return is_own((uint64_t)c->a[0], (uint64_t)c->a[1]);
	case SYS_fstat:
		return fills(c, 1, sizeof(struct stat));
	case SYS_newfstatat:
		return fills(c, 2, sizeof(struct stat));
	case SYS_ioctl:
		return c->a[1] == TCGETS && fills(c, 2, 64);
	case SYS_rt_sigaction:
		return c->a[0] != SIGSEGV && fills(c, 2, sizeof(struct kernel_action)) && keep_action(c);
	case SYS_write:
		return is_output(c);
	default:
		return false;
	}
}

void restart_mapped(const struct world_call *c, long at)
{
	if (engine->given_up || c->number != SYS_mmap || (unsigned long)at >= -4095ul)
		return;
	struct range *r = &engine->mapped[engine->mapped_count++];
	r->low = (uint64_t)at;
	r->high = ((uint64_t)at + (uint64_t)c->a[1] + PAGE - 1) & ~(uint64_t)(PAGE - 1);
}

bool restart_hides(const struct world_call *c)
{
	if (engine->given_up || !is_old_stack(c))
		return false;
	struct range *r = &engine->hidden[engine->hidden_count++];
	r->low = (uint64_t)c->a[0];
	r->high = ((uint64_t)c->a[0] + (uint64_t)c->a[1] + PAGE - 1) & ~(uint64_t)(PAGE - 1);
	return sys3(SYS_mprotect, c->a[0], (long)(r->high - r->low), PROT_NONE) == 0;
}

void restart_sees(const struct world_call *c)
{
	if (!engine->given_up && !leaves_no_trace(c))
		give_up((uint32_t)c->number + 1);
	engine->wrote = engine->wrote || c->number == SYS_write;
	if (c->number == SYS_exit_group)
		restart_ended(OUTCOME_EXIT, (int32_t)c->a[0] & 255);
}
