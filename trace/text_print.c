/* trace/text_print.c -- a trace written as its text twin; the lines are described in text_words.h.
 *   (1) a place that is more than file, line, column and function is declared by a place: line before its first use;
 *   (2) no two threads are written by the same token;
 *   (3) a field that has the value the reader assumes is not written. */
#include <string.h>

#include "base/map.h"
#include "base/str.h"
#include "base/vec.h"
#include "trace/text.h"
#include "trace/text_words.h"

struct text_printer {
	struct trace *trace;
	FILE *out;
	VEC(char) line;
	VEC(const char *) labels;               /* of threads, escaped */
	struct arena arena;
	uint64_t events;                        /* printed */
	struct map places;                      /* address of a place -> its number, from 1 */
	struct names declared;                  /* place: lines as written, without their numbers */
};

static void add(struct text_printer *p, const char *text, size_t length)
{
	size_t need = p->line.count + length;
	if (need > p->line.room) {
		p->line.room = need * 2 + 256;
		p->line.at = mem_resize(p->line.at, p->line.room);
	}
	memcpy(p->line.at + p->line.count, text, length);
	p->line.count = need;
}

static void add_text(struct text_printer *p, const char *text)
{
	add(p, text, strlen(text));
}

static void add_decimal(struct text_printer *p, uint64_t n)
{
	char digits[20];
	size_t at = sizeof digits;
	do
		digits[--at] = (char)('0' + n % 10);
	while (n /= 10);
	add(p, digits + at, sizeof digits - at);
}

static void add_hex(struct text_printer *p, uint64_t n, unsigned least)
{
	char digits[16];
	size_t at = sizeof digits;
	do
		digits[--at] = "0123456789abcdef"[n & 15];
	while (n >>= 4);
	while (sizeof digits - at < least)
		digits[--at] = '0';
	add(p, digits + at, sizeof digits - at);
}

static void add_number(struct text_printer *p, uint64_t n)
{
	if (n < 100000) {
		add_decimal(p, n);
	} else {
		add_text(p, "0x");
		add_hex(p, n, 1);
	}
}

/* As one token: blanks, control bytes, backslashes and whatever is in `also` as \xNN. */
/* As it is, but for backslashes, what a terminal should not get, and `also`. */
static void add_escaped(struct text_printer *p, const char *text, const char *also)
{
	for (size_t n; *text; text += n) {
		unsigned char c = (unsigned char)*text;
		n = str_shown(text);
		if (!n || c == '\\' || strchr(also, c)) {
			add_text(p, "\\x");
			add_hex(p, c, 2);
			n = 1;
		} else {
			add(p, text, n);
		}
	}
}

static void add_token(struct text_printer *p, const char *text)
{
	add_escaped(p, text, " ");
}

static void add_field(struct text_printer *p, const char *key, const char *text)
{
	add(p, " ", 1);
	add_text(p, key);
	add(p, "=", 1);
	add_token(p, text);
}

static void add_field_number(struct text_printer *p, const char *key, uint64_t n)
{
	add(p, " ", 1);
	add_text(p, key);
	add(p, "=", 1);
	add_number(p, n);
}

static void end_line(struct text_printer *p)
{
	add(p, "\n", 1);
	fwrite(p->line.at, 1, p->line.count, p->out);
	vec_clear(&p->line);
}

static void add_thread(struct text_printer *p, uint64_t index)
{
	if (index < p->labels.count) {
		add_text(p, p->labels.at[index]);
	} else {
		add_text(p, "0x");
		add_hex(p, index, 1);
	}
}

static void add_object(struct text_printer *p, uint64_t address)
{
	uint64_t offset = 0;
	const char *name = trace_symbol(p->trace, address, &offset);
	if (name && *name) {
		if (*name == '-' || (*name >= '0' && *name <= '9')) {
			add_text(p, "\\x");
			add_hex(p, (unsigned char)*name++, 2);
		}
		add_escaped(p, name, " =@+");
		if (offset) {
			add(p, "+", 1);
			add_decimal(p, offset);
		}
		if (address >= FAKE_BASE && address < FAKE_END && offset < FAKE_STEP)
			return;
		add(p, "@", 1);
	}
	add_text(p, "0x");
	add_hex(p, address, 1);
}

/* ---- places ---- */

