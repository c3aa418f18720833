/* cli/info.c -- raddle info: what a trace holds, counted by trace/census.c; text here, JSON in info_json.c.
 * Order of the parts: program, threads, kinds, locks, shared variables, coverage, end. */
#include "cli/info.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/str.h"
#include "cli/command.h"
#include "cli/progress.h"
#include "cli/say.h"
#include "trace/event_words.h"
#include "trace/text_words.h"
#include "wire/tls.h"

struct options { bool coverage, verify, json, salvage; uint64_t top; };

static const char *grouped(uint64_t n)
{
	static char ring[8][STR_NUMBER];
	static unsigned next;
	return str_grouped(ring[next++ % 8], n);
}

static const char *path_of(const struct trace *t, struct thread_id id)
{
	return id.i < trace_thread_count(t) ? trace_thread(t, id)->path : "?";
}

void program_line(const struct trace *t, char *into, size_t room)
{
	size_t used = 0;
	into[0] = 0;
	for (int i = 0; i < 64 && used < room; i++) {
		char key[16];
		snprintf(key, sizeof key, "argv%d", i);
		const char *value = trace_fact(t, key);
		if (!value)
			break;
		int n = snprintf(into + used, room - used, "%s%s", i ? " " : "", value);
		used += n > 0 ? (size_t)n : 0;
	}
	if (!into[0] && trace_fact(t, "exe"))
		snprintf(into, room, "%s", trace_fact(t, "exe"));
}

void end_words(const struct trace *t, const struct census *c, char *into, size_t room)
{
	char where[160] = "";
	const char *code = trace_fact(t, "exit"), *killed = trace_fact(t, "signal"), *why = trace_fact(t, "stopped"), *steered = trace_fact(t, "steered");
	if (c->end_at)
		place_short(c->end_at, where, sizeof where);
	if (c->failed)
		snprintf(into, room, "failed in %s%s%s%s%s%s%s", path_of(t, c->end_thread), where[0] ? " at " : "", where,
			c->end_text[0] ? ": " : "", c->end_text, killed ? ", signal " : "", killed ? killed : "");
	else if (steered)
		snprintf(into, room, "%s", !strcmp(steered, "left") ? "left its schedule" : "ended by raddle: it did not come to an end");
	else if (killed && strcmp(killed, "0"))
		snprintf(into, room, "killed by signal %s", killed);
	else if (code)
		snprintf(into, room, "exited with %s", code);
	else if (c->exited)
		snprintf(into, room, "exited with %" PRIu64, c->end_value);
	else if (!trace_complete(t))
		snprintf(into, room, "unknown: the trace has no end");
	else
		into[0] = 0;
	size_t n = strlen(into);
	if (why && n < room)
		snprintf(into + n, room - n, "%srecording stopped early: %s", n ? "; " : "", why);
}

static void heading(const char *text)
{
	printf("\n%s%s%s\n", colour(COLOUR_BOLD), text, colour(COLOUR_OFF));
}

/* Of a table's first column; a longer name pushes its own line out. */
enum { LABEL_LEAST = 22, LABEL_MOST = 48, LABEL_ROOM = 300 };

static void widen(int *width, const char *label)
{
	int n = (int)strlen(label);
	*width = n > LABEL_MOST || n < *width ? *width : n;
}

