/* certify/machine.c -- see machine.h.
 * What nobody else can notice happens at once (is_quiet); a place without points of its own belongs to what its thread did before it. */
#include "certify/machine.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "certify/buffer.h"

/* How a thread waits, at a condition or barrier: for somebody; no longer; no longer, and is the serial one; its time is up. */
enum { AWAKE, ASLEEP, CALLED, CALLED_SERIAL, LATE };
enum { ONCE_NEVER, ONCE_RUNS, ONCE_DONE };
#define MOST_ROUND 100000u

static const struct spot *spot_at(const struct machine *m, const words *s, uint32_t thread) { return &m->c->spots.at[s->at[m->threads + thread]]; }
static uint32_t *where(const struct machine *m, words *s, uint32_t thread) { return &s->at[m->threads + thread]; }
static uint32_t mode_of(const struct machine *m, const words *s, uint32_t thread) { return s->at[m->modes + thread]; }
static const uint32_t *lock_of(const struct machine *m, const words *s, const struct spot *x) { return &s->at[m->locks + 2 * x->word]; }

__attribute__((format(printf, 2, 3)))
static void trouble(struct machine *m, const char *format, ...)
{
	va_list list;
	if (*m->trouble)
		return;
	va_start(list, format);
	vsnprintf(m->trouble, sizeof m->trouble, format, list);
	va_end(list);
}

void machine_init(struct machine *m, const struct certificate *c)
{
	uint32_t threads = (uint32_t)c->threads.count;
	*m = (struct machine){ .c = c, .modes = threads, .locks = 2 * threads };
	m->cells = m->locks + 2 * (uint32_t)c->words.count;
	m->blocks = m->cells + (uint32_t)c->first.count;
	m->buffers = m->blocks + (uint32_t)c->blocks.count;
	m->fixed = m->buffers + (c->model ? threads : 0);
}

/* ---------------------------------------------------------------- what a thread would be told */

static bool has_begun(const struct machine *m, const words *s, uint32_t thread) { return s->at[m->threads + thread] != NOWHERE; }

bool machine_waits(const struct machine *m, const words *s, uint32_t thread)
{
	return has_begun(m, s, thread) && !spot_is_over(m->c, s->at[m->threads + thread]);
}

bool machine_is_over(const struct machine *m, const words *s)
{
	for (uint32_t i = 0; i < m->c->threads.count; i++) {
		uint32_t up = has_begun(m, s, i) ? spot_at(m, s, i)->parent : NOWHERE;
		if (up != NOWHERE && m->c->spots.at[up].act == ACT_EXIT)
			return true;
	}
	return false;
}

static bool is_asleep_at(const struct machine *m, const words *s, uint32_t thread, uint64_t object)
{
	return has_begun(m, s, thread) && mode_of(m, s, thread) == ASLEEP && m->c->spots.at[spot_at(m, s, thread)->parent].object == object;
}

static bool some_sleep_at(const struct machine *m, const words *s, uint64_t object)
{
	for (uint32_t i = 0; i < m->c->threads.count; i++)
		if (is_asleep_at(m, s, i, object))
			return true;
	return false;
}

static bool lock_is_free(const struct spot *x, const uint32_t *lock)
{
	if (x->reading)
		return !lock[0];
	return (!lock[0] && !lock[1]) || (x->recursive && lock[0] == x->thread + 1u);
}

/* The table of docs/memory-models.md, "Calls of libc": what executes no locked instruction leaves stores where they are. */
static bool wants_empty_buffer(const struct machine *m, const words *s, const struct spot *x)
{
	const uint32_t *lock = x->word == NOWHERE ? NULL : lock_of(m, s, x);
	switch (x->act) {
	case ACT_READ: case ACT_CHOOSE: case ACT_ALLOC: case ACT_FREE: case ACT_UNKNOWN: case ACT_BACK: case ACT_REFUSED: return false;
	case ACT_WRITE: return !x->waits;
	case ACT_FENCE: return !x->release;
	case ACT_LOCK:                          /* counted up; a read-write lock that is looked at and not free */
		return !(x->recursive && lock[0] == x->thread + 1u) && !(x->tried && x->waits && !lock_is_free(x, lock));
	case ACT_UNLOCK: return !x->waits && !(x->recursive && lock[0] == x->thread + 1u && lock[1] > 1);
	case ACT_DOWN: return lock[0] || !x->tried;
	case ACT_ONCE: return lock[0] != ONCE_DONE;
	case ACT_SIGNAL: case ACT_BROADCAST: return some_sleep_at(m, s, x->object);
	default: return true;
	}
}

