/* rt/input.c -- the log of what came from outside, in both directions.
 *
 * Kept: one write(2) for each record, so that nothing is lost however the program ends; what is too big for the buffer goes
 * in several, and a log that could not be written is cut there and said so (steer->input_lost).
 * Served: the log is mapped privately and read once from end to end.  After that
 *   (1) every record lies inside the map, and every piece inside its record;
 *   (2) the records of one strand are chained by `next`, in order; heads[] has the first not served yet. */
#include "rt/input.h"

#include <sys/mman.h>

#include "rt/script.h"
#include "rt/signal.h"
#include "rt/words.h"

#define BUFFER   (64u << 10)
#define NOBODY   STEER_STRANDS                /* the chain of INPUT_CLOCK and INPUT_SIGNAL */
#define NOT_SEEN UINT32_MAX

static char buffer[BUFFER];
static uint64_t used;
static bool announced[STEER_STRANDS];         /* kept: this strand's path stands in the log */

static char *map;
static uint64_t map_bytes;
static uint64_t heads[STEER_STRANDS + 1], tails[STEER_STRANDS + 1];     /* by the log's numbers; offset + 1, 0 none */
static uint32_t strand_in_log[STEER_STRANDS]; /* ours -> the log's number + 1; 0 not looked for, NOT_SEEN: not there */
static uint64_t paths[STEER_STRANDS];         /* offset + 1 of the record that names it */

bool input_serving(void)
{
	return steer && steer->input == INPUT_SERVE;
}

bool input_keeping(void)
{
	return steer && steer->input == INPUT_KEEP && !steer->input_lost;
}

/* ---- kept ---- */

static void put(const void *bytes, uint64_t count)
{
	for (uint64_t done = 0; done < count && !steer->input_lost;) {
		long n = sys3(SYS_write, steer->input_fd, (long)bytes + (long)done, (long)(count - done));
		if (n == -EINTR)
			continue;
		if (n <= 0)
			steer->input_lost = 1;
		else
			done += (uint64_t)n;
	}
}

static void flush(void)
{
	put(buffer, used);
	used = 0;
}

static void add(const void *bytes, uint64_t count)
{
	if (count > BUFFER - used)
		flush();
	if (count > BUFFER) {
		put(bytes, count);
		return;
	}
	copy_bytes(buffer + used, bytes, count);
	used += count;
}

static uint64_t padded(uint64_t bytes)
{
	return (bytes + 7) & ~7ull;
}

static void add_scattered(const struct iovec *v, uint32_t count, uint64_t bytes)
{
	for (uint32_t i = 0; i < count && bytes; i++) {
		uint64_t here = v[i].iov_len < bytes ? v[i].iov_len : bytes;
		add(v[i].iov_base, here);
		bytes -= here;
	}
}

static void add_record(struct input_record *r, const struct piece *pieces, unsigned count)
{
	static const uint64_t zero;
	r->bytes = sizeof *r;
	for (unsigned i = 0; i < count; i++)
		if (pieces[i].bytes) {
			r->bytes += sizeof(struct input_piece) + padded(pieces[i].bytes);
			r->pieces++;
		}
	add(r, sizeof *r);
	for (unsigned i = 0; i < count; i++) {
		struct input_piece head = { .index = i, .bytes = pieces[i].bytes };
		if (!head.bytes)
			continue;
		add(&head, sizeof head);
		if (pieces[i].scattered)
			add_scattered(pieces[i].at, pieces[i].scattered, head.bytes);
		else
			add(pieces[i].at, head.bytes);
		add(&zero, padded(head.bytes) - head.bytes);
	}
	flush();
}

static void announce(const struct strand *s)
{
	struct input_record r = { .what = INPUT_STRAND, .strand = s->number };
	struct piece path = { .at = s->seen->path };
	while (path.bytes < PATH_BYTES && s->seen->path[path.bytes])
		path.bytes++;
	announced[s->number] = true;
	add_record(&r, &path, 1);
}