static void print_top(const struct trace *t, const struct census *c)
{
	static const char *const levels[] = { "", ", level sync", ", level access", ", steered" };
	char line[1024], shown[4096];
	uint32_t level = trace_level(t), count = trace_thread_count(t);
	const char *model = trace_fact(t, "model");
	printf("%s: %s events of %s thread%s, %s%s%s%s%s%s\n", str_escape(shown, sizeof shown, trace_path(t)), grouped(c->events), grouped(count), count == 1 ? "" : "s",
		trace_order(t) == ORDER_TOTAL ? "in the order of the run" : "ordered per object", level == MODE_ACCESS && c->kinds[EV_RESULT] ? ", level full" : level < 4 ? levels[level] : "",
		model ? ", model " : "", model ? model : "",
		trace_flags(t) & TRACE_LAST ? ", the last part of the run only" : "",
		trace_flags(t) & TRACE_NO_VALUES ? ", without values" : "");
	program_line(t, line, sizeof line);
	if (line[0])
		printf("program: %s\n", str_escape(shown, sizeof shown, line));
	end_words(t, c, line, sizeof line);
	if (line[0])
		printf("end: %s%s%s\n", c->failed ? colour(COLOUR_RED) : "", str_escape(shown, sizeof shown, line), c->failed ? colour(COLOUR_OFF) : "");
	if (c->last_time > c->first_time && trace_ticks_per_second(t))
		printf("time: %.3f s\n", (double)(c->last_time - c->first_time) / (double)trace_ticks_per_second(t));
	if (c->lost)
		printf("lost: %s records could not be kept\n", grouped(c->lost));
}

static void thread_label(const struct trace_thread *t, char *into)
{
	char name[LABEL_ROOM];
	snprintf(into, LABEL_ROOM, "%s%s%s", t->path, *t->name ? " " : "", str_escape(name, sizeof name, t->name));
}

static void print_threads(const struct trace *t, const struct census *c, uint64_t top)
{
	enum { SHOWN_LEAST = 50 };
	char label[LABEL_ROOM];
	int width = LABEL_LEAST;
	size_t shown = top > SHOWN_LEAST ? top : SHOWN_LEAST;
	shown = shown < c->threads.count ? shown : c->threads.count;
	for (uint32_t i = 0; i < shown; i++) {
		thread_label(trace_thread(t, (struct thread_id){ i }), label);
		widen(&width, label);
	}
	printf("\n%s%-*s %12s %12s %12s %12s%s\n", colour(COLOUR_BOLD), width + 2, "threads", "events", "reads", "writes", "locks",
		colour(COLOUR_OFF));
	for (uint32_t i = 0; i < shown; i++) {
		const struct trace_thread *about = trace_thread(t, (struct thread_id){ i });
		const struct census_thread *n = &c->threads.at[i];
		thread_label(about, label);
		printf("  %-*s %12s %12s %12s %12s%s\n", width, label, grouped(n->events), grouped(n->reads), grouped(n->writes),
			grouped(n->locks), about->alive_at_end ? "  alive at the end" : "");
	}
	if (shown < c->threads.count)
		printf("  and %s more, see --top\n", grouped(c->threads.count - shown));
}

static void print_kinds(const struct census *c)
{
	int column = 0;
	heading("events by kind");
	for (int k = 1; k < EV_COUNT; k++)
		if (c->kinds[k]) {
			printf("%s  %-10s %12s", column && column % 4 == 0 ? "\n" : "", event_word((enum event_kind)k),
				grouped(c->kinds[k]));
			column++;
		}
	printf("\n");
}

static void lock_label(const struct census_lock *l, char *into)
{
	const char *type = l->type <= LOCK_USER ? lock_words[l->type] : "";
	snprintf(into, LABEL_ROOM, "%s%s%s%s", l->name, *type ? " (" : "", type, *type ? ")" : "");
}

static void print_lock(const struct trace *t, const struct census_lock *l, int width)
{
	char label[LABEL_ROOM], where[160];
	lock_label(l, label);
	printf("  %-*s %12s %12s %9s", width, label, grouped(l->taken), grouped(l->contended), grouped(l->threads));
	if (l->failed)
		printf("  %s tries failed", grouped(l->failed));
	if (l->owner.i != NO_THREAD.i)
		printf("  held at the end by %s, taken at %s", path_of(t, l->owner), place_short(l->owner_at, where, sizeof where));
	else if (l->readers)
		printf("  held for reading at the end");
	printf("\n");
}