/* False: what memory held at first is not known. */
static bool look(const struct machine *m, const words *s, const struct spot *x, uint64_t *value)
{
	*value = 0;
	for (uint32_t i = 0; i < x->size; i++) {
		uint32_t byte = buffer_byte(m, s, x->thread, x->cell + i);
		if (byte == 256)
			byte = s->at[m->cells + x->cell + i];
		if (byte == 256)
			return false;
		*value |= (uint64_t)byte << 8 * i;
	}
	return true;
}

/* What the thread that was joined returned. */
static bool result_of(struct machine *m, const words *s, const struct spot *x, uint64_t *told)
{
	uint32_t end = s->at[m->threads + x->other];
	if (end == NOWHERE || !spot_is_over(m->c, end) || !m->c->spots.at[end].plain) {
		trouble(m, "%s is told what %s returned, and the certificate does not say what that is", m->c->threads.at[x->thread], m->c->threads.at[x->other]);
		return false;
	}
	*told = m->c->spots.at[end].value;
	return true;
}

/* Does it go through now, and what is the thread told?  It may have to wait. */
static bool goes_through(struct machine *m, const words *s, uint32_t thread, uint64_t *told)
{
	const struct spot *x = spot_at(m, s, thread);
	const uint32_t *lock = x->word == NOWHERE ? NULL : lock_of(m, s, x);
	uint32_t mode = mode_of(m, s, thread);
	*told = 0;
	switch (x->act) {
	case ACT_READ: case ACT_UPDATE:
		if (x->cell == NOWHERE)
			*told = x->child == NOWHERE ? 0 : m->c->spots.at[x->child].told;
		else if (!look(m, s, x, told))
			trouble(m, "%s reads what memory held at first at %llx, and the certificate does not say what that is", m->c->threads.at[thread], (unsigned long long)x->object);
		return true;
	case ACT_LOCK:
		*told = lock_is_free(x, lock) ? 0 : EBUSY;
		return !*told || x->tried;
	case ACT_DOWN:
		*told = lock[0] ? 0 : EAGAIN;
		return !*told || x->tried;
	case ACT_ONCE:
		*told = lock[0] == ONCE_NEVER;
		return lock[0] != ONCE_RUNS;
	case ACT_WAKE:
		*told = mode == LATE ? ETIMEDOUT : 0;
		return (mode == CALLED || mode == LATE) && !lock[0] && !lock[1];
	case ACT_LEAVE:
		*told = mode == CALLED_SERIAL;
		return mode == CALLED || mode == CALLED_SERIAL;
	case ACT_RESULT: return result_of(m, s, x, told);
	case ACT_JOIN: return has_begun(m, s, x->other) && spot_is_over(m->c, s->at[m->threads + x->other]);
	default: return true;
	}
}

/* It has to wait, and gives up. */
static bool may_give_up(struct machine *m, const words *s, uint32_t thread)
{
	const struct spot *x = spot_at(m, s, thread);
	uint64_t told;
	if (!x->timed)
		return false;
	return x->act == ACT_WAKE ? mode_of(m, s, thread) == ASLEEP : (x->act == ACT_LOCK || x->act == ACT_DOWN) && !goes_through(m, s, thread, &told);
}

/* ---------------------------------------------------------------- what happens */

static void write_cells(const struct machine *m, words *s, const struct spot *x, uint64_t value)
{
	for (uint32_t i = 0; x->cell != NOWHERE && i < x->size; i++)
		s->at[m->cells + x->cell + i] = (uint32_t)(value >> 8 * i & 0xff);
}

