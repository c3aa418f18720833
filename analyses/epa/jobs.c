/* analyses/epa/jobs.c -- the faults of a campaign tried, so many at a time: in copies of this process, which has the golden run in memory (campaign.h).
 * This process alone writes; what a copy found comes back through a pipe. */
#include "analyses/epa/campaign.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "analyses/epa/parting.h"
#include "analyses/epa/rows.h"
#include "base/str.h"
#include "drive/offspring.h"

#define MOST_JOBS 256u

/* ---- trying ---- */

/* A process that tries some, one after the other: where runs part from one without a fault many, else one. */
struct job { pid_t pid; int from; VEC(uint64_t) left; };         /* left: not told of yet */

static _Noreturn void in_job(struct campaign *k, const struct experiment *list, size_t count, const char *keep, int tell)
{
	struct tried one = { .id = list[0].id };
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (count == 1) {
		experiment_try(&list[0], k->config, &k->golden, keep, k->in_full, &one.result);
		_exit(write(tell, &one, sizeof one) == sizeof one ? 0 : 1);
	}
	parting_try(list, count, k->config, &k->golden, tell);
	_exit(0);
}

static int start_job(struct job *j, struct campaign *k, const struct experiment *list, size_t count, const char *keep, struct err *why)
{
	int ends[2];
	if (pipe2(ends, O_CLOEXEC) < 0)
		return err_set(why, "cannot make a pipe: %s", str_error(errno));
	fflush(NULL);
	pid_t pid = fork();
	if (pid == 0) {
		close(ends[0]);
		in_job(k, list, count, keep, ends[1]);
	}
	close(ends[1]);
	if (pid < 0) {
		close(ends[0]);
		return err_set(why, "cannot start a process: %s", str_error(errno));
	}
	j->pid = pid;
	j->from = ends[0];
	vec_clear(&j->left);
	for (size_t i = 0; i < count; i++)
		vec_push(&j->left, list[i].id);
	return 0;
}

static bool take_left(struct job *j, uint64_t id)
{
	for (size_t i = 0; i < j->left.count; i++)
		if (j->left.at[i] == id) {
			j->left.at[i] = j->left.at[--j->left.count];
			return true;
		}
	return false;
}

/* The next outcome.  1; 0: there are no more, and the process has ended. */
static int hear_job(struct job *j, struct tried *t)
{
	ssize_t got;
	while ((got = read(j->from, t, sizeof *t)) < 0 && errno == EINTR)
		;
	bool whole = got == sizeof *t && take_left(j, t->id);
	if (!whole && j->left.count) {
		*t = (struct tried){ .id = j->left.at[--j->left.count], .result = { .failed = true } };
		snprintf(t->result.why, sizeof t->result.why, "the process that tried it died");
		whole = true;
	}
	struct result *r = &t->result;
	r->kind[sizeof r->kind - 1] = r->thread[sizeof r->thread - 1] = r->file[sizeof r->file - 1] = r->why[sizeof r->why - 1] = r->anew[sizeof r->anew - 1] = 0;
	if (j->left.count)
		return 1;
	close(j->from);
	waitpid(j->pid, NULL, 0);
	j->pid = 0;
	return whole;
}

int campaign_repeat(struct campaign *k, const struct experiment *e, const char *keep, struct result *r, struct err *why)
{
	struct job j = { 0 };
	struct tried t;
	if (start_job(&j, k, e, 1, keep, why) < 0)
		return -1;
	hear_job(&j, &t);
	vec_release(&j.left);
	*r = t.result;
	return r->failed ? err_set(why, "experiment %llu could not be tried: %.300s", (unsigned long long)e->id, r->why) : 0;
}

static int widest(struct campaign *k, double *out, struct err *why)
{
	campaign_counts counts = { 0 };
	int got = campaign_count(k->db, &counts, why);
	*out = campaign_widest(&counts, k->config->types.count);
	vec_release(&counts);
	return got;
}

