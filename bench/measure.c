/* bench/measure.c -- runs a command and says what it cost, all its processes together.
 *   measure [-m] [-o file] -- command [arguments]
 * Prints one line: CPU seconds, wall seconds, peak memory in KB (without -m only that of the largest process), exit code.
 * CPU is user plus system time of the command and of every process it waited for.  Memory is the largest sum, over the
 * process tree, of proportional set sizes: a page two processes share counts once.  It is sampled, which disturbs the
 * command: take times without -m. */
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define SAMPLE_MS 10
#define TREE      4096

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static double seconds(struct timeval t)
{
	return (double)t.tv_sec + (double)t.tv_usec / 1e6;
}

static int parent_of(int pid)
{
	char path[64], line[512];
	const char *rest;
	int parent = 0;
	FILE *f;

	snprintf(path, sizeof path, "/proc/%d/stat", pid);
	f = fopen(path, "re");
	if (!f)
		return 0;
	if (fgets(line, sizeof line, f) && (rest = strrchr(line, ')')))
		sscanf(rest + 1, " %*c %d", &parent);
	fclose(f);
	return parent;
}

static long memory_of(int pid)
{
	char path[64], line[256];
	long kb = 0;
	FILE *f;

	snprintf(path, sizeof path, "/proc/%d/smaps_rollup", pid);
	f = fopen(path, "re");
	if (!f)
		return 0;
	while (fgets(line, sizeof line, f))
		if (sscanf(line, "Pss: %ld", &kb) == 1)
			break;
	fclose(f);
	return kb;
}

/* Is pid `root` or below it? */
static int belongs(int pid, int root)
{
	for (int i = 0; i < 8 && pid > 1; i++, pid = parent_of(pid))
		if (pid == root)
			return 1;
	return 0;
}

static long memory_of_tree(int root)
{
	DIR *proc = opendir("/proc");
	struct dirent *entry;
	long kb = 0;

	if (!proc)
		return 0;
	while ((entry = readdir(proc))) {
		int pid = atoi(entry->d_name);

		if (pid >= root && belongs(pid, root))
			kb += memory_of(pid);
	}
	closedir(proc);
	return kb;
}

static int start(char **command, const char *output)
{
	int pid = fork();

	if (pid == 0) {
		int fd = output ? open(output, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666) : -1;

		if (fd >= 0)
			dup2(fd, 1);
		execvp(command[0], command);
		perror(command[0]);
		_exit(127);
	}
	return pid;
}

int main(int argc, char **argv)
{
	int sample = 0, option, pid, status = 0;
	const char *output = NULL;
	struct rusage use = { 0 };
	long peak = 0;
	double begin;

	while ((option = getopt(argc, argv, "+mo:")) != -1)
		if (option == 'm')
			sample = 1;
		else if (option == 'o')
			output = optarg;
		else
			return 2;
	if (optind >= argc)
		return 2;
	begin = now();
	pid = start(argv + optind, output);
	while (wait4(pid, &status, sample ? WNOHANG : 0, &use) == 0) {
		long kb = memory_of_tree(pid);

		peak = kb > peak ? kb : peak;
		usleep(SAMPLE_MS * 1000);
	}
	printf("%.4f %.4f %ld %d\n", seconds(use.ru_utime) + seconds(use.ru_stime), now() - begin, sample ? peak : use.ru_maxrss,
		WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
	return 0;
}