static void unlock(struct machine *m, const struct spot *x, uint32_t *lock)
{
	bool has = x->reading ? !lock[0] && lock[1] : lock[0] == x->thread + 1u && lock[1];
	if (!has) {
		trouble(m, "%s gives up a lock it does not have", m->c->threads.at[x->thread]);
		return;
	}
	if (!--lock[1])
		lock[0] = 0;
}

static void arrive(struct machine *m, words *s, const struct spot *x, uint32_t *barrier, uint32_t serial)
{
	if (!barrier[1])
		trouble(m, "%s waits at a barrier that was not made", m->c->threads.at[x->thread]);
	if (barrier[0] + 1 < barrier[1]) {
		barrier[0]++;
		s->at[m->modes + x->thread] = ASLEEP;
		return;
	}
	barrier[0] = 0;
	for (uint32_t i = 0; i < m->c->threads.count; i++)
		if (is_asleep_at(m, s, i, x->object))
			s->at[m->modes + i] = i == serial ? CALLED_SERIAL : CALLED;
	s->at[m->modes + x->thread] = serial == x->thread ? CALLED_SERIAL : CALLED;
}

static void sleep_at(struct machine *m, words *s, const struct spot *x, uint32_t *lock)
{
	if (lock[0] != x->thread + 1u || lock[1] != 1)
		trouble(m, "%s waits for a condition with a lock it does not have once", m->c->threads.at[x->thread]);
	lock[0] = lock[1] = 0;
	s->at[m->modes + x->thread] = ASLEEP;
}

static void begin_thread(struct machine *m, words *s, const struct spot *x)
{
	if (has_begun(m, s, x->other))
		trouble(m, "%s is created twice", m->c->threads.at[x->other]);
	*where(m, s, x->other) = m->c->roots[x->other];
}

/* What it leaves behind, told that. */
static void leave_behind(struct machine *m, words *s, const struct spot *x, uint32_t spot, uint32_t child, uint64_t told, uint32_t which)
{
	uint32_t none[2] = { 0 }, *lock = x->word == NOWHERE ? none : &s->at[m->locks + 2 * x->word];
	switch (x->act) {
	case ACT_WRITE:
		if (m->c->model && x->waits && x->cell != NOWHERE)
			buffer_push(m, s, x->thread, spot);
		else
			write_cells(m, s, x, x->value);
		break;
	case ACT_UPDATE: write_cells(m, s, x, m->c->spots.at[child].written); break;
	case ACT_FENCE: if (x->release && m->c->model) buffer_push(m, s, x->thread, BUFFER_FENCE); break;
	case ACT_LOCK:
		if (!told) {
			lock[0] = x->reading ? 0 : x->thread + 1u;
			lock[1]++;
		}
		break;
	case ACT_UNLOCK:
		if (m->c->model && x->waits)
			buffer_push(m, s, x->thread, spot);
		else
			unlock(m, x, lock);
		break;
	case ACT_WAIT: sleep_at(m, s, x, lock); break;
	case ACT_WAKE:
		lock[0] = x->thread + 1u;
		lock[1] = 1;
		s->at[m->modes + x->thread] = AWAKE;
		break;
	case ACT_SIGNAL: if (which != NOWHERE) s->at[m->modes + which] = CALLED; break;
	case ACT_BROADCAST:
		for (uint32_t i = 0; i < m->c->threads.count; i++)
			if (is_asleep_at(m, s, i, x->object))
				s->at[m->modes + i] = CALLED;
		break;
	case ACT_DOWN: lock[0] -= !told; break;
	case ACT_UP: lock[0]++; break;
	case ACT_ARRIVE: arrive(m, s, x, lock, which == NOWHERE ? x->thread : which); break;
	case ACT_LEAVE: s->at[m->modes + x->thread] = AWAKE; break;
	case ACT_ONCE: lock[0] = told ? ONCE_RUNS : ONCE_DONE; break;
	case ACT_ONCE_DONE: lock[0] = ONCE_DONE; break;
	case ACT_INIT:                          /* how many a barrier takes stands higher */
		lock[0] = x->is_barrier ? 0 : (uint32_t)x->value;
		lock[1] = x->is_barrier ? (uint32_t)x->value >> 16 : 0;
		break;
	case ACT_ALLOC: case ACT_FREE: if (x->block != NOWHERE) s->at[m->blocks + x->block] = x->act == ACT_FREE; break;
	case ACT_CREATE: begin_thread(m, s, x); break;
	default: break;
	}
}