static void print_locks(const struct trace *t, const struct census *c, uint64_t top)
{
	char label[LABEL_ROOM];
	int width = LABEL_LEAST;
	if (!c->locks.count)
		return;
	for (size_t i = 0; i < c->locks.count && i < top; i++) {
		lock_label(&c->locks.at[i], label);
		widen(&width, label);
	}
	printf("\n%s%-*s %12s %12s %9s%s\n", colour(COLOUR_BOLD), width + 2, "locks", "taken", "contended", "threads", colour(COLOUR_OFF));
	for (size_t i = 0; i < c->locks.count && i < top; i++)
		print_lock(t, &c->locks.at[i], width);
	if (c->locks.count > top)
		printf("  and %s more\n", grouped(c->locks.count - top));
}

static void print_variable(const struct census_variable *v, int width)
{
	char where[160];
	printf("  %-*s %12s %12s %9s", width, v->name, grouped(v->shared_reads), grouped(v->shared_writes), grouped(v->threads));
	if (v->write_at && place_short(v->write_at, where, sizeof where)[0])
		printf("  written at %s", where);
	if (v->read_at && place_short(v->read_at, where, sizeof where)[0])
		printf("  read at %s", where);
	printf("\n");
}

static void print_variables(const struct census *c, uint64_t top)
{
	int width = LABEL_LEAST;
	size_t shared = 0;
	for (; shared < c->variables.count && c->variables.at[shared].shared_words; shared++)
		if (shared < top)
			widen(&width, c->variables.at[shared].name);
	if (!shared)
		return;
	printf("\n%s%-*s %12s %12s %9s%s\n", colour(COLOUR_BOLD), width + 2, "shared variables", "reads", "writes", "threads",
		colour(COLOUR_OFF));
	for (size_t i = 0; i < shared && i < top; i++)
		print_variable(&c->variables.at[i], width);
	if (shared > top)
		printf("  and %s more\n", grouped(shared - top));
}

static void print_hands(const struct census *c, uint64_t top)
{
	char where[160];
	if (!c->hands.count)
		return;
	heading("calls of them that got a pointer to memory others may see");
	for (size_t i = 0; i < c->hands.count && i < top; i++) {
		const struct uncovered_hand *h = &c->hands.at[i];
		printf("  %12s  %s", grouped(h->calls), *h->name ? h->name : "(through a pointer)");
		if (*h->object)
			printf(" in %s", h->object);
		if (place_short(h->at, where, sizeof where)[0])
			printf(", called at %s", where);
		printf("\n");
	}
	if (c->hands.count > top)
		printf("  and %s more, see --top\n", grouped(c->hands.count - top));
}

static void print_coverage(const struct trace *t, const struct census *c, uint64_t top)
{
	heading("coverage");
	for (uint32_t i = 0; i < trace_module_count(t); i++) {
		const struct trace_module *m = trace_module(t, i);
		if (!object_is_own(m->path))
			printf("  %-16s %s\n", m->instrumented ? "instrumented" : "not instrumented", m->path);
	}
	if (!trace_module_count(t))
		printf("  the trace names no objects\n");
	if (!c->calls.count)
		return;
	heading("calls of functions not instrumented");
	for (size_t i = 0; i < c->calls.count && i < top; i++)
		printf("  %12s  %s\n", grouped(c->calls.at[i].calls), *c->calls.at[i].name ? c->calls.at[i].name : "(through a pointer)");
	if (c->calls.count > top)
		printf("  and %s more, see --top\n", grouped(c->calls.count - top));
	print_hands(c, top);
}

/* A cycle of waits through thread `i`, printed once: by its smallest member. */
static bool smallest_of_cycle(const struct census *c, uint32_t i)
{
	uint32_t at = i;
	for (size_t steps = 0; steps <= c->threads.count; steps++) {
		at = c->threads.at[at].waits_kind ? c->threads.at[at].waits_on.i : NO_THREAD.i;
		if (at == i)
			return true;
		if (at == NO_THREAD.i || at < i)
			return false;
	}
	return false;
}

static void print_cycle(const struct trace *t, const struct census *c, uint32_t i)
{
	uint32_t at = i;
	printf("  %sdeadlock: %s", colour(COLOUR_RED), path_of(t, (struct thread_id){ i }));
	do {
		at = c->threads.at[at].waits_on.i;
		printf(" -> %s", path_of(t, (struct thread_id){ at }));
	} while (at != i);
	printf("%s\n", colour(COLOUR_OFF));
}

