/* verify/refutation.c -- an independent checker of refutations: libc alone, no code of the engine that writes them.
 *
 * The text twin is read event by event, and by the rules of docs/order.md each learns what it must come after (clocks).  A
 * refutation (docs/refutation-format.md) names rules by the events they are about; the ways out a rule leaves are worked out
 * here.  Its steps are clauses over ways, each checked by propagation: through clauses, and through the order that ways chosen so
 * far leave.  Both files are hostile: whatever they hold, the answer is "holds" or a reason. */
#include "verify/refutation.h"

#include <setjmp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NOTHING UINT32_MAX
#define END (NOTHING - 1)               /* of the prefix that is claimed not to exist */

enum what { OTHER, POST, TAKE, SIGNAL };                                /* post and take: of a semaphore */
struct node { uint32_t thread, at, clock, section, wait; enum what what; uint64_t object; };    /* wait: of a wake that was signalled */
struct thread { char *path; uint32_t *node, count, room, clock, wait, fence; };
struct section { uint64_t lock; uint32_t thread, take, give, depth, rank; bool shared; };       /* give: NOTHING, never */
struct said { uint64_t object, number; uint32_t what, node, next; };    /* who released, entered, ran, signalled */
enum { GONE, BARRIER, HANDED, ONCE, MESSAGE, LOOSE, TRIED, SIGNALLED, USED, FRESH, FIRST };     /* FIRST: node is a value */
struct edge { uint32_t from, to; };
struct way { struct edge edge[2]; uint32_t count; };

/* Lists.  open: sections; said: chains by what, object and number, 0 ends one; clocks[row * threads + t]: how many of t come before;
 * rules: the first way of each; literals: +-(way + 1), 0 ends a clause; clauses: the first literal of each; edges: those claimed
 * come first; front: how far threads have come; value of a way: 1 it holds, -1 it does not; words: of the line at hand. */
#define LISTS(L) L(struct node, nodes) L(struct thread, threads) L(struct section, sections) L(uint32_t, open) L(struct said, said) \
	L(uint32_t, clocks) L(struct way, ways) L(uint32_t, rules) L(int, literals) L(uint32_t, clauses) L(int, trail) \
	L(struct edge, edges) L(uint32_t, front) L(uint32_t, todo) L(uint8_t, seen) L(int8_t, value) L(char *, words)
#define DECLARE(T, name) static T *name; static uint32_t name##_count, name##_room;
#define FORGET(T, name) name##_count = 0;
#define ADD(name) (*(name = grown(name, name##_count, &name##_room, sizeof *name), &name[name##_count++]))
LISTS(DECLARE)
static uint32_t heads[65536], self;     /* self: the thread of the event at hand */
static uint64_t events, hash, line_number, object;
static const char *kind;
static bool refuted;
static char *text, why[200];            /* text: what is being read */
static jmp_buf out;

static _Noreturn void bad(const char *what)
{
	snprintf(why, sizeof why, "line %llu: %s", (unsigned long long)line_number, what);
	longjmp(out, 1);
}

static void *grown(void *at, uint32_t count, uint32_t *room, size_t size)
{
	if (count < *room)
		return at;
	if (count >= 1u << 28)
		bad("too much of it");
	*room = count * 2 + 64;
	return (at = realloc(at, *room * size)) ? at : (abort(), NULL);
}

/* ---- words ---- */

static void text_is(const char *bytes, size_t length)
{
	free(text);
	text = memcpy(calloc(length + 1, 1), bytes, length);
	line_number = 0;
}

static bool next_line(char **at)
{
	char *line = strsep(at, "\n"), *w;
	for (words_count = 0; (w = strsep(&line, " \t\r"));)
		if (*w)
			ADD(words) = w;
	line_number++;
	return *at || words_count;
}

static char *word(uint32_t i) { return i < words_count ? words[i] : (char *)""; }
static bool is(const char *text_of_kind) { return !strcmp(kind, text_of_kind); }

static bool number(const char *w, uint64_t *n)
{
	char *end;
	*n = strtoull(w, &end, w[0] == '0' && w[1] == 'x' ? 16 : 10);
	return *w >= '0' && *w <= '9' && !*end;
}