/* One deed of a thread that can do it. */
static void do_one(struct machine *m, words *s, uint32_t thread, uint32_t which)
{
	uint32_t spot = s->at[m->threads + thread];
	const struct spot *x = &m->c->spots.at[spot];
	uint64_t told;
	goes_through(m, s, thread, &told);
	if (x->act == ACT_CHOOSE)
		told = which;
	uint32_t child = spot_child(m->c, spot, told);
	if (child == NOWHERE) {
		trouble(m, "%s can be told %llx at node %u (%s), and the certificate does not say what it does then", m->c->threads.at[thread],
			(unsigned long long)told, spot, act_words[x->act]);
		return;
	}
	if (x->block != NOWHERE && x->act != ACT_ALLOC && s->at[m->blocks + x->block])
		m->failed = true;
	leave_behind(m, s, x, spot, child, told, which);
	*where(m, s, thread) = child;
}

/* ---------------------------------------------------------------- what happens by itself */

static bool is_part(const struct spot *x) { return x->act != ACT_UNKNOWN && x->act != ACT_BACK && !x->points; }

static bool can_do(struct machine *m, const words *s, uint32_t thread)
{
	uint64_t told;
	const struct spot *x = spot_at(m, s, thread);
	if (x->act == ACT_UNKNOWN || (buffer_count(m, s, thread) && wants_empty_buffer(m, s, x)))
		return false;
	return mode_of(m, s, thread) != ASLEEP && goes_through(m, s, thread, &told);
}

/* Quiet, and so is what happens together with it. */
static bool is_all_quiet(const struct machine *m, const struct spot *x)
{
	for (; x->is_quiet; x = &m->c->spots.at[x->child])
		if (x->child == NOWHERE || !is_part(&m->c->spots.at[x->child]))
			return true;
	return false;
}

static bool goes_by_itself(struct machine *m, const words *s, uint32_t thread)
{
	const struct spot *x = spot_at(m, s, thread);
	return (x->act == ACT_LEAVE || is_all_quiet(m, x)) && x->child != NOWHERE && can_do(m, s, thread);
}

/* Ways back cost nothing, and what belongs to the last deed comes with it. */
static void finish(struct machine *m, words *s, uint32_t thread)
{
	for (;;) {
		const struct spot *x = spot_at(m, s, thread);
		if (x->act == ACT_BACK && m->came_back)
			m->came_back[s->at[m->threads + thread]] = true;
		if (x->act == ACT_BACK)
			*where(m, s, thread) = x->other;
		else if (x->parent == NOWHERE || !is_part(x) || *m->trouble || !can_do(m, s, thread))
			return;
		else
			do_one(m, s, thread, NOWHERE);
	}
}

static void settle(struct machine *m, words *s)
{
	for (bool some = true; some && !*m->trouble;) {
		some = false;
		for (uint32_t i = 0; i < m->c->threads.count; i++)
			while (has_begun(m, s, i) && !spot_is_over(m->c, s->at[m->threads + i]) && goes_by_itself(m, s, i) && !*m->trouble) {
				do_one(m, s, i, NOWHERE);
				finish(m, s, i);
				some = true;
			}
	}
}

void machine_begin(struct machine *m, words *s)
{
	vec_clear(s);
	for (uint32_t i = 0; i < m->fixed; i++)
		vec_push(s, 0);
	for (uint32_t i = 0; i < m->c->threads.count; i++)
		*where(m, s, i) = i ? NOWHERE : m->c->roots[0];
	for (uint32_t i = 0; i < m->c->first.count; i++)
		s->at[m->cells + i] = m->c->first.at[i];
	settle(m, s);
}