static void print_wait(const struct trace *t, const struct census *c, const struct objects *o, uint32_t i)
{
	char name[256], where[160];
	const struct census_thread *n = &c->threads.at[i];
	bool join = n->waits_kind == EV_JOIN;
	printf("  %s waits for %s %s", path_of(t, (struct thread_id){ i }), wait_words(n->waits_kind),
		join ? path_of(t, n->waits_on) : objects_name(o, n->waits_for, name, sizeof name));
	if (n->waits_at && place_short(n->waits_at, where, sizeof where)[0])
		printf(" at %s", where);
	if (!join && n->waits_on.i != NO_THREAD.i)
		printf(", held by %s", path_of(t, n->waits_on));
	printf("\n");
}

static void print_waits(struct trace *t, const struct census *c)
{
	struct objects *o = objects_new(t);
	bool some = false;
	for (uint32_t i = 0; i < c->threads.count; i++) {
		if (!c->threads.at[i].waits_kind)
			continue;
		if (!some)
			heading("at the end");
		some = true;
		print_wait(t, c, o, i);
	}
	for (uint32_t i = 0; i < c->threads.count; i++)
		if (smallest_of_cycle(c, i))
			print_cycle(t, c, i);
	objects_free(o);
}

static int run(const void *given, char **operands, struct err *why)
{
	const struct options *o = given;
	struct trace *t;
	struct census *c;
	if (open_trace(&t, operands, o->salvage, why) < 0)
		return -1;
	if (o->verify) {
		int code = info_verify(t, o->json, o->top, why);
		trace_close(t);
		return code;
	}
	progress_begin(t, false);
	int got = census_take(&c, t, progress_go_on, why);
	progress_end();
	if (c->cut_short)
		say_note("interrupted: this is about the first %s events only", grouped(c->events));
	if (got == 0 && o->json) {
		info_json(t, c, o->coverage, o->top);
	} else if (got == 0) {
		pager_begin();
		print_top(t, c);
		print_threads(t, c, o->top);
		print_kinds(c);
		print_locks(t, c, o->top);
		print_variables(c, o->top);
		if (o->coverage)
			print_coverage(t, c, o->top);
		print_waits(t, c);
	}
	if (got == 0 && c->cut_short)
		got = 4;
	census_free(c);
	trace_close(t);
	return got;
}

#define AT(field) offsetof(struct options, field)
static const struct option list[] = {
	{ 0, "coverage", OPTION_FLAG, AT(coverage), NULL, "objects not instrumented, calls into them, and which of those got shared pointers", NULL, 0, 0 },
	{ 0, "verify", OPTION_FLAG, AT(verify), NULL, "does it hold together: locks, threads, and the value of each read", NULL, 0, 0 },
	{ 0, "top", OPTION_NUMBER, AT(top), "n", "so many locks, variables and calls (default 10); threads: 50 at least",
		NULL, 1, 1000000 },
	{ 0, "json", OPTION_FLAG, AT(json), NULL, "one object per line, see raddle-json(5)", NULL, 0, 0 },
	{ 0, "salvage", OPTION_FLAG, AT(salvage), NULL, "use the sound part of a damaged trace", NULL, 0, 0 },
	OPTION_MEMORY, OPTION_HELP, OPTION_LAST
};
static const struct options defaults = { .top = 10 };

const struct command command_info = { "record", "info", "[<trace>]",
	"Say what a trace holds: threads, locks, shared variables, how it ended.",
	STYLE_PLAIN, list, &defaults, sizeof defaults, 0, 1,
	"<trace> defaults to ./run.trace, as written by 'raddle record'.    Example: raddle record -- ./bank; raddle info\n"
	"Exit: 0 said, 2 bad command line, 3 bad input; with --verify 1 contradicted, 4 undecided; 4 interrupted.", run, false };