static bool place_is_plain(const struct place *at)
{
	return !*at->linkage && !*at->unit && !*at->module && at->ordinal == UINT32_MAX && !at->site && !at->inlined_at;
}

static void add_position(struct text_printer *p, const struct place *at)
{
	add_escaped(p, at->file, " :#");
	if (at->line || at->column) {
		add(p, ":", 1);
		add_decimal(p, at->line);
	}
	if (at->column) {
		add(p, ":", 1);
		add_decimal(p, at->column);
	}
}

/* Equal places have one number, wherever they lie in memory. */
static uint64_t place_number(struct text_printer *p, const struct place *at)
{
	uint64_t *n = map_get(&p->places, (uintptr_t)at);
	return n ? *n : 0;
}

static void declare_one(struct text_printer *p, const struct place *at)
{
	add_position(p, at);
	if (*at->function)
		add_field(p, "in", at->function);
	if (*at->linkage)
		add_field(p, "link", at->linkage);
	if (*at->unit)
		add_field(p, "unit", at->unit);
	if (*at->module)
		add_field(p, "module", at->module);
	if (at->ordinal != UINT32_MAX)
		add_field_number(p, "ord", at->ordinal);
	if (at->site)
		add_field_number(p, "site", at->site);
	if (at->inlined_at)
		add_field_number(p, "inlined", place_number(p, at->inlined_at));
	uint32_t known = (uint32_t)p->declared.count, number = names_put(&p->declared, p->line.at, p->line.count);
	vec_clear(&p->line);
	*map_put(&p->places, (uintptr_t)at, NULL) = number + 1ull;
	if (number < known)
		return;
	const char *text = names_text(&p->declared, number);
	fprintf(p->out, "place: %u%s%s\n", number + 1, *text == ' ' ? "" : " ", text);
}

/* The outermost of a chain of inlined places comes first. */
static void declare_place(struct text_printer *p, const struct place *at)
{
	VEC(const struct place *) chain = { 0 };
	for (; at && !place_number(p, at); at = at->inlined_at)
		vec_push(&chain, at);
	while (chain.count)
		declare_one(p, chain.at[--chain.count]);
	vec_release(&chain);
}

static void add_place(struct text_printer *p, const struct place *at)
{
	bool plain = place_is_plain(at);
	if (plain && !*at->file && !at->line && !at->column && !*at->function)
		return;
	if (!plain || *at->file || at->line || at->column) {
		add_text(p, " at=");
		add_position(p, at);
	}
	if (!plain) {
		add(p, "#", 1);
		add_decimal(p, place_number(p, at));
	}
	if (*at->function)
		add_field(p, "in", at->function);
}

/* ---- one event ---- */

static void add_wide(struct text_printer *p, const char *key, uint64_t low, uint64_t high)
{
	if (!high) {
		add_field_number(p, key, low);
		return;
	}
	add_field(p, key, "0x");
	add_hex(p, high, 1);
	add_hex(p, low, 16);
}

static void add_arg(struct text_printer *p, const struct event *ev)
{
	enum arg_form form = arg_form(ev->kind);
	uint64_t arg = ev->arg & ~(uint64_t)((event_tried(ev) ? LOCK_TRIED : 0) | (event_timed(ev) ? LOCK_TIMED : 0) | (event_writers_first(ev) ? LOCK_WRITERS_FIRST : 0)), type = arg >> 8, mode = arg & 0xff;
	if (form == ARG_VALUE && ev->has_value) {
		add_wide(p, "value", ev->arg, ev->arg_high);
	} else if (form == ARG_THREAD) {
		add_text(p, " of=");
		add_thread(p, ev->arg);
	} else if (!arg) {
		return;
	} else if (form == ARG_LOCK && type <= LOCK_USER && mode <= LOCK_FOR_READING) {
		if (type)
			add_field(p, "type", lock_words[type]);
		if (mode)
			add_field(p, "mode", "read");
	} else if (form == ARG_KIND && ev->arg < EV_COUNT && event_word((enum event_kind)ev->arg)) {
		add_field(p, "for", event_word((enum event_kind)ev->arg));
	} else if (form == ARG_OBJECT) {
		add_text(p, " lock=");
		add_object(p, ev->arg);
	} else {
		add_field_number(p, form == ARG_PLAIN ? arg_key(ev->kind) : "arg", ev->arg);
	}
}

