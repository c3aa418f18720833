/* trace/uncovered.c -- see uncovered.h.
 *
 * A callee is looked for once per site and target, by name among the functions of all objects, or by address when it was
 * called through a pointer that is known:
 *   seen      instrumented, interposed or modelled: never counted;
 *   unseen    a function of some object that no site table lists: counted at the call, whatever it calls back;
 *   unknown   not found (a text twin has no functions; of memcpy and its like libc has several, without names): counted when the thread's
 *             next event is not that a function begins, or what a modelled function did.
 * The site tables list every function that was compiled with raddle, also those in which nothing is recorded. */
#include "trace/uncovered.h"

#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "trace/inside.h"
#include "wire/interposed.h"
#include "wire/modelled.h"

struct spot {                           /* one place, one callee */
	const char *called;             /* as the event names it, or NULL */
	uint64_t target;
	uint32_t next;                  /* another callee of that place, + 1 */
	enum sight sight;
	uint32_t callee;                /* in calls */
	struct uncovered_hand hand;
	bool hands_over;
};

struct uncovered {
	struct trace *trace;
	struct names outside;           /* interposed and modelled */
	struct names models;            /* modelled: what a pointer to one leads to is watched */
	struct names compiled;          /* linkage names of the functions in site tables */
	struct names functions;         /* names of symbols; */
	VEC(const struct symbol *) symbol;      /* and the one that the loader takes */
	struct map places;              /* address of a place -> its first spot + 1 */
	VEC(struct spot) spots;
	struct names callees;           /* as shown -> calls */
	uncovered_calls calls;
	VEC(uint32_t) pending;          /* per thread: the spot that may turn out to lead outside, + 1 */
};

bool object_is_own(const char *path)
{
	return strstr(path, "libraddle-rt.so") || str_starts(path, "linux-vdso");
}

/* ---- what is known of names ---- */

static void know_outside(struct names *outside)
{
#define X(name) names_put(outside, #name, strlen(#name));
	INTERPOSED(X)
	MODELLED(X)
#undef X
}

static void know_models(struct names *models)
{
#define X(name) names_put(models, #name, strlen(#name));
	MODELLED(X)
#undef X
}

static void add_compiled(void *with, const char *linkage)
{
	names_put(with, linkage, strlen(linkage));
}

/* Of several symbols of one name the loader takes that of the object loaded first. */
static void know_functions(struct uncovered *u)
{
	const symbol_list *all = &u->trace->functions;
	for (size_t i = 0; i < all->count; i++) {
		const struct symbol *s = &all->at[i];
		uint32_t id = names_put(&u->functions, s->name, strcspn(s->name, "@"));
		if (id == u->symbol.count)
			vec_push(&u->symbol, s);
		else if (module_at(u->trace, s->address) < module_at(u->trace, u->symbol.at[id]->address))
			u->symbol.at[id] = s;
	}
}

struct uncovered *uncovered_new(struct trace *t)
{
	struct uncovered *u = mem_take(sizeof *u);
	u->trace = t;
	know_outside(&u->outside);
	know_models(&u->models);
	for (size_t i = 0; i < t->sites.count; i++)
		sites_functions(t->sites.at[i], add_compiled, &u->compiled);
	know_functions(u);
	for (uint32_t i = 0; i < trace_thread_count(t); i++)
		vec_add(&u->pending);
	return u;
}

static bool is_in(const struct names *n, const char *name)
{
	return names_get(n, name, strlen(name)) != NO_NAME;
}

/* Under any of the names that stand for this address? */
static bool is_any_in(const struct uncovered *u, const struct symbol *s, const struct names *n)
{
	const symbol_list *all = &u->trace->functions;
	size_t at = (size_t)(s - all->at);
	while (at > 0 && all->at[at - 1].address == s->address)
		at--;
	for (; at < all->count && all->at[at].address == s->address; at++)
		if (names_get(n, all->at[at].name, strcspn(all->at[at].name, "@")) != NO_NAME)
			return true;
	return false;
}

static bool is_compiled(const struct uncovered *u, const struct symbol *s)
{
	return is_any_in(u, s, &u->compiled);
}

static bool is_modelled(const struct uncovered *u, const struct symbol *s)
{
	return is_any_in(u, s, &u->models);
}

