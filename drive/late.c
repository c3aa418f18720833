/* drive/late.c -- see late.h. */
#include "drive/late.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"

#define MOMENT 100000000u               /* ns between two looks */

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

bool late_is(struct late *l, pid_t pid)
{
	char path[64], state;
	uint64_t time = clock_ns(), cpu;
	if (!l->limit_ns || time < l->end_by || time - l->looked_at < MOMENT)
		return false;
	snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
	if (!look_at(path, &state, &cpu))
		return false;
	bool idle = !somebody_runs(pid), was_idle = l->looked_at && cpu == l->cpu_ns;
	l->looked_at = idle ? time : 0;
	l->cpu_ns = cpu;
	l->idle = idle && was_idle;
	return cpu >= l->limit_ns || l->idle;
}