static void add_atomic(struct text_printer *p, const struct event *ev)
{
	bool atomic = kind_is_atomic(ev->kind);
	if ((ev->kind == EV_RMW || ev->kind == EV_CAS) ? !ev->failed || ev->written : ev->written != 0)
		add_wide(p, "new", ev->written, ev->written_high);
	if (ev->op != (atomic ? default_op(ev->kind) : 0) && ev->op <= AOP_UDEC_WRAP)
		add_field(p, "op", op_words[ev->op]);
	if (ev->order != (atomic ? ORDER_SEQ_CST : 0) && ev->order <= ORDER_SEQ_CST)
		add_field(p, "order", order_words[ev->order]);
	if (ev->order2 && ev->order2 <= ORDER_SEQ_CST)
		add_field(p, "fail", order_words[ev->order2]);
}

static void add_marks(struct text_printer *p, const struct event *ev)
{
	static const char *const words[] = { "volatile", "failed", "cut", "inflight", "waits", "tried", "timed", "writersfirst" };
	const bool marks[] = { ev->is_volatile, ev->failed, ev->cut, ev->in_flight, ev->waits, event_tried(ev), event_timed(ev), event_writers_first(ev) };
	const char *before = " is=";
	for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
		if (marks[i]) {
			add_text(p, before);
			add_text(p, words[i]);
			before = ",";
		}
}

static void add_bytes(struct text_printer *p, const struct event *ev)
{
	add_text(p, " bytes=");
	for (uint32_t i = 0; i < ev->byte_count; i++)
		add_hex(p, ev->bytes[i], 2);
}

static void add_rest(struct text_printer *p, const struct event *ev)
{
	if (ev->version) {
		add_text(p, " ver=");
		add_decimal(p, ev->version);
	}
	if (ev->time) {
		add_text(p, " time=");
		add_decimal(p, ev->time);
	}
	if (ev->result) {
		add_text(p, ev->result < 0 ? " res=-" : " res=");
		add_decimal(p, ev->result < 0 ? -(uint64_t)(int64_t)ev->result : (uint64_t)ev->result);
	}
	if (ev->nest)
		add_field_number(p, "nest", ev->nest);
	if (ev->code)
		add_field_number(p, "pc", ev->code);
	add_marks(p, ev);
	if (ev->bytes)
		add_bytes(p, ev);
}

void text_print(struct text_printer *p, const struct event *ev)
{
	const char *word = event_word(ev->kind);
	enum object_form form = object_form(ev->kind);
	check(word != NULL);
	p->events++;
	if (!place_is_plain(ev->place))
		declare_place(p, ev->place);
	add_thread(p, ev->thread.i);
	add(p, " ", 1);
	add_text(p, word);
	if (form != FORM_NONE || ev->object) {
		add(p, " ", 1);
		if (form == FORM_THREAD || (ev->kind == EV_BLOCK && ev->arg == EV_JOIN))
			add_thread(p, ev->object);
		else if (form == FORM_NUMBER)
			add_number(p, ev->object);
		else
			add_object(p, ev->object);
	}
	if (ev->size != (arg_form(ev->kind) == ARG_VALUE ? SIZE_DEFAULT : 0))
		add_field_number(p, "size", ev->size);
	add_arg(p, ev);
	add_atomic(p, ev);
	if (ev->name)
		add_field(p, "name", ev->name);
	add_place(p, ev->place);
	add_rest(p, ev);
	end_line(p);
}

/* ---- the head ---- */

/* A name for thread i, which has none of its own: one that no thread has. */
static void invent_label(struct text_printer *p, uint32_t i, struct names *taken)
{
	do {
		add_text(p, p->line.count ? "-" : "thread-");
		add_decimal(p, i);
	} while (names_get(taken, p->line.at, p->line.count) != NO_NAME);
	names_put(taken, p->line.at, p->line.count);
}

/* Every thread's path is its label; of several with one path, the first has it. */
static void name_threads(struct text_printer *p)
{
	struct names taken = { 0 };
	VEC(bool) own = { 0 };
	for (uint32_t i = 0; i < trace_thread_count(p->trace); i++) {
		const char *path = trace_thread(p->trace, (struct thread_id){ i })->path;
		size_t before = taken.count;
		vec_push(&own, *path && names_put(&taken, path, strlen(path)) == before);
	}
	for (uint32_t i = 0; i < trace_thread_count(p->trace); i++) {
		if (own.at[i])
			add_escaped(p, trace_thread(p->trace, (struct thread_id){ i })->path, " =:#@+");
		else
			invent_label(p, i, &taken);
		vec_push(&p->labels, arena_text(&p->arena, p->line.at, p->line.count));
		vec_clear(&p->line);
	}
	vec_release(&own);
	names_release(&taken);
}

