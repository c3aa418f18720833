/* drive/schedule_parse.c -- reads the text of a schedule.
 *
 * The file may come from anywhere.  A line is split into tokens first (blanks separate, "..." keeps them, # ends the line), in a
 * buffer of its own; then its first token says what it is.  Every number has a limit, every name must have been introduced,
 * and whatever is odd ends the reading with one message that names file and line. */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/str.h"
#include "drive/schedule.h"
#include "trace/reader.h"

#define TOKENS_MAX  16u
#define FILE_MAX    (1ull << 30)
#define VARIABLES_MAX   10000u
#define VARIABLES_BYTES (2ull << 20)            /* more than Linux hands to a program */
#define SHOWN       64                          /* bytes of a bad token that a message repeats */

struct token { const char *text; size_t length; bool quoted; };

struct parser {
	struct schedule *s;
	const char *name;                       /* of the file */
	uint32_t line;
	char *room;                             /* tokens of one line, each with its zero */
	size_t room_bytes;
	struct token token[TOKENS_MAX + 1];     /* behind the last one: text "" */
	unsigned count, at;                     /* tokens of this line, and the next to look at */
	uint32_t declared;                      /* threads the head announces, 0 not said */
	bool first_step, ended;
	VEC(uint64_t) done;                     /* per thread: its last step */
	VEC(uint64_t) answered;                 /* per thread: its last answer not yet reached by a step, or 0 */
	VEC(uint32_t) answered_in;              /* and the line of it */
	struct err *why;
};

/* ---------------------------------------------------------------- tokens */

__attribute__((format(printf, 2, 3)))
static bool bad(struct parser *p, const char *format, ...)
{
	char text[400];
	va_list args;
	va_start(args, format);
	vsnprintf(text, sizeof text, format, args);
	va_end(args);
	err_set(p->why, "schedule '%.200s' line %" PRIu32 ": %s", p->name, p->line, text);
	p->why->code = 3;
	return false;
}

/* A token as a message may repeat it. */
static const char *shown(const struct token *t)
{
	static char text[SHOWN + 4];
	size_t n = 0;
	for (; n < SHOWN && n < t->length; n++)
		text[n] = (unsigned char)t->text[n] < 32 || t->text[n] == 127 ? '?' : t->text[n];
	strcpy(text + n, n < t->length ? "..." : "");
	return text;
}

