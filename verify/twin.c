/* verify/twin.c -- see twin.h.  Events are read one by one, and by the rules of docs/order.md each learns what it must come after:
 * clocks.  Under TSO and PSO a thread has a second line, of the moments at which releases reach memory. */
#include "verify/twin.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "verify/steps.h"

struct said { uint64_t object, number; uint32_t what, node, next; };    /* who released, entered, ran, signalled */
enum { GONE, BARRIER, HANDED, ONCE, MESSAGE, LOOSE, TRIED, SIGNALLED, USED, FRESH, FIRST };     /* FIRST: node is a value */

/* Lists.  open: sections; said: chains by what, object and number, 0 ends one; clocks[row * threads + t]: how many of t come before. */
#define LISTS(L) L(uint32_t, open) L(struct said, said) L(uint32_t, clocks)
LISTS(LIST_DECLARE)
#define KEPT(L) L(struct node, nodes) L(struct thread, threads) L(struct section, sections) L(struct access, accesses)
#define DECLARE(T, name) T *name; uint32_t name##_count; static uint32_t name##_room;
KEPT(DECLARE)
uint64_t twin_events, twin_hash;
uint32_t half;
enum model model;
static uint32_t heads[65536], self;     /* self: the thread of the event at hand */
static uint64_t object;

static uint32_t thread_of(const char *path)
{
	for (uint32_t i = 0; i < threads_count; i++)
		if (!strcmp(threads[i].path, path))
			return i;
	LIST_ADD(threads) = (struct thread){ .path = strdup(path), .wait = NOTHING, .fence = NOTHING };
	return threads_count - 1;
}

/* ---- what must come before what ---- */

bool twin_before(uint32_t x, uint32_t y)
{
	const struct node *a = &nodes[x], *b = &nodes[y];
	return a->thread == b->thread ? a->at < b->at : clocks[(size_t)b->clock * threads_count + a->thread] > a->at;
}

static void learn(uint32_t thread, uint32_t node)
{
	struct node n = nodes[node];
	size_t own = (size_t)threads[thread].clock * threads_count, from = (size_t)n.clock * threads_count;
	if (n.thread == thread || clocks[own + n.thread] > n.at)
		return;
	threads[thread].clock = clocks_count / threads_count;
	for (uint32_t i = 0; i < threads_count; i++) {
		uint32_t known = clocks[own + i] > clocks[from + i] ? clocks[own + i] : clocks[from + i];
		LIST_ADD(clocks) = i == n.thread ? n.at + 1 : known;
	}
}

static uint32_t node_add(uint32_t thread)
{
	struct thread *t = &threads[thread];
	LIST_ADD(nodes) = (struct node){ .thread = thread, .at = t->count, .clock = t->clock, .section = NOTHING, .wait = NOTHING,
		.flush = NOTHING, .store = NOTHING, .joined = NOTHING, .object = object };
	t->node = line_grown(t->node, t->count, &t->room, sizeof *t->node);
	return t->node[t->count++] = nodes_count - 1;
}

static uint32_t *head_of(uint32_t what, uint64_t of, uint64_t n)
{
	return &heads[(of + n * 31 + what) * 0x9e3779b97f4a7c15ull >> 48];
}

static void say(uint32_t what, uint64_t of, uint64_t n, uint32_t node)
{
	uint32_t *head = head_of(what, of, n);
	LIST_ADD(said) = (struct said){ of, n, what, node, *head };
	*head = said_count;
}

static uint32_t said_next(uint32_t from, uint32_t what, uint64_t of, uint64_t n)        /* from 0: the newest; 0: no more */
{
	uint32_t i = from ? said[from - 1].next : *head_of(what, of, n);
	while (i && (said[i - 1].what != what || said[i - 1].object != of || said[i - 1].number != n))
		i = said[i - 1].next;
	return i;
}

/* The thread (NOTHING: none) learns all of them; forget: nobody does again. */
static void hear(uint32_t what, uint64_t of, uint64_t n, uint32_t thread, bool forget)
{
	for (uint32_t i = 0; (i = said_next(i, what, of, n));) {
		if (thread != NOTHING && nodes[said[i - 1].node].thread % half != thread)
			learn(thread, said[i - 1].node);
		said[i - 1].what = forget ? GONE : what;
	}
	for (uint32_t *head = head_of(what, of, n); *head && said[*head - 1].what == GONE;)
		*head = said[*head - 1].next;
}

/* ---- stores that wait ---- */

static bool empties(void)               /* does the event find its thread's buffer empty? */
{
	if (line_among(" astore fence "))
		return !*line_field("order") || !strcmp(line_field("order"), "seq_cst") || !strcmp(line_field("size"), "16");
	return !line_among(" r w aload copy libread flush begin block alloc free realloc stack tls enter leave call branch landed "
		"result argument keyframe time module lost label ignore frames choice release acquire ");
}

