/* drive/evidence.c -- see evidence.h. */
#include "drive/evidence.h"

#include <errno.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/str.h"
#include "drive/expected.h"
#include "drive/input.h"
#include "drive/saved.h"
#include "wire/input.h"

/* ---------------------------------------------------------------- once more */

/* The program is not to inherit what whoever has runs open (runs.h) blocks. */
static int run_masked(const struct evidence_setup *setup, const struct steer_options *o, struct steer_result *out, struct err *why)
{
	sigset_t before;
	sigprocmask(SIG_SETMASK, setup->mask, &before);
	int result = steer_run(o, out, why);
	sigprocmask(SIG_SETMASK, &before, NULL);
	return result;
}

/* With all that is needed to write it down.  o->input_fd is to be closed by who sees INPUT_KEEP. */
static int run_again(const struct evidence_setup *setup, struct steer_options *o, struct evidence *out, struct err *why)
{
	o->unchecked = o->apart = true;
	o->policy = STEER_FIRST;
	o->events = UINT64_MAX;
	o->most_memory = o->most_memory ? o->most_memory : runs_memory(1);
	o->races = out->races = race_watch_new(NULL);
	if (o->input != INPUT_SERVE) {
		o->input = INPUT_KEEP;
		o->input_fd = input_make(why);
		if (o->input_fd < 0)
			return -1;
	}
	o->output = memfd_create("raddle-output", MFD_CLOEXEC);
	if (o->output < 0)
		return err_set(why, "cannot make memory for the program's output: %s", str_error(errno));
	int result = run_masked(setup, o, &out->run.result, why);
	if (result == 0)
		run_done_output(&out->run, o->output);
	close(o->output);
	return result;
}

static void write_down(const struct evidence_setup *setup, const struct steer_options *o, struct evidence *out)
{
	struct err why = { .text = "its schedule is too long to keep" };
	struct steer_options from = *o;
	from.policy = setup->policy;
	from.seed = setup->seed;
	from.depth = setup->depth;
	out->written = !out->run.result.log_lost && saved_write(&out->run.result, &from, setup->path, &why) == 0;
	if (!out->written)
		snprintf(out->why_not, sizeof out->why_not, "%.300s", why.text);
}

/* ---------------------------------------------------------------- replays */

static int take_replays(const struct evidence_setup *setup, struct runs *runs, const struct schedule *schedule, struct evidence *out, struct err *why)
{
	int got = 1;
	for (uint32_t given = 0; got > 0;) {
		struct run_done run;
		for (; given < setup->replays && runs_room(runs); given++)
			runs_give(runs, &(struct run_order){ .schedule = schedule, .policy = STEER_FIRST, .save_trace = given ? NULL : setup->trace });
		got = runs_take(runs, &run, why);
		if (got <= 0)
			continue;
		if (run.result.interrupted) {
			got = 0;
		} else {
			out->replays++;
			out->shown += setup->shows(setup->with, &run) && expected_end(schedule, &run.result);
		}
		run_done_release(&run);
	}
	return got;
}

static int replay(const struct evidence_setup *setup, struct evidence *out, struct err *why)
{
	struct saved saved;
	if (saved_open(&saved, setup->path, &(struct saved_how){ .argv = NULL }, why) < 0)
		return -1;
	struct runs_setup how = { .like = saved.options, .jobs = setup->jobs, .races = setup->races, .most_memory = setup->like.most_memory };
	how.like.max_seconds = setup->like.max_seconds;         /* one that hung will hang again */
	struct runs *runs = runs_open(&how, why);
	int got = runs ? take_replays(setup, runs, &saved.schedule, out, why) : -1;
	if (runs)
		runs_close(runs);
	saved_close(&saved);
	return got;
}

/* The kept input has not what another process did in memory the two share: without it that process is made again. */
static int replay_live(const struct evidence_setup *setup, struct evidence *out, struct err *why)
{
	if (saved_without_input(&out->run.result, setup->path, why) < 0)
		return -1;
	out->live = true;
	out->replays = out->shown = 0;
	return replay(setup, out, why);
}

/* It was seen, twice, and its schedule does not show it: that is no schedule of it. */
static void take_back(const struct evidence_setup *setup, struct evidence *out)
{
	saved_remove(setup->path);
	out->written = out->live = false;
	snprintf(out->why_not, sizeof out->why_not, "%s", "no replay of it shows what was seen, which hangs on something outside that is not kept");
}

/* ---------------------------------------------------------------- all of it */

int evidence_keep(const struct evidence_setup *setup, const struct schedule *script, bool loose, struct evidence *out, struct err *why)
{
	struct steer_options o = setup->like;
	o.schedule = script;
	o.loose = loose;
	*out = (struct evidence){ 0 };
	int result = run_again(setup, &o, out, why);
	out->again = result == 0 && setup->shows(setup->with, &out->run);
	if (out->again && setup->mark)
		setup->mark(setup->with, &out->run);
	if (out->again)
		write_down(setup, &o, out);
	if (o.input == INPUT_KEEP && o.input_fd >= 0)
		close(o.input_fd);
	if (out->written)
		result = replay(setup, out, why);
	if (result >= 0 && out->replays && !out->shown && out->run.result.lent && !out->run.result.input_lost)
		result = replay_live(setup, out, why);
	if (result >= 0 && out->replays && !out->shown)
		take_back(setup, out);
	if (result < 0)
		evidence_release(out);
	return result;
}

void evidence_release(struct evidence *e)
{
	run_done_release(&e->run);
	race_watch_free(e->races);
	*e = (struct evidence){ 0 };
}