static const char *field(const char *key)       /* of the event at hand; "": it has none */
{
	for (uint32_t i = 2; i < words_count; i++)
		if (!strncmp(words[i], key, strlen(key)) && words[i][strlen(key)] == '=')
			return words[i] + strlen(key) + 1;
	return "";
}

static uint64_t mixed(uint64_t n, const char *w)
{
	for (; *w; w++)
		n = (n ^ (unsigned char)*w) * 0x100000001b3ull;
	return n;
}

static uint64_t object_of(const char *w)        /* NAME@0x..., 0x..., or a name alone */
{
	uint64_t n;
	return number(strchr(w, '@') ? strchr(w, '@') + 1 : w, &n) ? n : mixed(0, w);
}

static uint32_t thread_of(const char *path)
{
	for (uint32_t i = 0; i < threads_count; i++)
		if (!strcmp(threads[i].path, path))
			return i;
	ADD(threads) = (struct thread){ .path = strdup(path), .wait = NOTHING, .fence = NOTHING };
	return threads_count - 1;
}

/* ---- what must come before what ---- */

static bool must(uint32_t x, uint32_t y)
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
		ADD(clocks) = i == n.thread ? n.at + 1 : known;
	}
}

static uint32_t node_add(uint32_t thread)
{
	struct thread *t = &threads[thread];
	ADD(nodes) = (struct node){ .thread = thread, .at = t->count, .clock = t->clock, .section = NOTHING, .wait = NOTHING, .object = object };
	t->node = grown(t->node, t->count, &t->room, sizeof *t->node);
	return t->node[t->count++] = nodes_count - 1;
}

static uint32_t *head_of(uint32_t what, uint64_t of, uint64_t n)
{
	return &heads[(of + n * 31 + what) * 0x9e3779b97f4a7c15ull >> 48];
}

static void say(uint32_t what, uint64_t of, uint64_t n, uint32_t node)
{
	uint32_t *head = head_of(what, of, n);
	ADD(said) = (struct said){ of, n, what, node, *head };
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
		if (thread != NOTHING)
			learn(thread, said[i - 1].node);
		said[i - 1].what = forget ? GONE : what;
	}
	for (uint32_t *head = head_of(what, of, n); *head && said[*head - 1].what == GONE;)
		*head = said[*head - 1].next;
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
		bad("a lock is taken that another thread has: no rule covers this trace");
	if (!said_next(0, USED, lock, self))
		say(USED, lock, self, sections_count);
	nodes[node].section = sections_count;
	ADD(open) = sections_count;
	ADD(sections) = (struct section){ lock, self, node, NOTHING, 1, said[said_next(0, USED, lock, self) - 1].node, shared };
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
	bool done = !strstr(field("is"), "inflight");
	if (is("unlock") && done && !failed && held && !--sections[*held].depth) {
		section_end(held);
	} else if (is("tryfail") && (other = in_the_way(object, shared)) != NOTHING) {
		learn(self, sections[other].take);
		say(TRIED, other, 0, node_add(self));
	} else {
		uint32_t node = node_add(self);
		if (is("lock") && done && held)
			sections[*held].depth++;
		else if (is("lock") && done)
			section_begin(object, node, shared);
	}
}

