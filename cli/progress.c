/* cli/progress.c -- see progress.h.  One at a time. */
#include "cli/progress.h"

#include <signal.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "base/str.h"

static volatile sig_atomic_t interrupted;
static struct sigaction before;
static uint64_t total;                          /* 0 unknown */
static double began, said;
static bool shown, silent;

static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void on_interrupt(int signal)
{
	(void)signal;
	interrupted = 1;
}

void progress_begin(const struct trace *t, bool quiet)
{
	struct sigaction act = { .sa_handler = on_interrupt, .sa_flags = (int)(SA_RESETHAND | SA_RESTART) };
	const char *events = trace_fact(t, "events");
	total = 0;
	if (events && !str_number(events, &total))
		total = 0;
	began = said = now();
	shown = false;
	silent = quiet || !isatty(2);
	interrupted = 0;
	sigaction(SIGINT, &act, &before);
}

bool progress_go_on(uint64_t events)
{
	double at = now();
	char counted[STR_NUMBER];
	if (interrupted || silent || at - said < 1)
		return !interrupted;
	said = at;
	shown = true;
	fprintf(stderr, "\rraddle: %s events read", str_grouped(counted, events));
	if (total > events)
		fprintf(stderr, ", %.0f %%, about %.0f s to go", 100.0 * (double)events / (double)total,
			(at - began) * (double)(total - events) / (double)events);
	fputs("\033[K", stderr);
	return true;
}

void progress_end(void)
{
	if (shown)
		fputs("\r\033[K", stderr);
	sigaction(SIGINT, &before, NULL);
}
