/* cli/reading.c -- see reading.h. */
#include "cli/reading.h"

#include <stdio.h>

#include "base/str.h"
#include "cli/progress.h"
#include "cli/say.h"

#define ASK_EVERY 8192                          /* events, a power of two */

static bool give(struct objects *objects, event_taker take, void *who, const struct event *ev, uint64_t number)
{
	bool goes = ev->kind == EV_FREE || ev->kind == EV_UNMAP;        /* it can still be named here, not after */
	if (!goes)
		objects_note(objects, ev);
	bool more = take(who, ev, number);
	if (goes)
		objects_note(objects, ev);
	return more;
}

int read_events(struct trace *t, struct objects *objects, event_taker take, void *who, struct err *why)
{
	struct merged *m;
	struct event ev;
	uint64_t number = 0;
	int got = 0;
	bool more = true, on = true;
	char counted[STR_NUMBER];
	progress_begin(t, on_terminal());
	if (merged_open(&m, t, why) < 0) {
		progress_end();
		return -1;
	}
	while (more && on && (got = merged_next(m, &ev, why)) > 0) {
		more = give(objects, take, who, &ev, number++);
		on = number % ASK_EVERY || progress_go_on(number);
	}
	progress_end();
	merged_close(m);
	if (!on && fflush(stdout) == 0)
		fprintf(on_terminal() ? stdout : stderr, "raddle: interrupted after %s events\n", str_grouped(counted, number));
	return !on ? 1 : more && got < 0 ? -1 : 0;
}