void machine_take(struct machine *m, words *s, struct happening h)
{
	if (h.how == HAPPENS_STORE) {
		const struct spot *x = &m->c->spots.at[buffer_pull(m, s, h.thread, h.which)];
		if (x->act == ACT_UNLOCK)
			unlock(m, x, &s->at[m->locks + 2 * x->word]);
		else
			write_cells(m, s, x, x->value);
	} else if (h.how == HAPPENS_TIMEOUT && spot_at(m, s, h.thread)->act == ACT_WAKE) {
		s->at[m->modes + h.thread] = LATE;
	} else if (h.how == HAPPENS_TIMEOUT) {
		*where(m, s, h.thread) = spot_child(m->c, s->at[m->threads + h.thread], ETIMEDOUT);
		finish(m, s, h.thread);
	} else {
		do_one(m, s, h.thread, h.which);
		finish(m, s, h.thread);
	}
	settle(m, s);
}

/* ---------------------------------------------------------------- what can happen */

static void add(happenings *out, enum happens how, uint32_t thread, uint32_t which) { vec_push(out, ((struct happening){ (uint8_t)how, thread, which })); }

/* Is there a place for what the thread is told? */
static void expect(struct machine *m, const words *s, uint32_t thread, uint64_t told)
{
	uint32_t spot = s->at[m->threads + thread];
	if (spot_child(m->c, spot, told) == NOWHERE)
		trouble(m, "%s can be told %llx at node %u (%s), and the certificate does not say what it does then", m->c->threads.at[thread],
			(unsigned long long)told, spot, act_words[m->c->spots.at[spot].act]);
}

static void ask_deed(struct machine *m, const words *s, uint32_t thread, happenings *out)
{
	const struct spot *x = spot_at(m, s, thread);
	uint64_t told;
	bool is_last = x->act == ACT_ARRIVE && lock_of(m, s, x)[0] + 1 >= lock_of(m, s, x)[1];
	size_t before = out->count;
	if (x->act == ACT_CHOOSE) {
		for (uint32_t i = 0; i < x->value; i++) {
			expect(m, s, thread, i);
			add(out, HAPPENS_DEED, thread, i);
		}
		return;
	}
	goes_through(m, s, thread, &told);
	expect(m, s, thread, told);
	for (uint32_t i = 0; (x->act == ACT_SIGNAL || is_last) && i < m->c->threads.count; i++)
		if (is_asleep_at(m, s, i, x->object))
			add(out, HAPPENS_DEED, thread, i);
	if (out->count == before || is_last)
		add(out, HAPPENS_DEED, thread, NOWHERE);
}

void machine_ask(struct machine *m, const words *s, happenings *out)
{
	vec_clear(out);
	if (machine_is_over(m, s))
		return;
	for (uint32_t i = 0; i < m->c->threads.count && !*m->trouble; i++) {
		if (!machine_waits(m, s, i))
			continue;
		const struct spot *x = spot_at(m, s, i);
		for (uint32_t k = 0; k < buffer_count(m, s, i); k++)
			if (buffer_may_leave(m, s, i, k))
				add(out, HAPPENS_STORE, i, k);
		bool must_wait = buffer_count(m, s, i) && wants_empty_buffer(m, s, x);
		if (x->act == ACT_UNKNOWN && mode_of(m, s, i) == ASLEEP)
			continue;               /* at a barrier nobody completes */
		if (x->act == ACT_UNKNOWN) {
			trouble(m, "what %s does at node %u is not in the certificate", m->c->threads.at[i], s->at[m->threads + i]);
		} else if (can_do(m, s, i)) {
			ask_deed(m, s, i, out);
		} else if (!must_wait && may_give_up(m, s, i)) {
			if (x->act == ACT_WAKE || spot_child(m->c, s->at[m->threads + i], ETIMEDOUT) != NOWHERE)
				add(out, HAPPENS_TIMEOUT, i, NOWHERE);
			else
				expect(m, s, i, ETIMEDOUT);
		}
	}
}

/* ---------------------------------------------------------------- what is wrong with a state */

