/* drive/schedule_parse.c -- reads the text of a schedule: its file, line by line, and the steps.
 *
 * The file may come from anywhere.  The first token of a line (schedule_words.c) says what it is: a step, or a line of the head (schedule_head.c);
 * whatever is odd ends the reading with one message that names file and line. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/str.h"
#include "drive/schedule_inside.h"

#define FILE_MAX (1ull << 30)

/* ---------------------------------------------------------------- steps */

static bool take_module_offset(struct parser *p, const struct token *t, const char *plus, struct schedule_place *place)
{
	size_t length = (size_t)(plus - t->text);
	for (uint32_t i = 0; i < p->s->modules.count; i++)
		if (strlen(p->s->modules.at[i].name) == length && memcmp(p->s->modules.at[i].name, t->text, length) == 0)
			place->module = i;
	if (place->module == NO_PART)
		return schedule_bad(p, "the module of '%s' is not in the list of modules", word_shown(t));
	return (str_number(plus + 1, &place->offset) && place->offset < 1ull << 47) || schedule_bad(p, "the offset of '%s' is too large", word_shown(t));
}

static bool take_file_line(struct parser *p, const struct token *t, const char *colon, struct schedule_place *place)
{
	uint64_t line;
	if (*place->file || colon == t->text)
		return schedule_bad(p, "unknown word '%s'", word_shown(t));
	if (!str_number(colon + 1, &line) || line > UINT32_MAX)
		return schedule_bad(p, "the line of '%s' is too large", word_shown(t));
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
		if (word_is(t, "in") && !*place->function) {
			if (!next_text(p, "the function", &place->function))
				return false;
		} else if (word_is(t, "here") && !step->here) {
			if (!next_number(p, "the count", 1, UINT32_MAX, &here))
				return false;
			step->here = (uint32_t)here;
		} else if (place->module == NO_PART && (mark = tail(t->text, "+0x", "0123456789abcdef"))) {
			if (!take_module_offset(p, t, mark, place))
				return false;
		} else if ((mark = tail(t->text, ":", "0123456789"))) {
			if (!take_file_line(p, t, mark, place))
				return false;
		} else {
			return schedule_bad(p, "unknown word '%s'", word_shown(t));
		}
	}
	return true;
}

static bool take_answer(struct parser *p, enum step_what what, uint32_t *out)
{
	static const char *const answers[] = { "go", "timeout", "spurious", NULL };
	uint64_t number;
	if (what == STEP_ANSWER)
		return next_among(p, "answer", answers, out);
	if (!(what == STEP_FLUSH ? next_number(p, "the part", 0, SCHEDULE_PART_MAX, &number) : next_number(p, "the choice", 0, UINT32_MAX, &number)))
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
		return step->nth <= *done || schedule_bad(p, "a store of event %" PRIu64 " of %s comes before that event", step->nth, path);
	if (step->nth <= *done)
		return schedule_bad(p, "event %" PRIu64 " of %s comes after its event %" PRIu64, step->nth, path, *done);
	if (step->what != STEP_RUN) {
		if (step->nth < *answered)
			return schedule_bad(p, "event %" PRIu64 " of %s comes after its event %" PRIu64, step->nth, path, *answered);
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
		return schedule_bad(p, "a step before the list of threads");
	if (p->declared && p->declared != p->s->threads.count)
		return schedule_bad(p, "%u threads are announced, %zu are listed", p->declared, p->s->threads.count);
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
	if (!begin_steps(p) || !next_thread(p, &thread))
		return false;
	enum step_what what = word_is(peek(p), "answer") ? STEP_ANSWER : word_is(peek(p), "choice") ? STEP_CHOICE :
		word_is(peek(p), "flush") ? STEP_FLUSH : STEP_RUN;
	if (what != STEP_RUN)
		next(p);
	if (!next_number(p, "the event", 1, SCHEDULE_NTH_MAX, &nth) || (what != STEP_RUN && !take_answer(p, what, &answer)))
		return false;
	if (p->s->steps.count >= UINT32_MAX)
		return schedule_bad(p, "too many steps");
	struct schedule_step *step = schedule_step_add(p->s, what, thread, nth);
	step->answer = answer;
	step->line = p->line;
	if (more(p) && (!next_kind(p, &step->kind) || !take_place(p, step)))
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
			return schedule_bad(p, "no step reaches event %" PRIu64 " of %s", p->answered.at[i], p->s->threads.at[i].path);
		}
	p->ended = true;
	return true;
}

/* ---------------------------------------------------------------- the file */

static bool take_line(struct parser *p)
{
	const struct token *t = peek(p);
	if (p->ended)
		return schedule_bad(p, "something behind 'end'");
	if (!t->quoted && strncmp(t->text, "T_", 2) == 0)
		return line_step(p);
	next(p);
	if (word_is(t, "end"))
		return line_end(p);
	head_line *take = head_line_of(t);
	if (!take)
		return schedule_bad(p, "unknown step or line '%s'", word_shown(t));
	return p->first_step ? schedule_bad(p, "'%s' stands before the steps", word_shown(t)) : take(p);
}

static bool take_version(struct parser *p)
{
	uint64_t version;
	if (!word_is(next(p), "raddle") || !word_is(next(p), "schedule"))
		return schedule_bad(p, "this is not a schedule: it does not begin with 'raddle schedule'");
	if (!next_number(p, "the version", 0, UINT64_MAX, &version))
		return false;
	if (version != SCHEDULE_VERSION)
		return schedule_bad(p, "version %" PRIu64 " of the format; this raddle reads version %u", version, SCHEDULE_VERSION);
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
			return schedule_bad(p, "a zero byte");
		if (!words_split(p, at, line_stop))
			return false;
		at = stop ? stop + 1 : end;
		if (p->count == 0)
			continue;
		if (!(begun ? take_line(p) : take_version(p)))
			return false;
		begun = true;
		if (more(p))
			return schedule_bad(p, "unknown word '%s'", word_shown(peek(p)));
	}
	p->line += p->line == 0;
	if (!begun)
		return schedule_bad(p, "this is not a schedule: there is nothing in it");
	return p->ended || schedule_bad(p, "the file is cut short: it has no 'end'");
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