static void see_condition(bool failed)
{
	uint64_t lock = *field("lock") ? object_of(field("lock")) : 0;
	uint32_t *held = lock ? open_of(lock) : NULL, wait = threads[self].wait, last = said_next(0, SIGNALLED, object, 0);
	uint32_t node = held && is("cwait") ? section_end(held) : node_add(self);
	if (is("cwait")) {
		threads[self].wait = node;
	} else if (is("cwake")) {
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
	bool fence = is("fence"), failed = is("cas") && strstr(field("is"), "failed");
	bool reads = !is("astore") && !fence, writes = !is("aload") && !fence && !failed;
	const char *order = *field(failed ? "fail" : "order") ? field(failed ? "fail" : "order") : failed ? "relaxed" : "seq_cst";
	bool acquires = strstr("consume acquire acq_rel seq_cst", order), releases = strstr("release acq_rel seq_cst", order);
	if (acquires && (fence || reads))
		hear(fence ? LOOSE : MESSAGE, fence ? self : object, 0, self, fence);
	for (uint32_t i = 0; reads && !acquires && (i = said_next(i, MESSAGE, object, 0));)
		say(LOOSE, self, 0, said[i - 1].node);
	uint32_t node = node_add(self), carrier = releases ? node : threads[self].fence;
	threads[self].fence = fence && releases ? node : threads[self].fence;
	if (writes && !reads)
		hear(MESSAGE, object, 0, NOTHING, true);
	if (writes && carrier != NOTHING)
		say(MESSAGE, object, 0, carrier);
}

static void see_other(bool failed)
{
	unsigned first;
	uint64_t n = 0;
	uint32_t other = is("fork") || is("join") ? thread_of(word(2)) : self;
	uint32_t handed = is("once") ? ONCE : is("benter") || is("bleave") ? BARRIER : HANDED;
	bool ran = number(field(handed == BARRIER ? "gen" : "arg"), &n) && n && is("once");
	n = handed == BARRIER ? n : 0;
	if (is("join") && !failed && other != self && threads[other].count)
		learn(self, threads[other].node[threads[other].count - 1]);
	if (is("bleave") || is("acquire") || (is("once") && !ran))
		hear(handed, object, n, self, false);
	uint32_t node = node_add(self);
	if (is("fork") && !failed && !threads[other].count)
		learn(other, node);
	if (ran)
		hear(ONCE, object, 0, NOTHING, true);
	if (is("benter") || is("release") || ran)
		say(handed, object, n, node);
	if (is("swait") || is("spost"))
		nodes[node].what = failed ? OTHER : is("spost") ? POST : TAKE;
	if (is("lockinit") && !strcmp(field("type"), "sem") && !failed)
		say(FRESH, object, 0, node);
	if (is("libwrite") && said_next(0, FRESH, object, 0) && strlen(field("bytes")) >= 8 && sscanf(field("bytes"), "%8x", &first) == 1) {
		hear(FRESH, object, 0, NOTHING, true);          /* the first word of what sem_init() wrote */
		hear(FIRST, object, 0, NOTHING, true);
		say(FIRST, object, 0, __builtin_bswap32(first));
	}
}

static void read_twin(bool names_only)
{
	for (char *at = text; next_line(&at);) {
		bool head = words_count && words[0][strlen(words[0]) - 1] == ':';
		kind = word(1);
		if (!words_count || words[0][0] == '#' || (head && strcmp(words[0], "thread:")))
			continue;
		if (!*kind)
			bad("an event of what kind?");
		self = thread_of(head ? kind : words[0]);
		if (names_only && (is("fork") || is("join")))
			thread_of(word(2));
		if (names_only || head)
			continue;
		hash = mixed(mixed(hash, words[0]) * 31, kind);
		object = strchr(word(2), '=') ? 0 : object_of(word(2));
		if (!events++ || !threads[self].count)
			node_add(self);                                 /* in front of its first */
		bool failed = *field("res");
		if (is("lock") || is("unlock") || is("tryfail"))
			see_lock(!strcmp(field("mode"), "read"), failed);
		else if (is("cwait") || is("cwake") || is("csignal") || is("cbroadcast"))
			see_condition(failed);
		else if (is("aload") || is("astore") || is("rmw") || is("cas") || is("fence"))
			see_atomic();
		else
			see_other(failed);
	}
	for (uint32_t t = 0; t < threads_count && !names_only; t++)
		if (threads[t].count)
			node_add(t);                                    /* behind its last */
}

/* ---- rules: the ways out of each, in the order of docs/refutation-format.md ---- */

static uint32_t event_of(char *name)            /* PATH:N */
{
	char *colon = strrchr(name, ':');
	uint64_t n = 0;
	if (colon && number(colon + 1, &n))
		*colon = 0;
	for (uint32_t t = 0; colon && !*colon && t < threads_count; t++)
		if (!strcmp(threads[t].path, name) && n < threads[t].count)
			return threads[t].node[n];
	bad("no event of the trace");
}

static uint32_t way_of(const char *w)           /* RULE.WAY */
{
	char *dot;
	uint64_t r = strtoull(w, &dot, 10), n = 0;
	if (*dot != '.' || !number(dot + 1, &n) || !r || r > rules_count || !n || n > (r < rules_count ? rules[r] : ways_count) - rules[r - 1])
		bad("no way of a rule");
	return rules[r - 1] + (uint32_t)n - 1;
}

static void way_add(uint32_t from, uint32_t by, uint32_t to)    /* by: NOTHING, one edge; no way where one is missing */
{
	if (from == NOTHING || to == NOTHING)
		return;
	ADD(value) = 0;
	ADD(ways) = by == NOTHING ? (struct way){ { { from, to } }, 1 } : (struct way){ { { from, by }, { by, to } }, 2 };
}

static void rule_lock(uint32_t x, uint32_t y)
{
	uint32_t none = nodes[x].section == NOTHING || nodes[y].section == NOTHING;
	const struct section *a = none ? NULL : &sections[nodes[x].section], *b = none ? NULL : &sections[nodes[y].section];
	if (none || a->lock != b->lock || a->thread == b->thread || (a->shared && b->shared) || x > y)
		bad("no two sections of a lock that exclude each other");
	way_add(a->give, NOTHING, y);
	way_add(END, NOTHING, y);
	way_add(END, NOTHING, x);
	way_add(b->give, NOTHING, x);
}

/* The words that follow say how far each thread has come; then the semaphore is 0. */
static void rule_semaphore(uint32_t wait)
{
	uint32_t first = said_next(0, FIRST, nodes[wait].object, 0);
	int64_t left = first ? said[first - 1].node : INT64_MAX / 2;
	for (front_count = 0; front_count < threads_count;)
		ADD(front) = 0;
	for (uint32_t i = 3; i < words_count; i++) {
		const struct node *n = &nodes[event_of(words[i])];
		front[n->thread] = n->at;
	}
	way_add(END, NOTHING, wait);
	for (uint32_t t = 0; t < threads_count; t++) {
		uint32_t post = NOTHING, last = NOTHING;
		bool own = t == nodes[wait].thread;
		for (uint32_t i = 0; i < threads[t].count; i++) {
			const struct node *n = &nodes[threads[t].node[i]];
			bool done = own ? n->at < nodes[wait].at : n->at <= front[t];
			if (n->object != nodes[wait].object || (n->what != POST && n->what != TAKE))
				continue;
			left += !done ? 0 : n->what == POST ? 1 : -1;
			post = n->what == POST && !done && post == NOTHING && !own ? threads[t].node[i] : post;
			last = n->what == TAKE && done && !own ? threads[t].node[i] : last;
		}
		way_add(post, NOTHING, wait);
		way_add(wait, NOTHING, last);
	}
	if (nodes[wait].what != TAKE || left > 0)
		bad("that semaphore can be taken there");
}

static void rule_condition(uint32_t wake)
{
	uint32_t wait = nodes[wake].wait;
	if (wait == NOTHING)
		bad("no wake that needs a signal");
	way_add(END, NOTHING, wake);
	for (uint32_t i = 0; i < nodes_count; i++)
		if (nodes[i].what == SIGNAL && nodes[i].object == nodes[wake].object && !must(i, wait) && !must(wake, i))
			way_add(wait, i, wake);
}

/* ---- steps: clauses that follow ---- */

static bool at_or_before(uint32_t x, uint32_t y) { return x == y || (x != END && y != END && must(x, y)); }

static bool reach(uint32_t x, uint32_t y)       /* at or before, by edges too */
{
	for (seen_count = todo_count = 0; seen_count < edges_count;)
		ADD(seen) = 0;
	for (uint32_t from = x; !at_or_before(from, y); from = todo[--todo_count]) {
		for (uint32_t i = 0; i < edges_count; i++)
			if (!seen[i] && at_or_before(from, edges[i].from)) {
				seen[i] = 1;
				ADD(todo) = edges[i].to;
			}
		if (!todo_count)
			return false;
	}
	return true;
}

/* A way that holds is its edges; of one that does not, and is one edge, the contrary holds. */
static void assign(int literal)
{
	uint32_t way = (uint32_t)abs(literal) - 1;
	struct way w = ways[way];
	value[way] = literal < 0 ? -1 : 1;
	ADD(trail) = literal;
	if (literal < 0 && w.count == 1)
		ADD(edges) = (struct edge){ w.edge[0].to, w.edge[0].from };
	for (uint32_t i = 0; literal > 0 && i < w.count; i++)
		ADD(edges) = w.edge[i];
}

static bool by_clauses(void)                    /* all that clauses force; true: one of them is broken */
{
	for (uint32_t before = NOTHING; before != trail_count;) {
		before = trail_count;
		for (uint32_t c = 0; c < clauses_count; c++) {
			int one = 0, sign = 0, left = 0;
			for (uint32_t at = clauses[c]; literals[at] && sign <= 0; at++) {
				sign = value[abs(literals[at]) - 1] * (literals[at] < 0 ? -1 : 1);
				left += !sign;
				one = sign ? one : literals[at];
			}
			if (sign <= 0 && !left)
				return true;
			if (sign <= 0 && left == 1)
				assign(one);
		}
	}
	return false;
}

static void step_learn(void)                    /* a clause; without literals: the end */
{
	uint32_t first = literals_count, claimed = edges_count;
	for (uint32_t i = 1; i < words_count; i++) {
		bool minus = words[i][0] == '-';
		uint32_t way = way_of(words[i] + minus);
		if (value[way])
			bad("a way twice in a clause");
		ADD(literals) = minus ? -(int)way - 1 : (int)way + 1;
		assign(minus ? (int)way + 1 : -(int)way - 1);
	}
	ADD(literals) = 0;
	bool follows = by_clauses();
	for (uint32_t i = 0; i < edges_count && !follows; i++)
		follows = reach(edges[i].to, edges[i].from);
	if (!follows)
		bad("this does not follow");
	while (trail_count)
		value[abs(trail[--trail_count]) - 1] = 0;
	edges_count = claimed;
	ADD(clauses) = first;
	refuted = words_count == 1;
}

/* ---- the whole ---- */

static void step_rule(void)
{
	uint32_t x = event_of(word(2));
	ADD(rules) = ways_count;
	if (!strcmp(word(1), "lock"))
		rule_lock(x, event_of(word(3)));
	else if (!strcmp(word(1), "sem"))
		rule_semaphore(x);
	else if (!strcmp(word(1), "cond"))
		rule_condition(x);
	else
		bad("no rule known here");
	ADD(clauses) = literals_count;
	for (uint32_t i = rules[rules_count - 1]; i < ways_count; i++)
		ADD(literals) = (int)i + 1;
	ADD(literals) = 0;
}

static void step(void)
{
	uint64_t n, sum;
	kind = words[0];
	if (is("trace") && (!number(word(1), &n) || !number(word(2), &sum) || n != events || sum != hash))
		bad("it is about another trace");
	else if (is("reach"))
		ADD(edges) = (struct edge){ event_of(word(1)), END };
	else if (is("limit"))
		ADD(edges) = (struct edge){ END, event_of(word(1)) };
	else if (is("rule"))
		step_rule();
	else if (is("learn"))
		step_learn();
	else if (!is("trace"))
		bad("no step known here");
}

const char *refutation_check(const char *twin, size_t twin_length, const char *steps, size_t length)
{
	for (uint32_t i = 0; i < threads_count; i++)
		free(threads[i].node), free(threads[i].path);
	memset(heads, 0, sizeof heads);
	LISTS(FORGET)
	refuted = false, events = 0, hash = 0xcbf29ce484222325ull;
	if (setjmp(out))
		return why;
	for (int pass = 0; pass < 2; pass++) {
		text_is(twin, twin_length);
		read_twin(!pass);
		for (uint32_t i = 0; i < threads_count && !pass; i++)
			ADD(clocks) = 0;
	}
	text_is(steps, length);
	for (char *at = text; next_line(&at);) {
		if (line_number == 1 && (strcmp(word(0), "raddle") || strcmp(word(1), "refutation") || strcmp(word(2), "1")))
			bad("no refutation");
		if (line_number == 1 || !words_count || words[0][0] == '#')
			continue;
		if (refuted)
			bad("it goes on behind its end");
		step();
	}
	return refuted ? NULL : "it ends before anything is refuted";
}