/* 1 known well enough, asked when there are enough new ones; 0 not, or not asked; -1 and why. */
static int is_narrow(struct campaign *k, struct err *why)
{
	double width;
	uint64_t rounds = k->done / (20 * k->config->types.count);
	if (k->config->until == 0 || rounds == k->rounds)
		return 0;
	k->rounds = rounds;
	if (widest(k, &width, why) < 0)
		return -1;
	return width <= k->config->until;
}

#define TICK_MS 250

struct running {
	struct campaign *k;
	const struct campaign_source *from;
	struct job jobs[MOST_JOBS];
	unsigned limit, busy;
	bool lots;                              /* each is given many, and tries those first whose places come first: what is half done says nothing about all */
	unsigned round;                         /* given out since it was last asked whether that is enough */
	bool dry;                               /* no more to give out */
	campaign_told told;
	void *with;
	bool ended;                             /* by who is told: what runs then is of no use any more */
	struct offspring offspring;
};

#define POOL_MOST 32u                          /* of those other machines could take */

/* How many a process is given: what is left is to go round. */
static unsigned size_of_lot(const struct running *x)
{
	const struct campaign *k = x->k;
	uint64_t left = k->total > k->done ? k->total - k->done : 1, share = (left + x->limit - 1) / x->limit, most = x->from->tick ? POOL_MOST : PARTING_MOST;
	if (!x->lots)
		return 1;
	if (k->config->until > 0 && share > 20 * k->config->types.count)
		share = 20 * k->config->types.count;
	return (unsigned)(share < most ? share : most);
}

/* 1 a process was started, 0 none is left, or none now. */
static int give_out(struct running *x, struct err *why)
{
	VEC(struct experiment) lot = { 0 };
	struct experiment e;
	int got = 1;
	for (unsigned most = size_of_lot(x); got > 0 && lot.count < most; )
		if ((got = x->from->next(x->from->with, most > 1 ? most - (unsigned)lot.count : x->limit - x->busy, &e, why)) > 0)
			vec_push(&lot, e);
	x->dry |= got == 0 && !x->from->tick;
	for (unsigned i = 0; got >= 0 && lot.count && i < x->limit; i++)
		if (!x->jobs[i].pid) {
			x->busy++;
			x->round++;
			got = start_job(&x->jobs[i], x->k, lot.at, lot.count, NULL, why) < 0 ? -1 : 1;
			break;
		}
	vec_release(&lot);
	return got;
}

/* A program may stop who started it: nobody else would let that go on. */
static void wake_stopped(const struct running *x)
{
	siginfo_t stopped = { 0 };
	for (unsigned i = 0; i < x->limit; i++)
		if (x->jobs[i].pid && waitid(P_PID, (id_t)x->jobs[i].pid, &stopped, WSTOPPED | WNOHANG) == 0 && stopped.si_pid == x->jobs[i].pid)
			kill(x->jobs[i].pid, SIGCONT);
}

/* Waits for one to end, or a while, and keeps what came of it; a signal for us is heard first: those that run may have had it, too. */
static int take_in(struct running *x, struct err *why)
{
	struct pollfd wait[MOST_JOBS];
	unsigned of[MOST_JOBS], count = 0;
	for (unsigned i = 0; i < x->limit; i++)
		if (x->jobs[i].pid) {
			wait[count] = (struct pollfd){ .fd = x->jobs[i].from, .events = POLLIN };
			of[count++] = i;
		}
	if (poll(wait, count, TICK_MS) < 0 && errno != EINTR)
		return err_set(why, "cannot wait for a run: %s", str_error(errno));
	wake_stopped(x);
	if (!x->told(x->with, x->k)) {
		x->ended = true;
		return 0;
	}
	for (unsigned i = 0; i < count; i++)
		if (wait[i].revents) {
			struct tried t;
			struct job *j = &x->jobs[of[i]];
			int heard = hear_job(j, &t);
			x->busy -= !j->pid;
			return heard ? x->from->keep(x->from->with, t.id, &t.result, why) : 0;
		}
	return 0;
}

