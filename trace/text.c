/* trace/text.c -- a text twin read into memory; the lines are described in text_words.h.
 *   (1) the text is read once, line by line, and nothing of it is kept: the builder copies;
 *   (2) every complaint names file and line; with salvage the first bad line ends the trace and what was read stands;
 *   (3) threads are numbered as thread: lines or, failing that, events first name them.
 * Cost: one pass, a hash per token that is not a number.  Tokens: text_token.c; lines that are no events: text_head.c. */
#include "trace/text.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "base/str.h"
#include "trace/text_parse.h"

/* ---- event words ---- */

struct word_cell { uint64_t first; uint32_t rest; uint8_t length, kind; };
#define WORD_CELLS 256u
static struct word_cell words[WORD_CELLS];              /* filled once */
static pthread_once_t words_once = PTHREAD_ONCE_INIT;

static void pack_word(struct token t, struct word_cell *c)
{
	size_t n = t.length < 8 ? t.length : 8;
	*c = (struct word_cell){ .length = (uint8_t)t.length };
	for (size_t i = 0; i < n; i++)
		c->first |= (uint64_t)(uint8_t)t.at[i] << (8 * i);
	for (size_t i = 8; i < t.length && i < 12; i++)
		c->rest |= (uint32_t)(uint8_t)t.at[i] << (8 * (i - 8));
}

static struct word_cell *find_word(const struct word_cell *c)
{
	uint32_t at = (uint32_t)((c->first ^ c->rest) * 0x9e3779b97f4a7c15ull >> 56);
	while (words[at].kind && (words[at].first != c->first || words[at].rest != c->rest || words[at].length != c->length))
		at = (at + 1) % WORD_CELLS;
	return &words[at];
}

static void fill_words(void)
{
	for (int kind = 1; kind < EV_COUNT; kind++) {
		const char *word = event_word((enum event_kind)kind);
		struct word_cell c;
		if (!word)
			continue;
		check(strlen(word) <= 12);
		pack_word((struct token){ word, strlen(word) }, &c);
		struct word_cell *cell = find_word(&c);
		*cell = c;
		cell->kind = (uint8_t)kind;
	}
}

static int kind_of(struct token t)
{
	struct word_cell c;
	if (t.length > 12)
		return -1;
	pack_word(t, &c);
	return find_word(&c)->kind ? find_word(&c)->kind : -1;
}

/* The nearest word, for a hint. */
static int unknown_event(struct text *x, struct token t)
{
	char a[64];
	const char *near = NULL;
	unsigned best = 3;
	text_bad(x, "unknown event '%s'", token_shown(t, a));
	for (int kind = 1; kind < EV_COUNT; kind++) {
		const char *word = event_word((enum event_kind)kind);
		unsigned d = word ? str_distance(a, word) : 99;
		if (d < best && d < strlen(word) && strlen(a) > 2) {
			best = d;
			near = word;
		}
	}
	if (near)
		err_hint(x->why, "did you mean '%s'?", near);
	return -1;
}

/* ---- fields of an event ---- */

/* Up to 16 bytes, the longer ones in hexadecimal. */
static int take_wide(struct text *x, struct token key, struct token t, uint64_t *value, uint64_t *high)
{
	if (t.length <= 18 || t.length > 34 || t.at[0] != '0' || t.at[1] != 'x')
		return take_number(x, key, t, UINT64_MAX, value);
	struct token low = { t.at + t.length - 16, 16 };
	uint64_t parts[2] = { 0, 0 };
	for (size_t i = 2; i < t.length; i++) {
		int d = hex_digit(t.at[i]);
		if (d < 0)
			return take_number(x, key, t, UINT64_MAX, value);
		uint64_t *part = &parts[t.at + i >= low.at];
		*part = *part << 4 | (uint64_t)d;
	}
	*high = parts[0];
	*value = parts[1];
	return 0;
}

static int take_value(struct text *x, struct event *ev, struct token key, struct token t)
{
	ev->has_value = arg_form(ev->kind) == ARG_VALUE;
	if (t.length > 1 && t.at[0] == '-') {
		struct token digits = { t.at + 1, t.length - 1 };
		int got = take_number(x, key, digits, INT64_MAX, &ev->arg);
		uint64_t mask = ev->size >= 8 || !ev->size ? UINT64_MAX : (1ull << 8 * ev->size) - 1;
		ev->arg = -ev->arg & mask;
		return got;
	}
	return take_wide(x, key, t, &ev->arg, &ev->arg_high);
}