void input_note(enum input_what what, const struct world_call *c, long result, const struct piece *pieces, unsigned count,
	uint32_t flags, uint64_t check)
{
	const struct strand *s = own_strand;
	if (!input_keeping() || !s)
		return;
	if (!announced[s->number])
		announce(s);
	struct input_record r = { .what = (uint16_t)what, .flags = flags, .strand = s->number, .number = c ? (int32_t)c->number : -1,
		.nth = s->seen->done, .result = result, .check = check };
	add_record(&r, pieces, count);
}

void input_note_clock(void)
{
	struct input_record r = { .what = INPUT_CLOCK, .strand = NOBODY, .nth = steer->steps, .result = (int64_t)steer->clock };
	if (input_keeping())
		add_record(&r, NULL, 0);
}

void input_note_signal(int number, const siginfo_t *info)
{
	struct input_record r = { .what = INPUT_SIGNAL, .strand = NOBODY, .number = number, .nth = steer->steps };
	struct piece about = { .at = (void *)(uintptr_t)info, .bytes = sizeof *info };
	if (input_keeping())
		add_record(&r, &about, 1);
}

/* ---- served ---- */

static struct input_record *at(uint64_t offset)
{
	return (struct input_record *)(map + offset);
}

static bool pieces_are_sound(const struct input_record *r)
{
	uint64_t where = sizeof *r;
	for (unsigned i = 0; i < r->pieces; i++) {
		const struct input_piece *p = (const struct input_piece *)((const char *)r + where);
		if (r->bytes - where < sizeof *p || p->bytes > r->bytes - where - sizeof *p ||
			padded(p->bytes) > r->bytes - where - sizeof *p)
			return false;
		where += sizeof *p + padded(p->bytes);
	}
	return where == r->bytes;
}

static bool record_is_sound(const struct input_record *r, uint64_t left)
{
	return left >= sizeof *r && r->bytes >= sizeof *r && r->bytes <= left && r->bytes % 8 == 0 && r->pieces <= INPUT_PIECES &&
		r->what >= INPUT_STRAND && r->what <= INPUT_SIGNAL &&
		(r->what == INPUT_CLOCK || r->what == INPUT_SIGNAL ? r->strand == NOBODY : r->strand < STEER_STRANDS) && pieces_are_sound(r);
}

static void chain(uint64_t offset)
{
	struct input_record *r = at(offset);
	r->next = 0;
	if (r->what == INPUT_STRAND) {
		paths[r->strand] = offset + 1;
		return;
	}
	if (tails[r->strand])
		at(tails[r->strand] - 1)->next = offset + 1;
	else
		heads[r->strand] = offset + 1;
	tails[r->strand] = offset + 1;
}

static void serve_from(int fd)
{
	long bytes = sys3(SYS_lseek, fd, 0, 2);
	map_bytes = bytes > 0 ? (uint64_t)bytes : 0;
	long where = map_bytes ? sys6(SYS_mmap, 0, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0) : 0;
	if ((unsigned long)where >= -4095ul)
		rt_fatal("cannot map the input raddle kept; is there a limit on address space?");
	map = (char *)where;
	for (uint64_t offset = 0; offset < map_bytes; offset += at(offset)->bytes) {
		if (!record_is_sound(at(offset), map_bytes - offset))
			rt_fatal("the input raddle kept is damaged");
		chain(offset);
	}
}

void input_join(void)
{
	if (input_serving())
		serve_from(steer->input_fd);
}

void input_forked(void)
{
	used = 0;
}

const void *input_piece(const struct input_record *r, uint64_t index, uint64_t *bytes)
{
	const char *where = (const char *)(r + 1);
	for (unsigned i = 0; i < r->pieces; i++) {
		const struct input_piece *p = (const struct input_piece *)where;
		if (p->index == index) {
			*bytes = p->bytes;
			return p + 1;
		}
		where += sizeof *p + padded(p->bytes);
	}
	*bytes = 0;
	return NULL;
}

