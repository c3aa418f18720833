/* drive/offspring.c -- see offspring.h.
 * One that makes another and ends may be missed while the list is read; so it is read again until nobody is left. */
#include "drive/offspring.h"

#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"

#define PATIENCE_MS 5000u               /* for those that do not die */
#define NAP_NS      1000000

static bool has(const pid_list *l, pid_t pid)
{
	for (size_t i = 0; i < l->count; i++)
		if (l->at[i] == pid)
			return true;
	return false;
}

static void add_children_of(const char *task, const struct offspring *o, pid_list *out)
{
	char path[320];
	int child;
	snprintf(path, sizeof path, "%s/children", task);
	FILE *file = fopen(path, "re");
	while (file && fscanf(file, "%d", &child) == 1)
		if (!has(out, child) && !has(&o->others, child))
			vec_push(out, child);
	if (file)
		fclose(file);
}

/* Of each of its threads: a child belongs to who made it. */
static void add_below(pid_t pid, const struct offspring *o, pid_list *out)
{
	char path[300];
	struct dirent *task;
	snprintf(path, sizeof path, "/proc/%d/task", (int)pid);
	DIR *tasks = opendir(path);
	while (tasks && (task = readdir(tasks)))
		if (*task->d_name != '.') {
			snprintf(path, sizeof path, "/proc/%d/task/%.30s", (int)pid, task->d_name);
			add_children_of(path, o, out);
		}
	if (tasks)
		closedir(tasks);
}

void offspring_list(const struct offspring *o, pid_list *out)
{
	vec_clear(out);
	add_below(getpid(), o, out);
	for (size_t i = 0; i < out->count; i++)
		add_below(out->at[i], o, out);
}

void offspring_begin(struct offspring *o)
{
	pid_list ours = { 0 };
	*o = (struct offspring){ 0 };
	add_below(getpid(), o, &ours);
	o->others = ours;
	prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
}

void offspring_release(struct offspring *o)
{
	vec_release(&o->others);
}

/* Its name may have anything in it. */
char offspring_state(pid_t pid)
{
	char path[64], text[160] = "";
	snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
	FILE *file = fopen(path, "re");
	if (!file)
		return 'X';
	size_t got = fread(text, 1, sizeof text - 1, file);
	fclose(file);
	const char *name = got ? strrchr(text, ')') : NULL;
	return name && name[1] ? name[2] : 'X';
}

static bool is_dead(pid_t pid)
{
	char state = offspring_state(pid);
	return state == 'Z' || state == 'X';
}

/* A group that it leads is of its making; all of one are killed in one step, also those that make others all the time. */
static void end(pid_t pid)
{
	if (getpgid(pid) == pid)
		kill(-pid, SIGKILL);
	kill(pid, SIGKILL);
}

static void wait_for(pid_list *all, offspring_ended *ended, void *with)
{
	int status;
	for (size_t i = 0; i < all->count; i++)
		if (waitpid(all->at[i], &status, WNOHANG) == all->at[i] && ended)
			ended(with, all->at[i], status);
}

unsigned offspring_end(const struct offspring *o, offspring_ended *ended, void *with)
{
	pid_list all = { 0 }, seen = { 0 };
	uint64_t until = clock_ms() + PATIENCE_MS;
	for (;;) {
		size_t known = seen.count;
		offspring_list(o, &all);
		for (size_t i = 0; i < all.count; i++) {
			if (!has(&seen, all.at[i]) && !is_dead(all.at[i]))
				vec_push(&seen, all.at[i]);
			end(all.at[i]);
		}
		wait_for(&all, ended, with);
		if (!all.count || clock_ms() > until)
			break;
		if (seen.count == known)        /* else there may be more by now */
			nanosleep(&(struct timespec){ .tv_nsec = NAP_NS }, NULL);
	}
	unsigned count = (unsigned)seen.count;
	vec_release(&all);
	vec_release(&seen);
	return count;
}