static void learn_flushed(uint32_t thread, uint32_t of)         /* all that was made so far is in memory */
{
	if (model && threads[half + of].count)
		learn(thread, threads[half + of].node[threads[half + of].count - 1]);
}

static uint32_t reached(uint32_t node)          /* what others learn from a release: that it is in memory */
{
	if (!model || empties())
		return node;
	learn(half + self, node);
	uint32_t flush = node_add(half + self);
	return nodes[node].flush = flush;
}

/* ---- events ---- */

static uint32_t *open_of(uint64_t lock)         /* by the thread at hand */
{
	for (uint32_t i = 0; i < open_count; i++)
		if (sections[open[i]].lock == lock && sections[open[i]].thread == self)
			return &open[i];
	return NULL;
}

/* The section of another that keeps one from the lock: of several, that of the first thread ever to use it. */
static uint32_t in_the_way(uint64_t lock, bool shared)
{
	uint32_t found = NOTHING;
	for (uint32_t i = 0; i < open_count; i++) {
		const struct section *s = &sections[open[i]];
		if (s->lock == lock && s->thread != self && !(shared && s->shared) &&
			(found == NOTHING || s->rank < sections[found].rank))
			found = open[i];
	}
	return found;
}

static void section_begin(uint64_t lock, uint32_t node, bool shared)
{
	if (in_the_way(lock, shared) != NOTHING)
		line_bad("a lock is taken that another thread has: no rule covers this trace");
	if (!said_next(0, USED, lock, self))
		say(USED, lock, self, sections_count);
	nodes[node].section = sections_count;
	LIST_ADD(open) = sections_count;
	LIST_ADD(sections) = (struct section){ lock, self, node, NOTHING, 1, said[said_next(0, USED, lock, self) - 1].node, shared };
}

static uint32_t section_end(uint32_t *held)
{
	uint32_t section = *held;
	hear(TRIED, section, 0, self, true);
	*held = open[--open_count];
	return sections[section].give = node_add(self);
}

static void see_lock(bool shared, bool failed)
{
	uint32_t *held = open_of(object), other;
	bool done = !strstr(line_field("is"), "inflight");
	if (line_is("unlock") && done && !failed && held && !--sections[*held].depth) {
		section_end(held);
	} else if (line_is("tryfail") && (other = in_the_way(object, shared)) != NOTHING) {
		learn(self, sections[other].take);
		say(TRIED, other, 0, node_add(self));
	} else {
		uint32_t node = node_add(self);
		if (line_is("lock") && done && held)
			sections[*held].depth++;
		else if (line_is("lock") && done)
			section_begin(object, node, shared);
	}
}

static void see_condition(bool failed)
{
	uint64_t lock = *line_field("lock") ? word_object(line_field("lock")) : 0;
	uint32_t *held = lock ? open_of(lock) : NULL, wait = threads[self].wait, last = said_next(0, SIGNALLED, object, 0);
	uint32_t node = held && line_is("cwait") ? section_end(held) : node_add(self);
	if (line_is("cwait")) {
		threads[self].wait = node;
	} else if (line_is("cwake")) {
		if (wait != NOTHING && !failed && nodes[wait].object == object && last && said[last - 1].node > wait)
			nodes[node].wait = wait;
		threads[self].wait = NOTHING;
		if (lock && !held)
			section_begin(lock, node, false);
	} else {
		nodes[node].what = SIGNAL;
		say(SIGNALLED, object, 0, node);
	}
}

static void see_atomic(void)
{
	bool fence = line_is("fence"), failed = line_is("cas") && strstr(line_field("is"), "failed");
	bool reads = !line_is("astore") && !fence, writes = !line_is("aload") && !fence && !failed;
	const char *order = *line_field(failed ? "fail" : "order") ? line_field(failed ? "fail" : "order") : failed ? "relaxed" : "seq_cst";
	bool acquires = strstr("consume acquire acq_rel seq_cst", order), releases = strstr("release acq_rel seq_cst", order);
	if (acquires && (fence || reads))
		hear(fence ? LOOSE : MESSAGE, fence ? self : object, 0, self, fence);
	for (uint32_t i = 0; reads && !acquires && (i = said_next(i, MESSAGE, object, 0));)
		say(LOOSE, self, 0, said[i - 1].node);
	uint32_t node = node_add(self), told = releases && (writes || fence) ? reached(node) : node;
	uint32_t carrier = releases ? told : threads[self].fence;
	threads[self].fence = fence && releases ? told : threads[self].fence;
	nodes[node].what = fence ? FENCE : OTHER;
	if (writes && !reads)
		hear(MESSAGE, object, 0, NOTHING, true);
	if (writes && carrier != NOTHING)
		say(MESSAGE, object, 0, carrier);
}