static int take_bytes(struct text *x, struct event *ev, struct token t)
{
	if (t.length % 2)
		return text_bad(x, "'bytes=' has half a byte");
	if (x->bytes.room < t.length / 2 + 1) {
		x->bytes.room = t.length + 64;
		x->bytes.at = mem_resize(x->bytes.at, x->bytes.room);
	}
	for (size_t i = 0; i < t.length; i += 2) {
		int high = hex_digit(t.at[i]), low = hex_digit(t.at[i + 1]);
		if (high < 0 || low < 0)
			return text_bad(x, "'bytes=' is not made of hexadecimal digits");
		x->bytes.at[i / 2] = (uint8_t)(high << 4 | low);
	}
	ev->bytes = x->bytes.at;
	ev->byte_count = (uint32_t)(t.length / 2);
	return 0;
}

static int take_marks(struct text *x, struct event *ev, struct token t)
{
	char a[64];
	while (t.length) {
		const char *comma = memchr(t.at, ',', t.length);
		struct token word = { t.at, comma ? (size_t)(comma - t.at) : t.length };
		bool *mark = token_is(word, "volatile") ? &ev->is_volatile : token_is(word, "failed") ? &ev->failed
			: token_is(word, "cut") ? &ev->cut : token_is(word, "inflight") ? &ev->in_flight
			: token_is(word, "waits") ? &ev->waits : NULL;
		if (token_is(word, "tried") && kind_tries(ev->kind))
			ev->arg |= LOCK_TRIED;
		else if (token_is(word, "timed") && kind_tries(ev->kind))
			ev->arg |= LOCK_TIMED;
		else if (token_is(word, "writersfirst") && (ev->kind == EV_LOCK || ev->kind == EV_TRYFAIL))
			ev->arg |= LOCK_WRITERS_FIRST;
		else if (!mark)
			return text_bad(x, "unknown mark '%s'", token_shown(word, a));
		else
			*mark = true;
		size_t gone = word.length + (comma != NULL);
		t = (struct token){ t.at + gone, t.length - gone };
	}
	return 0;
}

static int take_lock_mode(struct text *x, struct event *ev, struct token key, struct token t, bool is_type)
{
	static const char *const modes[] = { "write", "read", NULL };
	uint8_t n;
	if (take_word(x, key, t, is_type ? lock_words : modes, &n) < 0)
		return -1;
	ev->arg |= is_type ? (uint64_t)n << 8 : n;
	return 0;
}

static int take_kind(struct text *x, struct event *ev, struct token t)
{
	int kind = kind_of(t);
	if (kind < 0)
		return unknown_event(x, t);
	ev->arg = (uint64_t)kind;
	return 0;
}

static int take_small(struct text *x, struct token key, struct token t, uint64_t most, struct event *ev)
{
	uint64_t n;
	if (take_number(x, key, t, most, &n) < 0)
		return -1;
	if (token_is(key, "size"))
		ev->size = (uint8_t)n;
	else
		ev->nest = (uint32_t)n;
	return 0;
}

struct fields { struct token position, function; };     /* at= and in=, settled when the line is read */

#define FIELDS(X) \
	X(AT, "at") X(BYTES, "bytes") X(FAIL, "fail") X(FOR, "for") X(IN, "in") X(IS, "is") X(LOCK, "lock") X(MODE, "mode") \
	X(NAME, "name") X(NEST, "nest") X(NEW, "new") X(OF, "of") X(OP, "op") X(ORDER, "order") X(PC, "pc") X(RES, "res") X(SIZE, "size") \
	X(TIME, "time") X(TYPE, "type") X(VALUE, "value") X(VER, "ver")
enum field {
#define X(field, word) FIELD_##field,
	FIELDS(X)
#undef X
	FIELD_OTHER
};

