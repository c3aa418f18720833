/* analyses/epa/jobs.c -- the faults of a campaign tried, so many at a time: each in a copy of this process, which has the golden run in memory (campaign.h).
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

#include "analyses/epa/rows.h"
#include "base/str.h"

#define MOST_JOBS 256u

/* ---- trying ---- */

struct job { pid_t pid; int from; uint64_t id; };

static int start_job(struct job *j, struct campaign *k, const struct experiment *e, const char *keep, struct err *why)
{
	int tell[2];
	if (pipe2(tell, O_CLOEXEC) < 0)
		return err_set(why, "cannot make a pipe: %s", str_error(errno));
	fflush(NULL);
	pid_t pid = fork();
	if (pid == 0) {
		struct result r;
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		close(tell[0]);
		experiment_try(e, k->config, &k->golden, keep, k->in_full, &r);
		_exit(write(tell[1], &r, sizeof r) == sizeof r ? 0 : 1);
	}
	close(tell[1]);
	if (pid < 0) {
		close(tell[0]);
		return err_set(why, "cannot start a process: %s", str_error(errno));
	}
	*j = (struct job){ pid, tell[0], e->id };
	return 0;
}

static void end_job(struct job *j, struct result *r)
{
	ssize_t got;
	while ((got = read(j->from, r, sizeof *r)) < 0 && errno == EINTR)
		;
	close(j->from);
	waitpid(j->pid, NULL, 0);
	j->pid = 0;
	if (got != sizeof *r) {
		memset(r, 0, sizeof *r);
		r->failed = true;
		snprintf(r->why, sizeof r->why, "the process that tried it died");
	}
	r->kind[sizeof r->kind - 1] = r->thread[sizeof r->thread - 1] = r->file[sizeof r->file - 1] = r->why[sizeof r->why - 1] = 0;
}

int campaign_repeat(struct campaign *k, const struct experiment *e, const char *keep, struct result *r, struct err *why)
{
	struct job j;
	if (start_job(&j, k, e, keep, why) < 0)
		return -1;
	end_job(&j, r);
	return r->failed ? err_set(why, "experiment %llu could not be tried: %.300s", (unsigned long long)e->id, r->why) : 0;
}

static int widest(struct campaign *k, double *out, struct err *why)
{
	campaign_counts counts = { 0 };
	int got = campaign_count(k->db, &counts, why);
	*out = counts.count < k->config->types.count ? 1 : 0;
	for (size_t i = 0; i < counts.count; i++)
		for (int o = 0; o < BECAME_COUNT; o++) {
			struct interval v = wilson(counts.at[i].by[o], counts.at[i].runs);
			if (v.high - v.low > *out)
				*out = v.high - v.low;
		}
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
	bool dry;                               /* no more to give out */
};

/* 1 one was started, 0 none is left, or none now. */
static int give_out(struct running *x, struct err *why)
{
	struct experiment e;
	int got = x->from->next(x->from->with, x->limit - x->busy, &e, why);
	x->dry |= got == 0 && !x->from->tick;
	for (unsigned i = 0; got > 0 && i < x->limit; i++)
		if (!x->jobs[i].pid) {
			x->busy++;
			return start_job(&x->jobs[i], x->k, &e, NULL, why) < 0 ? -1 : 1;
		}
	return got;
}

/* Waits for one to end, or a while, and keeps what came of it. */
static int take_in(struct running *x, struct err *why)
{
	struct pollfd wait[MOST_JOBS];
	unsigned of[MOST_JOBS], count = 0;
	for (unsigned i = 0; i < x->limit; i++)
		if (x->jobs[i].pid) {
			wait[count] = (struct pollfd){ .fd = x->jobs[i].from, .events = POLLIN };
			of[count++] = i;
		}
	while (poll(wait, count, x->from->tick ? TICK_MS : -1) < 0)
		if (errno != EINTR)
			return err_set(why, "cannot wait for a run: %s", str_error(errno));
	for (unsigned i = 0; i < count; i++)
		if (wait[i].revents) {
			struct result r;
			struct job *j = &x->jobs[of[i]];
			end_job(j, &r);
			x->busy--;
			return x->from->keep(x->from->with, j->id, &r, why);
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

static int run_all(struct running *x, campaign_told told, void *with, struct err *why)
{
	bool ended = false;
	int narrow = is_narrow(x->k, why);
	while (narrow >= 0) {
		int got = 0;
		while (!ended && !narrow && !x->dry && x->busy < x->limit && (got = give_out(x, why)) > 0)
			;
		if (got < 0)
			return -1;
		if (!x->busy && (ended || narrow || x->dry))
			break;
		if (take_in(x, why) < 0 || ask_around(x, why) < 0)
			return -1;
		if (!narrow)
			narrow = is_narrow(x->k, why);
		ended |= !told(with, x->k);
	}
	return narrow < 0 ? -1 : ended && x->k->done < x->k->total && !narrow ? 1 : 0;
}

/* What is still running is of no use any more. */
static void end_all(struct running *x)
{
	for (unsigned i = 0; i < x->limit; i++)
		if (x->jobs[i].pid) {
			kill(x->jobs[i].pid, SIGKILL);
			close(x->jobs[i].from);
			waitpid(x->jobs[i].pid, NULL, 0);
		}
}

int campaign_run_from(struct campaign *k, const struct campaign_source *from, unsigned jobs, campaign_told told, void *with, struct err *why)
{
	struct running x = { .k = k, .from = from, .limit = jobs < MOST_JOBS ? jobs : MOST_JOBS };
	int got = run_all(&x, told, with, why);
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