static int hex_digit(char c)
{
	return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* One escaped byte at `at` (behind the backslash): bytes eaten, 0 when it is none. */
static size_t unescape(const char *at, const char *end, char *out)
{
	if (at < end && (*at == '"' || *at == '\\')) {
		*out = *at;
		return 1;
	}
	if (end - at < 3 || *at != 'x' || hex_digit(at[1]) < 0 || hex_digit(at[2]) < 0)
		return 0;
	*out = (char)(hex_digit(at[1]) << 4 | hex_digit(at[2]));
	return *out ? 3 : 0;
}

/* One token from `at` into the room at *used; where the line goes on, or NULL after bad(). */
static const char *take_token(struct parser *p, const char *at, const char *end, size_t *used)
{
	bool inside = false;
	struct token *t = &p->token[p->count];
	t->text = p->room + *used;
	t->quoted = false;
	size_t start = *used;
	for (; at < end && (inside || (*at != ' ' && *at != '\t')); at++) {
		size_t eaten;
		if (*at == '"') {
			inside = !inside;
			t->quoted = true;
		} else if (*at == '\\') {
			if (!inside || !(eaten = unescape(at + 1, end, &p->room[*used])))
				return bad(p, "a backslash that stands for nothing"), NULL;
			at += eaten;
			++*used;
		} else if ((unsigned char)*at < 32 || *at == 127) {
			return bad(p, "control byte 0x%02x", (unsigned char)*at), NULL;
		} else {
			p->room[(*used)++] = *at;
		}
	}
	if (inside)
		return bad(p, "a quotation without its end"), NULL;
	p->room[*used] = 0;
	t->length = (*used)++ - start;
	p->count++;
	return at;
}

static bool split(struct parser *p, const char *at, const char *end)
{
	size_t used = 0;
	if (p->room_bytes < (size_t)(end - at) + TOKENS_MAX + 2) {
		p->room_bytes = (size_t)(end - at) + TOKENS_MAX + 2;
		p->room = mem_resize(p->room, p->room_bytes);
	}
	p->count = p->at = 0;
	for (;;) {
		while (at < end && (*at == ' ' || *at == '\t'))
			at++;
		if (at == end || *at == '#')
			break;
		if (p->count == TOKENS_MAX)
			return bad(p, "more words than any line has");
		at = take_token(p, at, end, &used);
		if (!at)
			return false;
	}
	for (unsigned i = p->count; i <= TOKENS_MAX; i++)
		p->token[i] = (struct token){ "", 0, false };
	return true;
}

static const struct token *peek(const struct parser *p)
{
	return &p->token[p->at];
}

static const struct token *next(struct parser *p)
{
	return &p->token[p->at < p->count ? p->at++ : p->at];
}

static bool more(const struct parser *p)
{
	return p->at < p->count;
}

static bool is(const struct token *t, const char *word)
{
	return !t->quoted && strcmp(t->text, word) == 0;
}

static const char *keep(struct parser *p, const struct token *t)
{
	return schedule_text(p->s, t->text, t->length);
}

/* ---------------------------------------------------------------- numbers and words */

static bool take_number(struct parser *p, const char *what, uint64_t low, uint64_t high, uint64_t *out)
{
	if (!more(p))
		return bad(p, "%s is missing", what);
	const struct token *t = next(p);
	if (t->quoted || !isdigit((unsigned char)t->text[0]) || !str_number(t->text, out) || *out < low || *out > high)
		return bad(p, "%s '%s' is not a number from %" PRIu64 " to %" PRIu64, what, shown(t), low, high);
	return true;
}

static bool take_word(struct parser *p, const char *what, const char *const *list, uint32_t *out)
{
	const struct token *t = next(p);
	for (uint32_t i = 0; list[i]; i++)
		if (is(t, list[i])) {
			*out = i;
			return true;
		}
	return bad(p, "unknown %s '%s'", what, shown(t));
}

static bool take_text(struct parser *p, const char *what, const char **out)
{
	if (!more(p))
		return bad(p, "%s is missing", what);
	*out = keep(p, next(p));
	return true;
}

static bool take_kind(struct parser *p, uint8_t *out)
{
	const struct token *t = next(p);
	int kind = t->quoted ? -1 : event_kind_of(t->text);
	if (kind < 0)
		return bad(p, "unknown kind of event '%s'", shown(t));
	*out = (uint8_t)kind;
	return true;
}

static bool take_thread(struct parser *p, uint32_t *out)
{
	const struct token *t = next(p);
	if (t->quoted || !schedule_is_path(t->text))
		return bad(p, "'%s' is no thread", shown(t));
	*out = schedule_thread(p->s, t->text);
	return *out != NO_PART || bad(p, "thread '%s' is not in the list of threads", shown(t));
}

/* ---------------------------------------------------------------- the head */

static bool line_program(struct parser *p)
{
	return take_text(p, "the program", &p->s->program);
}

static bool line_build(struct parser *p)
{
	const struct token *t = peek(p);
	if (t->quoted || !t->length || t->length > 40 || t->length % 2 || strspn(t->text, "0123456789abcdef") != t->length)
		return bad(p, "'%s' is not a build id", shown(t));
	return take_text(p, "the build id", &p->s->build_id);
}

static bool line_argument(struct parser *p)
{
	const char *text = "";
	if (!take_text(p, "the argument", &text))
		return false;
	vec_push(&p->s->arguments, text);
	vec_push(&p->s->argument_lines, p->line);
	return true;
}

static bool take_others(struct parser *p, uint64_t low, uint64_t *strings, uint64_t *bytes)
{
	return take_number(p, "the number of variables", low, VARIABLES_MAX, strings) &&
		take_number(p, "their bytes", low, VARIABLES_BYTES, bytes);
}

static bool line_environment(struct parser *p)
{
	struct schedule_setting e = { .name = "", .value = "" };
	if (!take_text(p, "the variable", &e.name) || !take_text(p, "its value", &e.value))
		return false;
	if (!*e.name || strchr(e.name, '='))
		return bad(p, "that is no name of a variable");
	if (p->s->environment.count >= VARIABLES_MAX)
		return bad(p, "more than %u variables", VARIABLES_MAX);
	if (is(peek(p), "behind")) {
		next(p);
		if (!take_others(p, 1, &e.strings, &e.bytes))
			return false;
	}
	vec_push(&p->s->environment, e);
	return true;
}

static bool line_environment_rest(struct parser *p)
{
	p->s->whole_environment = true;
	return take_others(p, 0, &p->s->other_strings, &p->s->other_bytes);
}

static bool line_policy(struct parser *p)
{
	const struct token *t = next(p);
	if (t->quoted || !policy_parse(t->text, &p->s->policy, &p->s->seed, &p->s->depth))
		return bad(p, "unknown policy '%s'", shown(t));
	return true;
}

static bool line_switch(struct parser *p) { return take_word(p, "way to switch", switch_words, &p->s->switching); }
static bool line_heap(struct parser *p) { return take_word(p, "heap", heap_words, &p->s->heap); }
static bool line_time(struct parser *p) { return take_word(p, "time", time_words, &p->s->time); }
static bool line_model(struct parser *p) { return take_word(p, "memory model", model_words, &p->s->model); }
static bool line_max_steps(struct parser *p) { return take_number(p, "the limit", 1, SCHEDULE_NTH_MAX, &p->s->max_steps); }

static bool line_input(struct parser *p)
{
	if (!take_text(p, "the input", &p->s->input) || !take_number(p, "the hash", 0, UINT64_MAX, &p->s->input_hash))
		return false;
	return (*p->s->input && !strchr(p->s->input, '/')) || bad(p, "the input is no file beside the schedule");
}

static bool line_addresses(struct parser *p)
{
	static const char *const words[] = { "random", "fixed", NULL };
	uint32_t got;
	if (!take_word(p, "addresses", words, &got))
		return false;
	p->s->fixed_addresses = got == 1;
	return true;
}

static bool line_module(struct parser *p)
{
	uint64_t index;
	const char *name = "";
	if (!take_number(p, "the module's number", 0, RING_MODULES - 1, &index) || !take_text(p, "the module's name", &name))
		return false;
	for (size_t i = 0; i < p->s->modules.count; i++)
		if (p->s->modules.at[i].index == index || strcmp(p->s->modules.at[i].name, name) == 0)
			return bad(p, "this module was listed before");
	schedule_module_add(p->s, name, (uint32_t)index);
	return true;
}

static bool line_threads(struct parser *p)
{
	uint64_t count;
	if (!take_number(p, "the number of threads", 1, STEER_STRANDS, &count))
		return false;
	p->declared = (uint32_t)count;
	return true;
}

static bool line_thread(struct parser *p)
{
	const struct token *t = next(p);
	const char *name = "";
	if (t->quoted || !schedule_is_path(t->text))
		return bad(p, "'%s' is no thread", shown(t));
	if (more(p) && !take_text(p, "the name", &name))
		return false;
	bool first = p->s->threads.count == 0;
	if (first != (strcmp(t->text, "T_0") == 0))
		return first ? bad(p, "the first thread is T_0, not '%s'", shown(t)) : bad(p, "T_0 was listed before");
	if (!first && schedule_thread(p->s, t->text) != NO_PART)
		return bad(p, "thread '%s' was listed before", shown(t));
	return schedule_thread_add(p->s, t->text, name) != NO_PART || bad(p, "more than %u threads", STEER_STRANDS);
}

static bool expect_waits(struct parser *p)
{
	struct schedule_wait w = { .holder = NO_PART };
	if (!take_thread(p, &w.thread) || !take_kind(p, &w.kind) || !take_text(p, "what it waits for", &w.object))
		return false;
	if (is(peek(p), "held")) {
		next(p);
		if (!take_thread(p, &w.holder))
			return false;
	}
	vec_push(&p->s->waits, w);
	return true;
}

static bool expect_outcome(struct parser *p)
{
	struct schedule *s = p->s;
	uint64_t value = 0;
	if (s->outcome != OUTCOME_NONE)
		return bad(p, "a second outcome");
	if (!take_word(p, "outcome", outcome_words, &s->outcome))
		return false;
	if (s->outcome == OUTCOME_NONE || s->outcome == OUTCOME_LEFT || s->outcome == OUTCOME_UNSUPPORTED)
		return bad(p, "no schedule can expect '%s'", outcome_words[s->outcome]);
	if (s->outcome == OUTCOME_EXIT && !take_number(p, "the exit code", 0, 255, &value))
		return false;
	if (s->outcome == OUTCOME_SIGNAL && !take_number(p, "the signal", 1, 64, &value))
		return false;
	s->value = (int32_t)value;
	return !more(p) || take_text(p, "its text", &s->text);
}

static bool line_expect(struct parser *p)
{
	if (is(peek(p), "waits"))
		return next(p), expect_waits(p);
	if (is(peek(p), "events"))
		return next(p), take_number(p, "the number of events", 1, SCHEDULE_NTH_MAX, &p->s->events);
	return expect_outcome(p);
}

static const struct { const char *word; bool (*take)(struct parser *p); } head_lines[] = {
	{ "program", line_program }, { "build", line_build }, { "argument", line_argument }, { "environment", line_environment },
	{ "environment-rest", line_environment_rest },
	{ "policy", line_policy }, { "switch", line_switch }, { "heap", line_heap }, { "time", line_time }, { "model", line_model },
	{ "addresses", line_addresses }, { "input", line_input }, { "max-steps", line_max_steps }, { "module", line_module },
	{ "threads", line_threads }, { "thread", line_thread }, { "expect", line_expect },
};

/* ---------------------------------------------------------------- steps */

static bool take_module_offset(struct parser *p, const struct token *t, const char *plus, struct schedule_place *place)
{
	size_t length = (size_t)(plus - t->text);
	for (uint32_t i = 0; i < p->s->modules.count; i++)
		if (strlen(p->s->modules.at[i].name) == length && memcmp(p->s->modules.at[i].name, t->text, length) == 0)
			place->module = i;
	if (place->module == NO_PART)
		return bad(p, "the module of '%s' is not in the list of modules", shown(t));
	return (str_number(plus + 1, &place->offset) && place->offset < 1ull << 47) || bad(p, "the offset of '%s' is too large", shown(t));
}

static bool take_file_line(struct parser *p, const struct token *t, const char *colon, struct schedule_place *place)
{
	uint64_t line;
	if (*place->file || colon == t->text)
		return bad(p, "unknown word '%s'", shown(t));
	if (!str_number(colon + 1, &line) || line > UINT32_MAX)
		return bad(p, "the line of '%s' is too large", shown(t));
	place->file = schedule_text(p->s, t->text, (size_t)(colon - t->text));
	place->line = (uint32_t)line;
	return true;
}

/* What is behind the last `mark`, if it is all of these digits and there is some of it; else NULL. */
static const char *tail(const char *text, const char *mark, const char *digits)
{
	const char *found = NULL;
	for (const char *at = strstr(text, mark); at; at = strstr(at + 1, mark))
		found = at;
	if (!found)
		return NULL;
	const char *rest = found + strlen(mark);
	return *rest && strspn(rest, digits) == strlen(rest) ? found : NULL;
}

static bool take_place(struct parser *p, struct schedule_step *step)
{
	struct schedule_place *place = &step->place;
	while (more(p)) {
		const struct token *t = next(p);
		const char *mark;
		uint64_t here;
		if (is(t, "in") && !*place->function) {
			if (!take_text(p, "the function", &place->function))
				return false;
		} else if (is(t, "here") && !step->here) {
			if (!take_number(p, "the count", 1, UINT32_MAX, &here))
				return false;
			step->here = (uint32_t)here;
		} else if (place->module == NO_PART && (mark = tail(t->text, "+0x", "0123456789abcdef"))) {
			if (!take_module_offset(p, t, mark, place))
				return false;
		} else if ((mark = tail(t->text, ":", "0123456789"))) {
			if (!take_file_line(p, t, mark, place))
				return false;
		} else {
			return bad(p, "unknown word '%s'", shown(t));
		}
	}
	return true;
}

static bool take_answer(struct parser *p, enum step_what what, uint32_t *out)
{
	static const char *const answers[] = { "go", "timeout", "spurious", NULL };
	uint64_t number;
	if (what == STEP_ANSWER)
		return take_word(p, "answer", answers, out);
	if (!(what == STEP_FLUSH ? take_number(p, "the part", 0, SCHEDULE_PART_MAX, &number) : take_number(p, "the choice", 0, UINT32_MAX, &number)))
		return false;
	*out = (uint32_t)number;
	return true;
}

/* Invariant (2) of schedule.h. */
static bool in_order(struct parser *p, const struct schedule_step *step)
{
	uint64_t *done = &p->done.at[step->thread], *answered = &p->answered.at[step->thread];
	const char *path = p->s->threads.at[step->thread].path;
	if (step->what == STEP_FLUSH)
		return step->nth <= *done || bad(p, "a store of event %" PRIu64 " of %s comes before that event", step->nth, path);
	if (step->nth <= *done)
		return bad(p, "event %" PRIu64 " of %s comes after its event %" PRIu64, step->nth, path, *done);
	if (step->what != STEP_RUN) {
		if (step->nth < *answered)
			return bad(p, "event %" PRIu64 " of %s comes after its event %" PRIu64, step->nth, path, *answered);
		*answered = step->nth;
		p->answered_in.at[step->thread] = p->line;
		return true;
	}
	*done = step->nth;
	if (*answered <= *done)
		*answered = 0;
	return true;
}

static bool begin_steps(struct parser *p)
{
	if (p->first_step)
		return true;
	p->first_step = true;
	if (p->s->threads.count == 0)
		return bad(p, "a step before the list of threads");
	if (p->declared && p->declared != p->s->threads.count)
		return bad(p, "%u threads are announced, %zu are listed", p->declared, p->s->threads.count);
	for (size_t i = 0; i < p->s->threads.count; i++) {
		vec_push(&p->done, 0);
		vec_push(&p->answered, 0);
		vec_push(&p->answered_in, 0);
	}
	return true;
}

static bool line_step(struct parser *p)
{
	uint32_t thread;
	uint64_t nth;
	uint32_t answer = 0;
	if (!begin_steps(p) || !take_thread(p, &thread))
		return false;
	enum step_what what = is(peek(p), "answer") ? STEP_ANSWER : is(peek(p), "choice") ? STEP_CHOICE :
		is(peek(p), "flush") ? STEP_FLUSH : STEP_RUN;
	if (what != STEP_RUN)
		next(p);
	if (!take_number(p, "the event", 1, SCHEDULE_NTH_MAX, &nth) || (what != STEP_RUN && !take_answer(p, what, &answer)))
		return false;
	if (p->s->steps.count >= UINT32_MAX)
		return bad(p, "too many steps");
	struct schedule_step *step = schedule_step_add(p->s, what, thread, nth);
	step->answer = answer;
	step->line = p->line;
	if (more(p) && (!take_kind(p, &step->kind) || !take_place(p, step)))
		return false;
	return in_order(p, step);
}

static bool line_end(struct parser *p)
{
	if (!begin_steps(p))
		return false;
	for (size_t i = 0; i < p->answered.count; i++)
		if (p->answered.at[i]) {
			p->line = p->answered_in.at[i];
			return bad(p, "no step reaches event %" PRIu64 " of %s", p->answered.at[i], p->s->threads.at[i].path);
		}
	p->ended = true;
	return true;
}

/* ---------------------------------------------------------------- the file */

static bool take_line(struct parser *p)
{
	const struct token *t = peek(p);
	if (p->ended)
		return bad(p, "something behind 'end'");
	if (!t->quoted && strncmp(t->text, "T_", 2) == 0)
		return line_step(p);
	next(p);
	if (is(t, "end"))
		return line_end(p);
	for (size_t i = 0; i < sizeof head_lines / sizeof *head_lines; i++)
		if (is(t, head_lines[i].word))
			return p->first_step ? bad(p, "'%s' stands before the steps", head_lines[i].word) : head_lines[i].take(p);
	return bad(p, "unknown step or line '%s'", shown(t));
}

static bool take_version(struct parser *p)
{
	uint64_t version;
	if (!is(next(p), "raddle") || !is(next(p), "schedule"))
		return bad(p, "this is not a schedule: it does not begin with 'raddle schedule'");
	if (!take_number(p, "the version", 0, UINT64_MAX, &version))
		return false;
	if (version != SCHEDULE_VERSION)
		return bad(p, "version %" PRIu64 " of the format; this raddle reads version %u", version, SCHEDULE_VERSION);
	return true;
}

static bool take_lines(struct parser *p, const char *at, const char *end)
{
	bool begun = false;
	while (at < end) {
		const char *stop = memchr(at, '\n', (size_t)(end - at));
		const char *line_stop = stop ? stop : end;
		p->line++;
		if (memchr(at, 0, (size_t)(line_stop - at)))
			return bad(p, "a zero byte");
		if (!split(p, at, line_stop))
			return false;
		at = stop ? stop + 1 : end;
		if (p->count == 0)
			continue;
		if (!(begun ? take_line(p) : take_version(p)))
			return false;
		begun = true;
		if (more(p))
			return bad(p, "unknown word '%s'", shown(peek(p)));
	}
	p->line += p->line == 0;
	if (!begun)
		return bad(p, "this is not a schedule: there is nothing in it");
	return p->ended || bad(p, "the file is cut short: it has no 'end'");
}

int schedule_parse(struct schedule *s, const char *name, const char *text, size_t count, struct err *why)
{
	struct parser p = { .s = s, .name = name, .why = why };
	*s = (struct schedule){ .program = "", .build_id = "", .text = "", .input = "" };
	bool good = take_lines(&p, text, text + count);
	mem_free(p.room);
	vec_release(&p.done);
	vec_release(&p.answered);
	vec_release(&p.answered_in);
	return good ? 0 : -1;
}

static int cannot_read(const char *path, const char *reason, struct err *why)
{
	err_set(why, "cannot read schedule '%.200s': %s", path, reason);
	why->code = 3;
	return -1;
}

int schedule_read(struct schedule *s, const char *path, struct err *why)
{
	struct stat facts;
	*s = (struct schedule){ .program = "", .build_id = "", .text = "", .input = "" };
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0)
		return cannot_read(path, str_error(errno), why);
	if (fstat(fd, &facts) < 0 || S_ISDIR(facts.st_mode)) {
		close(fd);
		return cannot_read(path, "it is a directory", why);
	}
	VEC(char) text = { 0 };
	char part[65536];
	ssize_t got;
	while ((got = read(fd, part, sizeof part)) > 0 && text.count + (size_t)got <= FILE_MAX) {
		if (text.room < text.count + (size_t)got) {
			text.room = 2 * text.room + sizeof part;
			text.at = mem_resize(text.at, text.room);
		}
		memcpy(text.at + text.count, part, (size_t)got);
		text.count += (size_t)got;
	}
	int result = got < 0 ? cannot_read(path, str_error(errno), why) : got > 0 ? cannot_read(path, "it is too large", why) :
		schedule_parse(s, path, text.at ? text.at : "", text.count, why);
	close(fd);
	vec_release(&text);
	return result;
}