/* ---- one callee ---- */

static enum sight look_at(const struct uncovered *u, const struct symbol *s, struct spot *spot)
{
	const struct trace_module *m = s ? module_at(u->trace, s->address) : NULL;
	if (!m)
		return UNKNOWN;
	spot->hand.object = m->path;
	return object_is_own(m->path) || is_compiled(u, s) || str_starts(s->name, "raddle_") ? SEEN : UNSEEN;
}

static enum sight look_for_name(const struct uncovered *u, const char *name, struct spot *spot)
{
	if (is_in(&u->outside, name) || is_in(&u->compiled, name) || str_starts(name, "raddle_"))
		return SEEN;
	uint32_t id = names_get(&u->functions, name, strlen(name));
	return look_at(u, id == NO_NAME ? NULL : u->symbol.at[id], spot);
}

static enum sight look_for_target(const struct uncovered *u, uint64_t target, struct spot *spot)
{
	const struct symbol *s = symbol_at(&u->trace->functions, target);
	const struct trace_module *m = module_at(u->trace, target);
	if (s) {
		spot->hand.name = s->name;
		return is_modelled(u, s) ? SEEN : look_at(u, s, spot);
	}
	if (m && !m->instrumented)
		spot->hand.object = m->path;
	return m && object_is_own(m->path) ? SEEN : UNKNOWN;
}

static bool is_of(const struct spot *s, const struct event *ev)
{
	bool same_name = s->called == ev->name || (s->called && ev->name && strcmp(s->called, ev->name) == 0);
	return same_name && s->target == ev->object && s->hands_over == !!ev->arg;
}

static struct spot *new_spot(struct uncovered *u, const struct event *ev, uint64_t next)
{
	struct spot *s = vec_add(&u->spots);
	*s = (struct spot){ .called = ev->name, .target = ev->object, .next = (uint32_t)next, .hands_over = ev->arg,
		.hand = { .name = ev->name ? ev->name : "", .object = "", .at = ev->place } };
	if (*s->hand.name)
		s->sight = look_for_name(u, s->hand.name, s);
	else
		s->sight = ev->object ? look_for_target(u, ev->object, s) : UNKNOWN;
	s->hand.name = trace_shown(u->trace, s->hand.name);
	if (s->sight == SEEN)
		return s;
	s->callee = names_put(&u->callees, s->hand.name, strlen(s->hand.name));
	if (s->callee == u->calls.count)
		vec_push(&u->calls, ((struct uncovered_call){ s->hand.name, 0 }));
	return s;
}

static struct spot *spot_of(struct uncovered *u, const struct event *ev)
{
	uint64_t *first = map_put(&u->places, (uint64_t)(uintptr_t)ev->place, NULL);
	for (uint64_t i = *first; i; i = u->spots.at[i - 1].next)
		if (is_of(&u->spots.at[i - 1], ev))
			return &u->spots.at[i - 1];
	struct spot *s = new_spot(u, ev, *first);
	*first = u->spots.count;
	return s;
}

/* ---- events ---- */

static void count(struct uncovered *u, struct spot *s)
{
	u->calls.at[s->callee].calls++;
	s->hand.calls += s->hands_over;
}

bool uncovered_is_answer(const struct event *ev)
{
	return ev->kind == EV_ENTER || ev->kind == EV_LIBREAD || ev->kind == EV_LIBWRITE || ev->kind == EV_COPY;
}

bool uncovered_note(struct uncovered *u, const struct event *ev)
{
	uint32_t *pending = &u->pending.at[ev->thread.i];
	if (*pending && !uncovered_is_answer(ev))
		count(u, &u->spots.at[*pending - 1]);
	*pending = 0;
	if (ev->kind != EV_CALL)
		return false;
	struct spot *s = spot_of(u, ev);
	if (s->sight == UNSEEN)
		count(u, s);
	else if (s->sight == UNKNOWN)
		*pending = (uint32_t)(s - u->spots.at) + 1;
	return *pending;
}

enum sight uncovered_sight(struct uncovered *u, const struct event *ev)
{
	return spot_of(u, ev)->sight;
}