/* The i-th access of a thread: those of its next step, then its stores that wait; NOWHERE: no more. */
static uint32_t access_of(const struct machine *m, const words *s, uint32_t thread, uint32_t i)
{
	uint32_t spot = s->at[m->threads + thread];
	for (; spot != NOWHERE && act_is_access(m->c->spots.at[spot].act); spot = m->c->spots.at[spot].child) {
		const struct spot *x = &m->c->spots.at[spot];
		if (x->cell != NOWHERE && i-- == 0)
			return spot;
		if (x->child == NOWHERE || !is_part(&m->c->spots.at[x->child]))
			break;
	}
	return i < buffer_count(m, s, thread) ? buffer_spot(m, s, thread, i) : NOWHERE;
}

/* Of a compare-exchange what it finds there decides. */
static bool would_write(const struct machine *m, const words *s, uint32_t spot)
{
	const struct spot *x = &m->c->spots.at[spot];
	uint64_t told;
	if (x->act != ACT_UPDATE)
		return x->act == ACT_WRITE;
	uint32_t child = look(m, s, x, &told) ? spot_child(m->c, spot, told) : NOWHERE;
	return child == NOWHERE || !m->c->spots.at[child].failed;
}

static bool is_race(const struct machine *m, const words *s, uint32_t one, uint32_t other)
{
	const struct spot *a = &m->c->spots.at[one], *b = &m->c->spots.at[other];
	bool overlap = a->size && b->size && a->cell < b->cell + b->size && b->cell < a->cell + a->size;
	return overlap && (a->plain || b->plain) && (would_write(m, s, one) || would_write(m, s, other));
}

bool machine_races(const struct machine *m, const words *s, uint32_t *one, uint32_t *other)
{
	for (uint32_t i = 0; i < m->c->threads.count; i++)
		for (uint32_t k = i + 1; machine_waits(m, s, i) && k < m->c->threads.count; k++)
			for (uint32_t a = 0; machine_waits(m, s, k) && (*one = access_of(m, s, i, a)) != NOWHERE; a++)
				for (uint32_t b = 0; *one != BUFFER_FENCE && (*other = access_of(m, s, k, b)) != NOWHERE; b++)
					if (*other != BUFFER_FENCE && is_race(m, s, *one, *other))
						return true;
	return false;
}

/* Alone, does it come back to where it is? */
static bool goes_round(struct machine *m, const words *s, uint32_t thread)
{
	words alone = { 0 };
	bool same = false;
	for (size_t i = 0; i < s->count; i++)
		vec_push(&alone, s->at[i]);
	for (uint32_t i = 0; i < MOST_ROUND && !*m->trouble; i++) {
		bool is_back = i && alone.at[m->threads + thread] == s->at[m->threads + thread], waits = buffer_count(m, &alone, thread);
		if (waits && (is_back || wants_empty_buffer(m, &alone, spot_at(m, &alone, thread))))
			machine_take(m, &alone, (struct happening){ HAPPENS_STORE, thread, 0 });         /* of a lock it had */
		else if (can_do(m, &alone, thread) && spot_at(m, &alone, thread)->act != ACT_CHOOSE)
			machine_take(m, &alone, (struct happening){ HAPPENS_DEED, thread, NOWHERE });
		else
			break;
		if (alone.at[m->threads + thread] != s->at[m->threads + thread] || buffer_count(m, &alone, thread))
			continue;
		same = alone.count == s->count && !memcmp(alone.at, s->at, s->count * sizeof *s->at);
		break;
	}
	vec_release(&alone);
	return same;
}

bool machine_spins(struct machine *m, const words *s)
{
	bool some = false;
	for (uint32_t i = 0; i < m->c->threads.count; i++) {
		if (!machine_waits(m, s, i))
			continue;
		bool can = can_do(m, s, i);
		if (buffer_count(m, s, i) || (can && !spot_at(m, s, i)->is_head) || (!can && may_give_up(m, s, i)))
			return false;
		some |= can;
	}
	for (uint32_t i = 0; some && i < m->c->threads.count; i++)
		if (machine_waits(m, s, i) && can_do(m, s, i) && !goes_round(m, s, i))
			return false;
	return some;
}
