/* rt/stepping.c -- assembly with a loop in it, which may wait there for another thread and would never come to a point.
 *
 * Between raddle_asm_begins and raddle_asm_ends a strand runs by single steps: the processor traps after each instruction.  When its registers are
 * what they were before, it goes round and nothing has changed: that is a yield, at the instruction where it shows.  Each time nobody has changed anything
 * meanwhile it takes twice as many rounds.  So is each STEPS instructions
 * without that, for some turns; then the loop is taken for one that works, and runs as it is, soon without being looked at.  Instructions are counted, not time: equal seeds give equal runs. */
#include <signal.h>
#include <ucontext.h>

#include "rt/access.h"
#include "rt/steer.h"
#include "rt/sys.h"
#include "rt/world.h"

#define TRAP_FLAG  0x100
#define STEPS      1024u
#define TURNS      16u
#define MOST_ROUNDS 64u
#define REGISTERS  (REG_RIP + 1)         /* general ones and the instruction pointer; the first words of the context */

#define FEW        64u                   /* steps of assembly that takes a lock which is free */
#define ENOUGH     32768u                /* steps in vain at one place: it works, it does not wait */
#define PLACES     64u

struct place { uint64_t at; uint32_t in_vain; bool waits; };
static struct place places[PLACES];

struct stepping {
	bool on;
	uint32_t steps, turns, kept_at, all;
	uint32_t rounds, most;           /* rounds in vain since it yielded, and how many are a yield; */
	uint64_t changes;                /* what others had changed by then */
	struct place *place;
	greg_t kept[REGISTERS];
};
static __thread struct stepping stepping __attribute__((tls_model("initial-exec")));
static struct kernel_action before;      /* the program's own */

static void not_ours(int number, siginfo_t *info, void *context)
{
	if ((uint64_t)before.handler > 1) {
		before.handler(number, info, context);
		return;
	}
	sys6(SYS_rt_sigaction, SIGTRAP, (long)&before, 0, 8, 0, 0);
	sys3(SYS_tgkill, sys3(SYS_getpid, 0, 0, 0), sys3(SYS_gettid, 0, 0, 0), SIGTRAP);
}

static bool is_as_before(const greg_t *now)
{
	struct stepping *s = &stepping;
	bool same = s->kept_at != 0;
	for (unsigned i = 0; same && i < REGISTERS; i++)
		same = now[i] == s->kept[i];
	if (!same && (s->steps & (s->steps - 1)) == 0) {         /* kept at powers of two: a circle of any length is found */
		copy_bytes(s->kept, now, sizeof s->kept);
		s->kept_at = s->steps;
	}
	return same;
}

/* One round in vain is a yield, then two are, and so on, as long as nobody changes anything: it may count in memory. */
static bool goes_on_round(void)
{
	struct stepping *s = &stepping;
	if (s->changes != steer_changes)
		s->most = 1;
	s->changes = steer_changes;
	if (++s->rounds < s->most) {
		s->steps = s->kept_at;
		return true;
	}
	s->rounds = 0;
	s->most = s->most < MOST_ROUNDS ? 2 * s->most : MOST_ROUNDS;
	return false;
}

static void on_step(int number, siginfo_t *info, void *context)
{
	greg_t *r = ((ucontext_t *)context)->uc_mcontext.gregs;
	if (info->si_code != TRAP_TRACE) {
		not_ours(number, info, context);
		return;
	}
	bool goes_on = stepping.on && own_strand && rt_steered() && stepping.turns < TURNS;
	if (!goes_on) {
		r[REG_EFL] &= ~TRAP_FLAG;
		return;
	}
	stepping.steps++;
	stepping.all++;
	bool round = is_as_before(r);
	if ((!round && stepping.steps < STEPS) || (round && goes_on_round()))
		return;
	stepping.turns += !round;
	stepping.place->waits |= round;
	stepping.steps = stepping.kept_at = 0;
	if (!round)
		steer_changed();                /* who knows */
	access_unseen++;                        /* what it did before it went round */
	steer_yield((uint64_t)r[REG_RIP]);
}

/* Which share an entry must not depend on where the program was loaded. */
static struct place *place_of(uint64_t at)
{
	struct place *p = &places[(at & 4095) * 0x9e3779b97f4a7c15ull >> 58];
	if (p->at != at)
		*p = (struct place){ .at = at };
	return p;
}

/* From here on single steps?  entry.S sets the flag. */
bool stepping_begins(uint64_t at)
{
	struct place *place = place_of(at);
	struct kernel_action action = { .handler = on_step, .flags = SA_SIGINFO | SA_NODEFER | SA_RESTORER_BIT, .restorer = rt_restorer }, old;
	if (!own_strand || !rt_steered() || (place->in_vain > ENOUGH && !place->waits) || sys6(SYS_rt_sigaction, SIGTRAP, (long)&action, (long)&old, 8, 0, 0) < 0)
		return false;
	if (old.handler != on_step)
		before = old;
	stepping = (struct stepping){ .on = true, .place = place };
	return true;
}

void stepping_ends(void)
{
	if (stepping.on && stepping.all > FEW)
		stepping.place->in_vain += stepping.all;
	stepping.on = false;                    /* the next trap is the last */
}
