/* drive/evidence.c -- see evidence.h. */
#include "drive/evidence.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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

static int take_replays(const struct evidence_setup *setup, struct runs *runs, const struct schedule *schedule, uint32_t count,
	struct evidence *out, struct err *why)
{
	int got = 1;
	for (uint32_t given = 0; got > 0;) {
		struct run_done run;
		for (; given < count && runs_room(runs); given++)
			runs_give(runs, &(struct run_order){ .schedule = schedule, .policy = STEER_FIRST,
				.save_trace = out->shown || given ? NULL : setup->trace });
		got = runs_take(runs, &run, why);
		if (got <= 0)
			continue;
		if (run.result.interrupted) {
			out->interrupted = true;
			got = 0;
		} else {
			out->replays++;
			out->shown += setup->shows(setup->with, &run) && expected_end(schedule, &run.result);
		}
		run_done_release(&run);
	}
	return got;
}

static int replay(const struct evidence_setup *setup, const char *path, uint32_t count, struct evidence *out, struct err *why)
{
	struct saved saved;
	if (saved_open(&saved, path, &(struct saved_how){ .argv = NULL }, why) < 0)
		return -1;
	struct runs_setup how = { .like = saved.options, .jobs = setup->jobs, .races = setup->races, .most_memory = setup->like.most_memory };
	how.like.max_seconds = setup->like.max_seconds;         /* one that hung will hang again */
	struct runs *runs = runs_open(&how, why);
	int got = runs ? take_replays(setup, runs, &saved.schedule, count, out, why) : -1;
	if (runs)
		runs_close(runs);
	saved_close(&saved);
	return got;
}

/* The kept input has not what another process did in memory or a file the two share: without it that is asked again.  If one
 * such replay does not show it, more are not made. */
static int replay_live(const struct evidence_setup *setup, const char *path, struct evidence *out, struct err *why)
{
	if (saved_without_input(&out->run.result, path, why) < 0)
		return -1;
	out->live = true;
	out->lends = out->run.result.lent;
	out->replays = out->shown = 0;
	int got = replay(setup, path, 1, out, why);
	if (got >= 0 && out->shown && setup->replays > 1)
		got = replay(setup, path, setup->replays - 1, out, why);
	return got;
}

/* 0, or -1 and why. */
static int replay_all(const struct evidence_setup *setup, const char *path, struct evidence *out, struct err *why)
{
	int result = replay(setup, path, setup->replays, out, why);
	if (result >= 0 && out->replays && !out->shown && !out->interrupted && !out->run.result.input_lost)
		result = replay_live(setup, path, out, why);
	if (out->interrupted && out->live && !out->shown)
		out->replays = 0;
	return result;
}

/* It was seen, twice, and no replay shows it: its file is no schedule of it. */
static void take_back(const struct evidence_setup *setup, struct evidence *out)
{
	if (out->written)
		saved_remove(setup->path);
	out->written = out->live = false;
	snprintf(out->why_not, sizeof out->why_not, "%s",
		"no replay of it shows what was seen, which depends on something outside that is not kept");
}

/* It cannot be written where it should be: the same, in a folder for temporary files, of which nothing is left. */
static int replay_elsewhere(const struct evidence_setup *setup, const struct steer_options *o, struct evidence *out, struct err *why)
{
	const char *wanted = getenv("TMPDIR");
	char folder[300], path[320];
	struct evidence_setup there = *setup;
	struct err ignored;
	int result = 0;
	snprintf(folder, sizeof folder, "%s/raddle-replay-XXXXXX", wanted && *wanted == '/' && strlen(wanted) < 200 ? wanted : "/tmp");
	if (out->run.result.log_lost || !mkdtemp(folder))
		return 0;
	snprintf(path, sizeof path, "%s/replay.sched", folder);
	there.path = path;
	if (saved_write(&out->run.result, o, path, &ignored) == 0)
		result = replay_all(&there, path, out, why);
	saved_remove(path);
	rmdir(folder);
	return result;
}

/* ---------------------------------------------------------------- all of it */

int evidence_keep(const struct evidence_setup *setup, const struct schedule *script, bool loose, struct evidence *out, struct err *why)
{
	struct steer_options o = setup->like;
	o.schedule = script;
	o.loose = loose;
	*out = (struct evidence){ 0 };
	int result = run_again(setup, &o, out, why);
	out->interrupted = result == 0 && out->run.result.interrupted;
	out->again = result == 0 && !out->interrupted && setup->shows(setup->with, &out->run);
	if (out->again && setup->mark)
		setup->mark(setup->with, &out->run);
	if (out->again)
		write_down(setup, &o, out);
	if (out->written)
		result = replay_all(setup, setup->path, out, why);
	else if (out->again)
		result = replay_elsewhere(setup, &o, out, why);
	if (o.input == INPUT_KEEP && o.input_fd >= 0)
		close(o.input_fd);
	if (result >= 0 && out->replays && !out->shown)
		take_back(setup, out);
	if (result < 0 && out->written)
		saved_remove(setup->path);
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

void evidence_stop_at_race(struct run_done *run, const struct race *race)
{
	const struct race_list *l = &run->result.races;
	const struct race_side *second = &race->side[1];
	uint32_t thread = second->thread < l->threads.count ? schedule_thread(&run->result.log, l->threads.at[second->thread].path) : NO_PART;
	if (thread == NO_PART)
		return;
	run->result.log.stop_thread = thread;
	run->result.log.stop_nth = second->nth;
}