static void see_other(bool failed)
{
	unsigned first;
	uint64_t n = 0;
	uint32_t other = line_is("fork") || line_is("join") ? thread_of(line_word(2)) : self;
	uint32_t handed = line_is("once") ? ONCE : line_is("benter") || line_is("bleave") ? BARRIER : HANDED;
	bool ran = word_number(line_field(handed == BARRIER ? "gen" : "arg"), &n) && n && line_is("once");
	n = handed == BARRIER ? n : 0;
	if (line_is("join") && !failed && other != self && threads[other].count) {
		learn(self, threads[other].node[threads[other].count - 1]);
		learn_flushed(self, other);
	}
	if (line_is("bleave") || line_is("acquire") || (line_is("once") && !ran))
		hear(handed, object, n, self, false);
	uint32_t node = node_add(self);
	nodes[node].joined = line_is("join") && !failed && other != self ? other : NOTHING;
	if (line_is("fork") && !failed && !threads[other].count)
		learn(other, node);
	if (ran)
		hear(ONCE, object, 0, NOTHING, true);
	if (line_is("benter") || line_is("release") || ran)
		say(handed, object, n, line_is("release") ? reached(node) : node);
	if (line_is("swait") || line_is("spost"))
		nodes[node].what = failed ? OTHER : line_is("spost") ? POST : TAKE;
	if (line_is("lockinit") && !strcmp(line_field("type"), "sem") && !failed)
		say(FRESH, object, 0, node);
	if (line_is("libwrite") && said_next(0, FRESH, object, 0) && strlen(line_field("bytes")) >= 8 && sscanf(line_field("bytes"), "%8x", &first) == 1) {
		hear(FRESH, object, 0, NOTHING, true);          /* the first word of what sem_init() wrote */
		hear(FIRST, object, 0, NOTHING, true);
		say(FIRST, object, 0, __builtin_bswap32(first));
	}
}

static void see_accesses(void)
{
	struct access two[2];
	uint32_t count = line_accesses(two);
	for (uint32_t i = 0; i < count; i++) {
		two[i].node = threads[self].node[threads[self].count - 1];
		if (model && two[i].writes && line_among(" w copy astore ") && !empties())
			nodes[two[i].node].store = accesses_count;
		LIST_ADD(accesses) = two[i];
	}
}

static void read_events(const char *twin, size_t length, bool names_only)
{
	for (char *at = line_first(twin, length); line_next(&at);) {
		bool head = line_words && line_word(0)[strlen(line_word(0)) - 1] == ':';
		const char *kind = line_kind(1);
		if (!line_words || line_word(0)[0] == '#' || (head && strcmp(line_word(0), "thread:")))
			continue;
		if (!*kind)
			line_bad("an event of what kind?");
		self = thread_of(head ? kind : line_word(0));
		if (names_only && (line_is("fork") || line_is("join")))
			thread_of(line_word(2));
		if (names_only || head)
			continue;
		twin_hash = word_mixed(word_mixed(twin_hash, line_word(0)) * 31, kind);
		object = strchr(line_word(2), '=') ? 0 : word_object(line_word(2));
		if (!twin_events++ || !threads[self].count)
			node_add(self);                                 /* in front of its first */
		bool failed = *line_field("res"), empty = model && empties();
		if (empty)
			learn_flushed(self, self);
		if (line_is("lock") || line_is("unlock") || line_is("tryfail"))
			see_lock(!strcmp(line_field("mode"), "read"), failed);
		else if (line_is("cwait") || line_is("cwake") || line_is("csignal") || line_is("cbroadcast"))
			see_condition(failed);
		else if (line_is("aload") || line_is("astore") || line_is("rmw") || line_is("cas") || line_is("fence"))
			see_atomic();
		else
			see_other(failed);
		nodes[threads[self].node[threads[self].count - 1]].empties = empty;
		see_accesses();
	}
	for (uint32_t t = 0; t < half && !names_only; t++)
		if (threads[t].count) {
			learn_flushed(t, t);
			nodes[node_add(t)].empties = true;              /* behind its last */
		}
}

void twin_read(const char *twin, size_t length, enum model of)
{
	for (uint32_t i = 0; i < threads_count; i++)
		free(threads[i].node), free(threads[i].path);
	memset(heads, 0, sizeof heads);
	LISTS(LIST_FORGET)
	KEPT(LIST_FORGET)
	model = of;
	twin_events = 0;
	twin_hash = 0xcbf29ce484222325ull;
	read_events(twin, length, true);
	half = threads_count;
	for (uint32_t i = 0; i < half && model; i++)
		LIST_ADD(threads) = (struct thread){ .wait = NOTHING, .fence = NOTHING };
	for (uint32_t i = 0; i < threads_count; i++)
		LIST_ADD(clocks) = 0;
	read_events(twin, length, false);
}

int64_t twin_first(uint64_t semaphore)
{
	uint32_t first = said_next(0, FIRST, semaphore, 0);
	return first ? said[first - 1].node : INT64_MAX / 2;
}