static enum field field_of(struct token key)
{
	static const char *const words_of[] = {         /* sorted, so that those of one letter stand together */
#define X(field, word) word,
		FIELDS(X)
#undef X
		""
	};
	static const uint8_t first_of[26] = {           /* where those of a letter begin */
		['a' - 'a'] = FIELD_AT, ['b' - 'a'] = FIELD_BYTES, ['f' - 'a'] = FIELD_FAIL, ['i' - 'a'] = FIELD_IN,
		['l' - 'a'] = FIELD_LOCK,
		['m' - 'a'] = FIELD_MODE, ['n' - 'a'] = FIELD_NAME, ['o' - 'a'] = FIELD_OF, ['p' - 'a'] = FIELD_PC, ['r' - 'a'] = FIELD_RES,
		['s' - 'a'] = FIELD_SIZE, ['t' - 'a'] = FIELD_TIME, ['v' - 'a'] = FIELD_VALUE
	};
	char letter = key.length ? key.at[0] : 0;
	if (letter < 'a' || letter > 'z')
		return FIELD_OTHER;
	for (int i = first_of[letter - 'a']; words_of[i][0] == letter; i++)
		if (token_is(key, words_of[i]))
			return (enum field)i;
	return FIELD_OTHER;
}

/* Fields whose name depends on the kind of event. */
static int take_arg(struct text *x, struct event *ev, struct token key, struct token t)
{
	char a[64];
	if (token_is(key, arg_key(ev->kind)) || token_is(key, "arg"))
		return take_number(x, key, t, UINT64_MAX, &ev->arg);
	return text_bad(x, "unknown field '%s=' of '%s'", token_shown(key, a), event_word(ev->kind));
}

/* `parent`: of one not named before. */
static int take_thread(struct text *x, struct token t, uint32_t parent, uint64_t *out)
{
	char a[64];
	if (t.length > 2 && t.at[0] == '0' && t.at[1] == 'x')
		return token_number(t, out) ? 0 : text_bad(x, "'%s' is not a thread", token_shown(t, a));
	*out = text_thread(x, t, parent, false);
	return 0;
}

static int take_field(struct text *x, struct event *ev, struct fields *f, struct token key, struct token t)
{
	switch (field_of(key)) {
	case FIELD_AT:    return f->position = t, 0;
	case FIELD_BYTES: return take_bytes(x, ev, t);
	case FIELD_FAIL:  return take_word(x, key, t, order_words, &ev->order2);
	case FIELD_FOR:   return take_kind(x, ev, t);
	case FIELD_IN:    return f->function = t, 0;
	case FIELD_IS:    return take_marks(x, ev, t);
	case FIELD_LOCK:  return t.length ? take_object(x, t, &ev->arg) : take_arg(x, ev, key, t);
	case FIELD_MODE:  return take_lock_mode(x, ev, key, t, false);
	case FIELD_NAME:  return ev->name = text_kept(x, t), 0;
	case FIELD_NEST:  return take_small(x, key, t, UINT32_MAX, ev);
	case FIELD_NEW:   return take_wide(x, key, t, &ev->written, &ev->written_high);
	case FIELD_OF:    return t.length ? take_thread(x, t, NO_THREAD.i, &ev->arg) : take_arg(x, ev, key, t);
	case FIELD_OP:    return take_word(x, key, t, op_words, &ev->op);
	case FIELD_ORDER: return take_word(x, key, t, order_words, &ev->order);
	case FIELD_PC:    return take_number(x, key, t, UINT64_MAX, &ev->code);
	case FIELD_RES:   return take_signed(x, key, t, &ev->result);
	case FIELD_SIZE:  return take_small(x, key, t, 16, ev);
	case FIELD_TIME:  return take_number(x, key, t, UINT64_MAX, &ev->time);
	case FIELD_TYPE:  return take_lock_mode(x, ev, key, t, true);
	case FIELD_VALUE: return take_value(x, ev, key, t);
	case FIELD_VER:   return take_number(x, key, t, UINT64_MAX, &ev->version);
	default:          return take_arg(x, ev, key, t);
	}
}

/* ---- one line ---- */

static int event_object(struct text *x, struct event *ev, struct token t)
{
	if (object_form(ev->kind) != FORM_THREAD && !(ev->kind == EV_BLOCK && ev->arg == EV_JOIN))
		return take_object(x, t, &ev->object);
	return take_thread(x, t, ev->kind == EV_FORK ? ev->thread.i : NO_THREAD.i, &ev->object);
}