static void print_thread(struct text_printer *p, uint32_t i)
{
	const struct trace_thread *t = trace_thread(p->trace, (struct thread_id){ i });
	add_text(p, "thread: ");
	add_thread(p, i);
	if (t->uid != i + 1)
		add_field_number(p, "uid", t->uid);
	if (t->parent.i != NO_THREAD.i) {
		add_text(p, " parent=");
		add_thread(p, t->parent.i);
	}
	if (t->tid) {
		add_text(p, t->tid < 0 ? " tid=-" : " tid=");
		add_decimal(p, t->tid < 0 ? -(uint64_t)(int64_t)t->tid : (uint64_t)t->tid);
	}
	if (*t->name)
		add_field(p, "name", t->name);
	if (t->lost)
		add_field_number(p, "lost", t->lost);
	if (t->waits_kind && t->waits_kind < EV_COUNT && event_word(t->waits_kind)) {
		add_field(p, "waits", event_word(t->waits_kind));
		add_text(p, " for=");
		add_object(p, t->waits_for);
		if (t->waits_until)
			add_text(p, " until=deadline");
	}
	if (t->alive_at_end)
		add_text(p, " is=alive");
	end_line(p);
}

static void print_module(struct text_printer *p, const struct trace_module *m)
{
	add_text(p, "module: ");
	add_token(p, *m->path ? m->path : "?");
	add_field_number(p, "base", m->base);
	add_field_number(p, "low", m->low);
	add_field_number(p, "high", m->high);
	if (m->build_id[0])
		add_field(p, "id", m->build_id);
	if (m->instrumented)
		add_text(p, " is=instrumented");
	end_line(p);
}

static void print_facts(struct text_printer *p)
{
	const char *key, *value;
	for (uint32_t i = 0; (key = trace_fact_at(p->trace, i, &value)); i++) {
		if (head_word(key, strlen(key)) != HEAD_NONE)
			add_text(p, "fact: ");
		add_escaped(p, key, " :=#");
		add_text(p, head_word(key, strlen(key)) != HEAD_NONE ? " " : ": ");
		add_escaped(p, value, "");
		end_line(p);
	}
}

static void print_head(struct text_printer *p)
{
	const struct trace *t = p->trace;
	uint32_t flags = trace_flags(t);
	static const char *const words[] = { "last", "no-values", "no-tries" };
	const bool said[] = { flags & TRACE_LAST, flags & TRACE_NO_VALUES, !(flags & TRACE_TRIES) };
	fprintf(p->out, TEXT_FIRST_LINE "\ntwin: 2\norder: %s\n", trace_order(t) == ORDER_TOTAL ? "total" : "per-object");
	if (trace_level(t))
		fprintf(p->out, "level: %u\n", trace_level(t));
	const char *before = "flags: ";
	for (size_t i = 0; i < 3; i++)
		if (said[i]) {
			fprintf(p->out, "%s%s", before, words[i]);
			before = ",";
		}
	if (*before == ',')
		putc('\n', p->out);
	if (trace_ticks_per_second(t))
		fprintf(p->out, "ticks: %llu\n", (unsigned long long)trace_ticks_per_second(t));
	if (!trace_complete(t))
		fprintf(p->out, "complete: no\n");
}

struct text_printer *text_printer_open(struct trace *t, FILE *out)
{
	struct text_printer *p = mem_take(sizeof *p);
	p->trace = t;
	p->out = out;
	name_threads(p);
	print_head(p);
	print_facts(p);
	for (uint32_t i = 0; i < trace_module_count(t); i++)
		print_module(p, trace_module(t, i));
	for (uint32_t i = 0; i < p->labels.count; i++)
		print_thread(p, i);
	return p;
}

void text_printer_close(struct text_printer *p, bool whole)
{
	if (!p)
		return;
	if (whole)
		fprintf(p->out, "end: %llu\n", (unsigned long long)p->events);
	vec_release(&p->line);
	vec_release(&p->labels);
	arena_release(&p->arena);
	map_release(&p->places);
	names_release(&p->declared);
	mem_free(p);
}