/* As its caller writes it: what stands in front of a function has a name of its own. */
static const char *plain_name(struct trace *t, const char *name)
{
	static const char *const fronts[] = { "raddle_lib_", "__wrap_" };
	for (size_t i = 0; i < sizeof fronts / sizeof *fronts; i++)
		if (str_starts(name, fronts[i]))
			return plain_name(t, name + strlen(fronts[i]));
	return trace_intern(t, name, strcspn(name, "@"));
}

const char *uncovered_target(struct uncovered *u, const struct event *ev, uint32_t nth)
{
	const symbol_list *all = &u->trace->functions;
	const struct symbol *s = ev->name || !ev->object ? NULL : symbol_at(all, ev->object);
	size_t at = s ? (size_t)(s - all->at) : 0;
	if (!s || s->address != ev->object)
		return NULL;
	while (at > 0 && all->at[at - 1].address == s->address)
		at--;
	return at + nth < all->count && all->at[at + nth].address == s->address ? plain_name(u->trace, all->at[at + nth].name) : NULL;
}

struct callees { struct uncovered *u; uncovered_told *told; void *with; };

static void tell_callee(void *with, const struct site *site)
{
	const struct callees *c = with;
	const char *name = site->flags & SITE_CALL ? unit_string(site->unit, site->call.name) : NULL;
	struct spot spot = { 0 };
	if (name && *name)
		c->told(c->with, name, look_for_name(c->u, name, &spot) != SEEN, site->hands_over);
}

void uncovered_callees(struct uncovered *u, uncovered_told *told, void *with)
{
	for (size_t i = 0; i < u->trace->sites.count; i++)
		sites_each(u->trace->sites.at[i], tell_callee, &(struct callees){ u, told, with });
}

/* ---- the end ---- */

static int by_calls(const void *a, const void *b)
{
	const struct uncovered_call *x = a, *y = b;
	return x->calls != y->calls ? (x->calls < y->calls ? 1 : -1) : strcmp(x->name, y->name);
}

static int by_place(const struct place *x, const struct place *y)
{
	int file = strcmp(x->file, y->file);
	return file ? file : x->line != y->line ? (x->line < y->line ? -1 : 1) : x->column < y->column ? -1 : x->column > y->column;
}

/* Copies the compiler made of one call (unrolled loops, inlined functions) are one. */
static int by_call(const void *a, const void *b)
{
	const struct uncovered_hand *x = a, *y = b;
	int name = strcmp(x->name, y->name), object = strcmp(x->object, y->object);
	return name ? name : object ? object : by_place(x->at, y->at);
}

static void merge_copies(uncovered_hands *hands)
{
	size_t kept = 0;
	for (size_t i = 0; i < hands->count; i++)
		if (kept && by_call(&hands->at[kept - 1], &hands->at[i]) == 0)
			hands->at[kept - 1].calls += hands->at[i].calls;
		else
			hands->at[kept++] = hands->at[i];
	hands->count = kept;
}

static int by_hands(const void *a, const void *b)
{
	const struct uncovered_hand *x = a, *y = b;
	return x->calls != y->calls ? (x->calls < y->calls ? 1 : -1) : by_call(x, y);
}

void uncovered_free(struct uncovered *u)
{
	if (!u)
		return;
	names_release(&u->outside);
	names_release(&u->models);
	names_release(&u->compiled);
	names_release(&u->functions);
	map_release(&u->places);
	names_release(&u->callees);
	vec_release(&u->symbol);
	vec_release(&u->spots);
	vec_release(&u->calls);
	vec_release(&u->pending);
	mem_free(u);
}

void uncovered_finish(struct uncovered *u, uncovered_calls *calls, uncovered_hands *hands)
{
	for (size_t i = 0; i < u->calls.count; i++)
		if (u->calls.at[i].calls)
			vec_push(calls, u->calls.at[i]);
	for (size_t i = 0; i < u->spots.count; i++)
		if (u->spots.at[i].hand.calls)
			vec_push(hands, u->spots.at[i].hand);
	if (calls->count)
		qsort(calls->at, calls->count, sizeof *calls->at, by_calls);
	if (hands->count) {
		qsort(hands->at, hands->count, sizeof *hands->at, by_call);
		merge_copies(hands);
		qsort(hands->at, hands->count, sizeof *hands->at, by_hands);
	}
	uncovered_free(u);
}
