/* analyses/epa/parting.c -- see parting.h.  The run without a fault is compared with the golden one as it goes; where it is not the same, or no copy
 * can be made of it, faults are tried as ever, by a program started for each, and it is said why.
 * A process of its own for each fault: it has what was compared so far, and goes on with it. */
#include "analyses/epa/parting.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "drive/trunk.h"

#define STARTS      3                   /* of the run without a fault, if it is lost */
#define NOWHERE     UINT64_MAX

_Static_assert(sizeof(struct tried) <= PIPE_BUF, "written in one piece");

struct turn {                           /* a fault, and when the run comes to it */
	const struct experiment *e;
	uint64_t number;                /* of the record; NOWHERE */
	struct fault_order order;
};

struct parting {
	const struct campaign_config *config;
	struct golden_run *golden;
	int tell;
	struct turn turns[PARTING_MOST];
	size_t count;
	struct trunk *trunk;
	struct steer_options like;
	struct fault_order first;
	char *argv[EXPERIMENT_WORDS];
	char room[4200];
	unsigned starts;
	char anew[120];                 /* why not, for the one at hand */
};

bool parting_goes(const struct campaign_config *c, const struct golden_run *g)
{
	return c->schedule && g->quick && strlen(g->work) < FAULT_ROOM - 64;
}

/* ---- in which order ---- */

static void take_turn(struct parting *p, const struct experiment *e)
{
	struct err why;
	struct experiment_target a;
	struct turn *t = &p->turns[p->count++];
	*t = (struct turn){ .e = e, .number = NOWHERE };
	if (experiment_aim(&a, e, p->config, p->golden, &why) < 0 || fault_asks_otherwise(&a.fault) || a.place->kind > PLACE_RESULT ||
		!quick_number(p->golden->quick, a.site.thread, a.entry, &t->number, a.order.op == FAULT_OLD ? &a.order.old : NULL)) {
		t->number = NOWHERE;
		return;
	}
	t->order = a.order;
	t->order.at = t->number;
}

static int by_number(const void *a, const void *b)
{
	const struct turn *x = a, *y = b;
	if (x->number != y->number)
		return x->number < y->number ? -1 : 1;
	return x->e->id < y->e->id ? -1 : x->e->id > y->e->id;
}

/* ---- the run without a fault ---- */

static void drop(struct parting *p)
{
	trunk_end(p->trunk);
	p->trunk = NULL;
}

/* What is told here is not to come between what the run writes. */
static void leave_output(void)
{
	int none = open("/dev/null", O_RDWR | O_CLOEXEC);
	for (int fd = 0; none >= 0 && fd < 3; fd++)
		dup2(none, fd);
	if (none > 2)
		close(none);
}

static int start(struct parting *p, const struct turn *t, struct err *why)
{
	char name[64];
	snprintf(name, sizeof name, "stem-%d-%u", (int)getpid(), p->starts);
	if (p->starts++ >= STARTS)
		return err_set(why, "the run without a fault was lost");
	if (experiment_enter(p->config, p->golden, name, p->room, why) < 0)
		return -1;
	p->first = t->order;
	p->like = experiment_steered(p->config, p->golden, p->argv);
	p->like.fault = &p->first;
	p->like.sink = quick_begin(p->golden->quick, "", SIZE_MAX);
	int got = trunk_start(&p->trunk, &p->like, why);
	leave_output();
	return got;
}

/* Does the run stand where this one is to be made, such that it can? */
static bool comes_to(struct parting *p, const struct turn *t)
{
	struct err why = { .text = "" };
	int got = t->number == NOWHERE ? 0 : p->trunk ? trunk_on(p->trunk, &t->order, &why) : start(p, t, &why);
	if (got > 0 && !quick_same(p->golden->quick))
		got = err_set(&why, "another run without a fault is not the same");
	if (got < 0)
		drop(p);
	snprintf(p->anew, sizeof p->anew, "%.119s", t->number == NOWHERE ? "its place has no number in the golden run" : why.text);
	return got > 0;
}

/* ---- one fault ---- */

static void tell(const struct parting *p, const struct tried *t)
{
	while (write(p->tell, t, sizeof *t) < 0 && errno == EINTR)
		;
}

enum { ENDED_WELL = 0, ENDED_LOST = 3 };

static _Noreturn void in_process(const struct parting *p, const struct turn *t, bool stands)
{
	struct tried tried = { .id = t->e->id };
	struct standing from = { p->trunk, p->room, false };
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (stands)
		experiment_part(t->e, p->config, p->golden, &from, &tried.result);
	else
		experiment_try(t->e, p->config, p->golden, NULL, false, &tried.result);
	if (!stands)
		memcpy(tried.result.anew, p->anew, sizeof tried.result.anew);
	tell(p, &tried);
	_exit(from.lost ? ENDED_LOST : ENDED_WELL);
}

static void try(struct parting *p, const struct turn *t)
{
	bool stands = comes_to(p, t);
	int status = 0;
	pid_t pid = fork();
	if (pid == 0)
		in_process(p, t, stands);
	while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	bool died = pid < 0 || !WIFEXITED(status);
	if (died) {
		struct tried tried = { .id = t->e->id, .result = { .failed = true } };
		snprintf(tried.result.why, sizeof tried.result.why, "the process that tried it died");
		tell(p, &tried);
	}
	if (p->trunk && stands && (died || WEXITSTATUS(status) != ENDED_WELL))
		drop(p);
}

void parting_try(const struct experiment *list, size_t count, const struct campaign_config *c, struct golden_run *g, int tell_to)
{
	struct parting *p = mem_take(sizeof *p);
	check(count <= PARTING_MOST);
	p->config = c;
	p->golden = g;
	p->tell = tell_to;
	for (size_t i = 0; i < count; i++)
		take_turn(p, &list[i]);
	qsort(p->turns, p->count, sizeof *p->turns, by_number);
	for (size_t i = 0; i < p->count; i++)
		try(p, &p->turns[i]);
	drop(p);
	mem_free(p);
}