/* Which of the log's threads is this strand?  Paths are short and asked for once. */
static uint32_t find_in_log(const struct strand *s)
{
	for (uint32_t i = 0; i < STEER_STRANDS; i++) {
		uint64_t bytes;
		const char *path = paths[i] ? input_piece(at(paths[i] - 1), 0, &bytes) : NULL;
		uint64_t same = 0;
		while (path && same < bytes && same < PATH_BYTES && s->seen->path[same] == path[same])
			same++;
		if (path && same == bytes && same < PATH_BYTES && !s->seen->path[same])
			return i + 1;
	}
	return NOT_SEEN;
}

static uint64_t *head_of(const struct strand *s)
{
	static uint64_t none;
	uint32_t *in_log = &strand_in_log[s->number];
	if (!*in_log)
		*in_log = find_in_log(s);
	none = 0;
	return *in_log == NOT_SEEN ? &none : &heads[*in_log - 1];
}

bool input_has_more(const struct strand *s)
{
	return *head_of(s) != 0;
}

bool input_was_interrupted(const struct strand *s)
{
	uint64_t head = *head_of(s);
	return head && at(head - 1)->what == INPUT_CALL && at(head - 1)->result == -EINTR;
}

_Noreturn void input_leave(const char *what, const struct world_call *c, long expected)
{
	char text[STEER_TEXT];
	unsigned n = words_add(text, 0, sizeof text, what);
	n = words_add(text, n, sizeof text, ": ");
	n = words_add(text, n, sizeof text, own_strand->seen->path);
	n = words_add(text, n, sizeof text, ", event ");
	n = words_add_number(text, n, sizeof text, own_strand->seen->done);
	if (c) {
		n = words_add(text, n, sizeof text, ", system call ");
		n = words_add_number(text, n, sizeof text, (uint64_t)c->number);
	}
	if (expected >= 0 && (!c || expected != c->number)) {
		n = words_add(text, n, sizeof text, " instead of ");
		n = words_add_number(text, n, sizeof text, (uint64_t)expected);
	}
	steer_give_up(OUTCOME_LEFT, text);
}

const struct input_record *input_next(enum input_what what, const struct world_call *c)
{
	uint64_t *head = head_of(own_strand);
	if (!*head && script_was_killed())
		signals_end();
	if (!*head)
		input_leave("something came from outside that the recorded run did not ask for", c, -1);
	struct input_record *r = at(*head - 1);
	if (r->what != what || (c && r->number != (int32_t)c->number))
		input_leave("the outside was asked for something else than in the recorded run", c, r->number);
	*head = r->next;
	return r;
}

static void scatter(const struct iovec *v, uint32_t count, const char *bytes, uint64_t left)
{
	for (uint32_t i = 0; i < count && left; i++) {
		uint64_t here = v[i].iov_len < left ? v[i].iov_len : left;
		copy_bytes(v[i].iov_base, bytes, here);
		bytes += here;
		left -= here;
	}
}

void input_fill(const struct input_record *r, const struct piece *pieces, unsigned count)
{
	for (unsigned i = 0; i < count; i++) {
		uint64_t bytes;
		const void *from = input_piece(r, i, &bytes);
		if (!from)
			continue;
		if (bytes > pieces[i].most)
			input_leave("less room for what came from outside than in the recorded run", NULL, -1);
		if (pieces[i].scattered)
			scatter(pieces[i].at, pieces[i].scattered, from, bytes);
		else
			copy_bytes(pieces[i].at, from, bytes);
	}
}

static void serve_signal(const struct input_record *r)
{
	uint64_t bytes;
	const siginfo_t *info = input_piece(r, 0, &bytes);
	if (info && bytes == sizeof *info && r->number > 0 && r->number < 65)
		signals_hold(NULL, r->number, info);
}

void input_clock_due(void)
{
	while (input_serving() && heads[NOBODY] && at(heads[NOBODY] - 1)->nth <= steer->steps) {
		const struct input_record *r = at(heads[NOBODY] - 1);
		if (r->what == INPUT_SIGNAL)
			serve_signal(r);
		else if ((uint64_t)r->result > steer->clock)
			steer->clock = (uint64_t)r->result;
		heads[NOBODY] = r->next;
	}
}