static int ask_around(struct running *x, struct err *why)
{
	if (!x->from->tick)
		return 0;
	int more = x->from->tick(x->from->with, why);
	x->dry |= more == 0;
	return more < 0 ? -1 : 0;
}

/* More is given out when it is known that what there is does not do. */
static bool wants_more(const struct running *x)
{
	return !x->dry && x->busy < x->limit && !(x->lots && x->k->config->until > 0 && x->round >= x->limit);
}

static int ask_whether_narrow(struct running *x, struct err *why)
{
	if (x->lots && x->busy)
		return 0;
	x->round = 0;
	return is_narrow(x->k, why);
}

static int run_all(struct running *x, struct err *why)
{
	int narrow = is_narrow(x->k, why);
	while (narrow >= 0 && !x->ended) {
		int got = 0;
		while (!narrow && wants_more(x) && (got = give_out(x, why)) > 0)
			;
		if (got < 0)
			return -1;
		if (!x->busy && (narrow || x->dry))
			break;
		if (take_in(x, why) < 0 || ask_around(x, why) < 0)
			return -1;
		if (!narrow)
			narrow = ask_whether_narrow(x, why);
	}
	return narrow < 0 ? -1 : x->ended && x->k->done < x->k->total && !narrow ? 1 : 0;
}

/* What is still running is of no use any more, nor what that has made. */
static void end_all(struct running *x)
{
	for (unsigned i = 0; i < x->limit; i++)
		if (x->jobs[i].pid) {
			kill(x->jobs[i].pid, SIGKILL);
			close(x->jobs[i].from);
			waitpid(x->jobs[i].pid, NULL, 0);
		}
	for (unsigned i = 0; i < x->limit; i++)
		vec_release(&x->jobs[i].left);
	offspring_end(&x->offspring, NULL, NULL);
	offspring_release(&x->offspring);
}

int campaign_run_from(struct campaign *k, const struct campaign_source *from, unsigned jobs, campaign_told told, void *with, struct err *why)
{
	struct running x = { .k = k, .from = from, .limit = jobs < MOST_JOBS ? jobs : MOST_JOBS, .lots = !k->in_full && parting_goes(k->config, &k->golden),
		.told = told, .with = with };
	offspring_begin(&x.offspring);
	int got = run_all(&x, why);
	end_all(&x);
	return got;
}

/* ---- faults from the database, outcomes into it ---- */

struct own_source { struct campaign *k; struct db_query *next, *keep; uint64_t last; };        /* last: id given out */

static int own_next(void *with, unsigned room, struct experiment *e, struct err *why)
{
	struct own_source *s = with;
	(void)room;
	db_give_number(s->next, 1, (int64_t)s->last);
	int got = db_next(s->next, why);
	if (got > 0) {
		campaign_take(e, s->next);
		while (db_next(s->next, why) > 0)       /* its limit is one row */
			;
		s->last = e->id;
	}
	return got;
}

/* Only if it has none yet: it counts once. */
static int own_keep(void *with, uint64_t id, const struct result *r, struct err *why)
{
	struct own_source *s = with;
	struct row_values row;
	row_of(r, &row);
	int got = row_keep(s->keep, id, &row, why);
	s->k->done += got == 0;
	return got;
}

int campaign_run(struct campaign *k, unsigned jobs, campaign_told told, void *with, struct err *why)
{
	struct own_source own = { .k = k };
	struct campaign_source from = { &own, own_next, own_keep, NULL };
	int got = db_ask(k->db, &own.next, "select id, type, fault, site, file, line from experiment where outcome is null and id > ? order by id limit 1", why);
	if (got == 0)
		got = row_update(k->db, &own.keep, why);
	if (got == 0)
		got = campaign_run_from(k, &from, jobs, told, with, why);
	db_done(own.next);
	db_done(own.keep);
	return got;
}