static int read_event(struct text *x, struct token thread)
{
	char a[64];
	struct event ev = { 0 };
	struct fields f = { { "", 0 }, { "", 0 } };
	struct token t, key, value, object = { NULL, 0 };
	if (!token_next(x, &t))
		return text_bad(x, "thread '%s' does nothing here: a line is <thread> <event> <object>", token_shown(thread, a));
	int kind = kind_of(t);
	if (kind < 0)
		return unknown_event(x, t);
	ev.kind = (uint8_t)kind;
	ev.op = kind_is_atomic(ev.kind) ? default_op(ev.kind) : 0;
	ev.order = kind_is_atomic(ev.kind) ? ORDER_SEQ_CST : 0;
	ev.size = arg_form(ev.kind) == ARG_VALUE ? SIZE_DEFAULT : 0;
	ev.thread.i = text_thread(x, thread, NO_THREAD.i, false);
	x->last_thread = thread;
	x->last_id = ev.thread.i;
	bool more = token_next(x, &t);
	if (more && !memchr(t.at, '=', t.length)) {
		object = t;
		more = token_next(x, &t);
	} else if (object_form(ev.kind) != FORM_NONE) {
		return text_bad(x, "'%s' of what? a line is <thread> <event> <object>", event_word(ev.kind));
	}
	for (; more; more = token_next(x, &t)) {
		if (!token_split(t, &key, &value))
			return text_bad(x, "'%s' is not a field: fields are <key>=<value>", token_shown(t, a));
		if (take_field(x, &ev, &f, key, value) < 0)
			return -1;
	}
	if (object.length && event_object(x, &ev, object) < 0)
		return -1;
	if (take_place(x, f.position, f.function, &ev.place) < 0)
		return -1;
	builder_event(x->builder, &ev);
	x->events = x->known = true;
	x->event_count++;
	return 0;
}

/* T_0_1, t2, 3, A: what is in its place in other text is a word. */
static bool looks_like_thread(struct token t)
{
	bool digit = false;
	for (size_t i = 0; i < t.length; i++) {
		bool own = t.at[i] >= '0' && t.at[i] <= '9';
		if (!own && t.at[i] != '_' && t.at[i] != '-' && !((t.at[i] | 32) >= 'a' && (t.at[i] | 32) <= 'z'))
			return false;
		digit |= own;
	}
	return digit || (t.length == 1 && t.at[0] >= 'A' && t.at[0] <= 'Z');
}

static bool text_is_printed(const char *line, size_t length)
{
	return length == sizeof TEXT_FIRST_LINE - 1 && !memcmp(line, TEXT_FIRST_LINE, length);
}

/* Is all of it there?  Twins older than the end: line say how many events the run had. */
static int check_end(struct text *x)
{
	const char *said = x->printed && !x->promised ? builder_fact_said(x->builder, "events") : NULL;
	uint64_t events = 0;
	if (x->promised ? x->ended : !said || !str_number(said, &events) || x->event_count >= events)
		return 0;
	if (x->promised)
		text_bad(x, "the file is cut short: its last line, 'end: N', is missing");
	else
		text_bad(x, "the file is cut short: it has %llu of %llu events", (unsigned long long)x->event_count, (unsigned long long)events);
	return x->events ? err_hint(x->why, "--salvage uses what is there") : -1;
}

static int read_line(struct text *x)
{
	struct token t;
	if (x->line == 1)
		x->printed = text_is_printed(x->at, (size_t)(x->end - x->at));
	if (!token_next(x, &t) || t.at[0] == '#')
		return 0;
	if (x->ended)
		return text_bad(x, "it stands after the end");
	if (t.at[t.length - 1] == ':')
		return text_head(x, (struct token){ t.at, t.length - 1 });
	x->known |= looks_like_thread(t);
	return read_event(x, t);
}

/* ---- the whole ---- */

/* The head may say the order anywhere before the first event; the builder wants to know it first. */
static enum trace_order order_said(const char *bytes, size_t count)
{
	struct text x = { .path = "" };
	struct token t;
	for (const char *at = bytes, *stop = bytes + count, *end; at < stop; at = end + 1) {
		end = memchr(at, '\n', (size_t)(stop - at));
		end = end ? end : stop;
		x.at = at;
		x.end = end;
		if (!token_next(&x, &t) || t.at[0] == '#')
			continue;
		if (t.at[t.length - 1] != ':')
			break;
		if (token_is(t, "order:"))
			return token_next(&x, &t) && token_is(t, "per-object") ? ORDER_PER_OBJECT : ORDER_TOTAL;
	}
	return ORDER_TOTAL;
}

