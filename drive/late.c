/* drive/late.c -- see late.h. */
#include "drive/late.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"

#define MOMENT 100000000u               /* ns between two looks */
#define LEFT_BEHIND 5000000000u         /* ns processes have that do nothing, behind the program's end */

/* State and CPU time from a stat file of /proc; false: it is gone. */
static bool look_at(const char *path, char *state, uint64_t *cpu_ns)
{
	char line[1024];
	unsigned long long user, system;
	FILE *file = fopen(path, "r");
	if (!file)
		return false;
	bool got = fgets(line, sizeof line, file);
	fclose(file);
	const char *behind = got ? strrchr(line, ')') : NULL;   /* of the name, which may have anything in it */
	if (!behind || sscanf(behind, ") %c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %llu %llu", state, &user, &system) != 3)
		return false;
	*cpu_ns = (user + system) * (1000000000u / (uint64_t)sysconf(_SC_CLK_TCK));
	return true;
}

static bool somebody_runs(pid_t pid)
{
	char path[512], state = 'R';
	uint64_t unused;
	struct dirent *task;
	bool runs = false;
	snprintf(path, sizeof path, "/proc/%d/task", (int)pid);
	DIR *tasks = opendir(path);
	while (tasks && !runs && (task = readdir(tasks))) {
		snprintf(path, sizeof path, "/proc/%d/task/%s/stat", (int)pid, task->d_name);
		runs = *task->d_name != '.' && look_at(path, &state, &unused) && (state == 'R' || state == 'D');
	}
	if (tasks)
		closedir(tasks);
	return runs;
}

void late_begin(struct late *l, uint64_t limit_ms)
{
	*l = (struct late){ .limit_ns = limit_ms * 1000000u };
	l->end_by = clock_ns() + l->limit_ns;
}

void late_without(struct late *l)
{
	uint64_t by = clock_ns() + LEFT_BEHIND;
	l->end_by = l->end_by < by ? l->end_by : by;
	l->looked_at = 0;
}

bool late_is_time(const struct late *l)
{
	uint64_t time = clock_ns();
	return l->limit_ns && time >= l->end_by && time - l->looked_at >= MOMENT;
}

bool late_is(struct late *l, const pid_list *all)
{
	char path[64], state;
	uint64_t time = clock_ns(), cpu = 0, one;
	bool idle = true, any = false;
	if (!late_is_time(l))
		return false;
	for (size_t i = 0; i < all->count; i++) {
		snprintf(path, sizeof path, "/proc/%d/stat", (int)all->at[i]);
		if (!look_at(path, &state, &one))
			continue;
		any = true;
		cpu += one;
		idle = idle && !somebody_runs(all->at[i]);
	}
	bool was_idle = l->looked_at && cpu == l->cpu_ns;
	l->looked_at = idle && any ? time : 0;
	l->cpu_ns = cpu;
	l->idle = idle && was_idle;
	return any && (cpu >= l->limit_ns || l->idle);
}
