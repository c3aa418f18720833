/* cli/progress.c -- see progress.h.  One at a time. */
#include "cli/progress.h"

#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/str.h"
#include "cli/clean.h"

#define PLAIN_SECONDS 30                        /* between two lines, where each stays */

static volatile sig_atomic_t interrupted;
static struct sigaction before;
static uint64_t total;                          /* 0 unknown */
static struct ticker ticker;
static bool shown, silent;

/* ---- when to say something, and where ---- */

double ticker_seconds(struct ticker *t)
{
	double at = clock_seconds();
	t->began = t->began > 0 ? t->began : at;
	return at - t->began;
}

bool ticker_due(struct ticker *t)
{
	double at = ticker_seconds(t);
	if (at - t->said < 1 || (!isatty(2) && (!t->everywhere || at - t->said < PLAIN_SECONDS)))
		return false;
	t->said = at;
	return true;
}

void ticker_line(const char *format, ...)
{
	va_list list;
	bool terminal = isatty(2);
	va_start(list, format);
	fprintf(stderr, "%sraddle: ", terminal ? clean_mark(MARK_START) : "");
	vfprintf(stderr, format, list);
	fputs(terminal ? clean_mark(MARK_CLEAR) : "\n", stderr);
	va_end(list);
}

void ticker_over(void)
{
	if (isatty(2))
		fprintf(stderr, "%s%s", clean_mark(MARK_START), clean_mark(MARK_CLEAR));
}

/* ---- reading a trace ---- */

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
	ticker = (struct ticker){ 0 };
	ticker_seconds(&ticker);
	shown = false;
	silent = quiet;
	interrupted = 0;
	sigaction(SIGINT, &act, &before);
}

bool progress_go_on(uint64_t events)
{
	char counted[STR_NUMBER], left[60] = "";
	if (interrupted || silent || !ticker_due(&ticker))
		return !interrupted;
	shown = true;
	if (total > events)
		snprintf(left, sizeof left, ", %.0f %%, about %.0f s to go", 100.0 * (double)events / (double)total,
			ticker.said * (double)(total - events) / (double)events);
	ticker_line("%s events read%s", str_grouped(counted, events), left);
	return true;
}

void progress_end(void)
{
	if (shown)
		ticker_over();
	sigaction(SIGINT, &before, NULL);
}