static int read_lines(struct text *x, const char *bytes, size_t count)
{
	const char *zero = memchr(bytes, 0, count);
	for (const char *at = bytes, *stop = bytes + count, *end; at < stop; at = end + 1) {
		end = memchr(at, '\n', (size_t)(stop - at));
		end = end ? end : stop;
		x->at = at;
		x->end = end;
		x->line++;
		if (zero && zero < end)
			return text_bad(x, "a zero byte at byte %zu", (size_t)(zero - bytes));
		if (read_line(x) < 0)
			return -1;
	}
	return check_end(x);
}

/* Is this text at all?  Says what it is instead. */
static int not_text(const char *path, const char *bytes, size_t count, struct err *why)
{
	static const char schedule[] = "raddle schedule ";
	size_t look = count < 4096 ? count : 4096;
	if (!count)
		err_set(why, "trace '%s' is empty", path);
	else if (count < 8 && !memcmp(bytes, TRACE_MAGIC, count))
		err_set(why, "trace '%s' is damaged: the file ends at byte %zu, inside its head", path, count);
	else if (memchr(bytes, 0, look))
		err_set(why, "'%s' is not a trace: it begins with neither raddle's mark nor text", path);
	else if (count > sizeof schedule - 1 && !memcmp(bytes, schedule, sizeof schedule - 1)) {
		err_set(why, "'%s' is a schedule, not a trace", path);
		err_hint(why, "'raddle replay %.200s' runs it", path);
	} else
		return 0;
	why->code = 3;
	return -1;
}

/* Text, but none of its lines is one of a trace: whatever was wrong with the first says nothing. */
static int other_text(const char *path, struct err *why)
{
	size_t length = strlen(path);
	bool source = length > 2 && (!strcmp(path + length - 2, ".c") || (length > 4 && !strcmp(path + length - 4, ".cpp")) ||
		(length > 3 && !strcmp(path + length - 3, ".cc")));
	memset(why->hint, 0, sizeof why->hint);
	err_set(why, "'%s' is not a trace: it has neither raddle's mark nor lines of a trace", path);
	if (source)
		err_hint(why, "build it with 'raddle cc', and name the program");
	else
		err_hint(why, "'raddle record -- <program>' makes a trace");
	why->code = 3;
	return -1;
}

static void settle(struct text *x)
{
	for (size_t i = 0; i < x->parents.count; i++) {
		const char *token = x->parents.at[i].token;
		uint32_t parent = names_get(&x->threads, token, strlen(token));
		if (parent != NO_NAME && parent != x->parents.at[i].child)
			builder_thread_edit(x->builder, (struct thread_id){ x->parents.at[i].child })->parent.i = parent;
	}
	for (size_t i = 0; i < x->symbols.count; i++) {
		struct named_range *s = &x->symbols.at[i];
		builder_symbol(x->builder, s->name, s->address, s->end - s->address);
	}
	builder_head(x->builder, x->flags, x->level, x->ticks, !x->incomplete);
}

static void release(struct text *x)
{
	names_release(&x->threads);
	vec_release(&x->declared);
	vec_release(&x->parents);
	names_release(&x->fakes);
	map_release(&x->starts);
	vec_release(&x->symbols);
	names_release(&x->positions);
	vec_release(&x->written);
	vec_release(&x->numbered);
	vec_release(&x->bytes);
	vec_release(&x->plain);
	vec_release(&x->plain2);
}

int text_load(struct trace **out, const char *path, const char *bytes, size_t count, const struct trace_options *options,
	struct err *why)
{
	struct text x = { .path = path, .why = why, .flags = TRACE_TRIES };
	if (not_text(path, bytes, count, why) < 0)
		return -1;
	pthread_once(&words_once, fill_words);
	x.builder = builder_new(path, order_said(bytes, count));
	int got = read_lines(&x, bytes, count);
	if (!x.known)
		got = other_text(path, why);
	if (got < 0 && options && options->salvage && x.events) {
		char what[640];
		const char *colon = strstr(why->text, ": ");
		snprintf(what, sizeof what, "line %llu and what follows are left out: %s", (unsigned long long)x.line,
			colon ? colon + 2 : why->text);
		builder_salvaged(x.builder, what);
		x.incomplete = true;
		got = 0;
	}
	if (got == 0) {
		settle(&x);
		*out = builder_finish(x.builder);
	} else {
		builder_drop(x.builder);
	}
	release(&x);
	return got;
}
