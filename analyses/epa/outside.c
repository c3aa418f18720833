/* analyses/epa/outside.c -- memory that code nobody watches may have read.  What a library reads of memory it is handed has events for the functions of wire/modelled.h
 * and for what is printed, written and sent; everything else it reads unseen:
 *   (1) what a pointer in its hands leads to, for functions that read it while they run (`unseen`: which of their arguments);
 *   (2) what has escaped (model/points.h): memory whose address a function that is not known got at any time, and what can be reached from there, variables of another
 *       object, what is kept by setvbuf().  Any function that is not known may read it, and those that use what was left to them (`left`): buffers, the environment.
 * So of such memory nobody can say that it was not read.  What the points-to analysis does not see (code without bitcode) may be anything. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyses/epa/following.h"
#include "base/str.h"
#include "model/library.h"
#include "trace/sites.h"
#include "wire/interposed_outside.h"
#include "wire/interposed_threads.h"
#include "wire/modelled.h"
#include "wire/told.h"

/* ---- what functions read unseen ---- */

struct reading { const char *names, *unseen; bool left; };      /* unseen: digits, arguments; * all of them */

static const struct reading readings[] = {
	{ "printf vprintf scanf __isoc99_scanf __isoc23_scanf", "0", true },
	{ "fprintf vfprintf dprintf vdprintf __printf_chk __vprintf_chk fscanf __isoc99_fscanf __isoc23_fscanf", "1", true },
	{ "__fprintf_chk __vfprintf_chk __dprintf_chk __vdprintf_chk", "2", true },
	/* formats; */
	{ "sprintf vsprintf asprintf vasprintf sscanf vsscanf __isoc99_sscanf __isoc99_vsscanf __isoc23_sscanf __isoc23_vsscanf", "1", false },
	{ "snprintf vsnprintf __asprintf_chk __vasprintf_chk", "2", false },
	{ "__sprintf_chk __vsprintf_chk", "3", false },
	{ "__snprintf_chk __vsnprintf_chk", "4", false },
	{ "setlocale", "1", true },
	{ "longjmp _longjmp siglongjmp __longjmp_chk", "0", false },
	{ "fcntl fcntl64", "2", false },
	{ "puts putchar fputs fputc putc putchar_unlocked perror fwrite fflush fclose fseek ftell rewind fread fgets fgetc getc getchar getc_unlocked ungetc "
		"exit quick_exit random srandom __fread_chk __fgets_chk feof ferror", "", true },
	{ "getenv secure_getenv setenv unsetenv", "01", true },
	{ "getline getdelim __getdelim", "01", true },
	{ "setvbuf setbuf write pwrite send read pread recv close __read_chk __pread_chk __recv_chk", "", false },
	{ "writev readv pwritev preadv", "1", false },
	{ "mktime timegm localtime gmtime asctime ctime localtime_r gmtime_r asctime_r ctime_r", "0", true },
	{ "strftime", "23", true },
	{ "stat lstat stat64 lstat64 statvfs readlink realpath sigaltstack nanosleep sigsuspend sigwait thrd_sleep", "0", false },
	{ "fstatat fstatat64 inet_ntop inet_pton setitimer sigprocmask pthread_sigmask sigaction connect bind pthread_setname_np pthread_barrier_init", "1", false },
	{ "pthread_mutex_timedlock pthread_rwlock_timedrdlock pthread_rwlock_timedwrlock sem_timedwait mtx_timedlock", "1", false },
	{ "pthread_mutex_clocklock pthread_cond_timedwait cnd_timedwait clock_nanosleep getsockname getpeername accept accept4 pthread_setaffinity_np timer_settime", "2", false },
	{ "pthread_cond_clockwait setsockopt epoll_ctl", "3", false },
	{ "pthread_create pthread_mutex_init pthread_cond_init pthread_rwlock_init", "1", false },
	{ "getsockopt", "4", false },
	{ "poll", "0", false },
	{ "ppoll", "023", false },
	{ "select", "1234", false },
	{ "fopen fopen64", "01", false },
	{ "fdopen", "1", false },
	{ "sigismember sigaddset sigdelset msync", "0", false },
	/* what these do to a lock has events of its own, and they read nothing else; */
	{ "pthread_mutex_lock pthread_mutex_trylock pthread_mutex_unlock pthread_rwlock_rdlock pthread_rwlock_wrlock pthread_rwlock_tryrdlock "
		"pthread_rwlock_trywrlock pthread_rwlock_unlock pthread_spin_* pthread_cond_wait pthread_cond_signal pthread_cond_broadcast pthread_barrier_wait "
		"sem_init sem_wait sem_trywait sem_post mtx_init mtx_lock mtx_trylock mtx_unlock cnd_init cnd_wait cnd_signal cnd_broadcast __cxa_guard_*", "", false },
	{ "pthread_join pthread_tryjoin_np pthread_detach pthread_self pthread_equal pthread_exit pthread_once call_once pthread_key_create pthread_key_delete "
		"pthread_setspecific pthread_getspecific pthread_cancel pthread_testcancel pthread_setcancelstate pthread_setcanceltype pthread_kill pthread_yield "
		"pthread_setschedprio pthread_getschedparam pthread_getaffinity_np pthread_getname_np pthread_getattr_np pthread_getcpuclockid pthread_atfork "
		"thrd_create thrd_join thrd_detach thrd_exit thrd_current thrd_equal thrd_yield tss_*", "", false },
	/* the others read what they are given: attributes, deadlines, names, and a lock that is destroyed */
	{ "pthread_* sem_* mtx_* cnd_* thrd_*", "*", false },
	{ "qsort qsort_r bsearch realloc reallocarray", "", false },
};

static const char *const modelled[] = {
#define X(name) #name,
	MODELLED(X)
#undef X
};

/* Functions the runtime stands in front of: a steered run has no event of their being called, */
static const char *const stood_for[] = {
#define X(name) #name,
	MODELLED(X) INTERPOSED_THREADS(X) INTERPOSED_PLAIN(X)
#undef X
};
static const char *const told_all_the_same[] = {                /* but of these. */
#define X(name) #name,
	TOLD(X)
#undef X
};

static bool is_one_of(const char *name, const char *const *all, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (!strcmp(name, all[i]))
			return true;
	return false;
}

static bool is_called_silently(const char *name)
{
	return is_one_of(name, stood_for, sizeof stood_for / sizeof *stood_for) && !is_one_of(name, told_all_the_same, sizeof told_all_the_same / sizeof *told_all_the_same);
}

static bool is_among(const char *name, const char *names)
{
	for (size_t word; *names; names += word + strspn(names + word, " ")) {
		word = strcspn(names, " ");
		bool any_end = names[word - 1] == '*';
		if (!strncmp(name, names, any_end ? word - 1 : word) && (any_end || strlen(name) == word))
			return true;
	}
	return false;
}

/* By the effects model/ knows: it reads where it says so, and keeps nothing. */
static bool reads_by_effects(const char *name, struct reading *out)
{
	struct effects e;
	if (!library_effects(name, &e))
		return false;
	*out = (struct reading){ name, "", false };
	for (uint32_t i = 0; i < e.count; i++)
		if (strchr("RCDA", e.at[i].letter))
			out->unseen = "*";
	return true;
}

/* What this function reads that has no event. */
static struct reading reading_of(const char *name)
{
	struct reading found;
	for (size_t i = 0; i < sizeof readings / sizeof *readings; i++)
		if (is_among(name, readings[i].names))
			return readings[i];
	if (is_one_of(name, modelled, sizeof modelled / sizeof *modelled))
		return (struct reading){ name, "", false };
	return reads_by_effects(name, &found) ? found : (struct reading){ name, "*", true };
}

/* ---- what was written to ---- */

typedef VEC(uint32_t) object_list;

struct written {
	object_list objects;
	bool escaped;                           /* one of them */
	bool unknown;                           /* it may be anything */
};

static bool has_object(const object_list *all, uint32_t object)
{
	for (size_t i = 0; i < all->count; i++)
		if (all->at[i] == object)
			return true;
	return false;
}

static void add_written(struct written *w, const struct pointers *p, uint32_t object)
{
	if (!has_object(&w->objects, object))
		vec_push(&w->objects, object);
	w->escaped |= points_has_escaped(p->points, object);
}

/* The pointer came from where nobody sees; the run says what it led to. */
static void add_named(struct following *x, struct written *w, const struct pointers *p)
{
	const struct names_book *b = x->canon->book;
	const struct named *n = &b->thing.at[canon_at(x->lane, x->fault)->thing];
	const struct code *c = following_code(x);
	for (uint32_t i = 0; n->kind == NAMED_GLOBAL && i < c->globals.count; i++)
		if (c->globals.at[i].flags & GLOBAL_DEFINED && !strcmp(code_text(c, c->globals.at[i].name), book_say(b, n->text))) {
			add_written(w, p, p->global_object[i]);
			return;
		}
	bool heap = (n->kind == NAMED_HEAP || n->kind == NAMED_MAP) && strtoull(book_say(b, b->place.at[n->place].own), NULL, 16);
	for (uint32_t i = 0; heap && i < p->things.count; i++)
		if (p->things.at[i].kind == THING_HEAP)
			add_written(w, p, i);
	w->unknown |= !heap;
}

/* What the fault is written through; NONE: not known. */
static uint32_t pointer_of(const struct following *x, uint32_t *function)
{
	const struct code *c = following_code(x);
	uint32_t store = following_instruction(x, x->judged->place);
	const struct value *v = store == NONE ? NULL : &c->values.at[store];
	*function = v ? v->function : NONE;
	if (v && v->op == OP_STORE)
		return code_operands(c, v)[0];
	return v && v->op == OP_CALL && v->operand_count > 1 ? code_operands(c, v)[1] : NONE;      /* a structure that is copied */
}

bool follow_is_local(const struct following *x)
{
	const struct pointers *p = x->fates->model ? model_pointers(x->fates->model) : NULL;
	uint32_t function, pointer = p ? pointer_of(x, &function) : NONE, count = pointer == NONE ? 0 : points_count(p->points, pointer);
	for (uint32_t i = 0; i < count; i++) {
		const struct thing *t = &p->things.at[points_at(p->points, pointer, i).object];
		if (t->kind != THING_STACK || following_code(x)->values.at[t->index].function != function)
			return false;
	}
	return count > 0;
}

static void find_written(struct following *x, struct written *w)
{
	const struct pointers *p = model_pointers(x->fates->model);
	uint32_t function, pointer = pointer_of(x, &function);
	if (pointer == NONE || !points_count(p->points, pointer)) {
		w->unknown = true;
		return;
	}
	for (uint32_t i = 0; i < points_count(p->points, pointer); i++) {
		uint32_t object = points_at(p->points, pointer, i).object;
		if (object == POINTS_OUTSIDE)
			add_named(x, w, p);
		else
			add_written(w, p, object);
	}
}

/* May this value be a pointer to what was written to? */
static bool may_lead_there(const struct pointers *p, const struct written *w, uint32_t value)
{
	for (uint32_t i = 0; i < points_count(p->points, value); i++) {
		uint32_t object = points_at(p->points, value, i).object;
		if (w->unknown || (object == POINTS_OUTSIDE ? w->escaped : has_object(&w->objects, object)))
			return true;
	}
	return false;
}

/* Code of the program that leaves no events: inline assembly, functions that are not watched. */
static bool is_read_unwatched(const struct following *x, const struct written *w)
{
	const struct code *c = following_code(x);
	const struct pointers *p = model_pointers(x->fates->model);
	for (uint32_t i = 1; i < c->values.count; i++) {
		const struct value *v = &c->values.at[i];
		bool unwatched = v->function != NONE && c->functions.at[v->function].flags & FUNCTION_UNWATCHED;
		if (v->op != OP_ASM && !(v->op == OP_LOAD && unwatched))
			continue;
		for (uint32_t k = 0; k < v->operand_count; k++)
			if (may_lead_there(p, w, code_operands(c, v)[k]))
				return true;
	}
	return false;
}

static bool reads_argument(const struct reading *r, uint32_t which)
{
	return *r->unseen == '*' || (which < 10 && strchr(r->unseen, '0' + (int)which) && *r->unseen);
}

/* Steered: a function whose calls have no event, wherever the code calls it.  NONE: there is none. */
static uint32_t is_read_silently(const struct following *x, const struct written *w)
{
	const struct code *c = following_code(x);
	const struct pointers *p = model_pointers(x->fates->model);
	for (uint32_t i = 1; i < c->values.count; i++) {
		const struct value *v = &c->values.at[i];
		uint32_t f = v->op == OP_CALL && v->operand_count ? pointers_direct(c, code_operands(c, v)[0]) : NONE;
		const char *name = f == NONE || c->functions.at[f].flags & FUNCTION_DEFINED ? NULL : following_callee(x, &c->functions.at[f]);
		if (!name || !is_called_silently(name))
			continue;
		struct reading r = reading_of(name);
		for (uint32_t k = 0; k + 1 < v->operand_count; k++)
			if (reads_argument(&r, k) && may_lead_there(p, w, code_operands(c, v)[k + 1]))
				return i;
	}
	return NONE;
}

/* ---- who was called ---- */

/* The arguments as the run has them: entries in front of the call; false: it does not say. */
static bool arguments_of(const struct canon_lane *lane, size_t call, uint32_t count, size_t *first)
{
	size_t at = call;
	for (uint32_t i = 0; i < count; i++) {
		while (at > 0 && canon_at(lane, at - 1)->kind >= CANON_MORE)
			at--;
		if (at == 0 || canon_at(lane, --at)->kind != EV_ARGUMENT || canon_at(lane, at)->place == 0)
			return false;
	}
	*first = at;
	return true;
}

/* Is argument `which` a pointer to what the fault is in, or in front of it?  Stacks are one thing: there the code must say. */
static bool argument_leads(const struct following *x, const struct written *w, const struct canon_lane *lane, size_t call, const struct value *v, uint32_t which)
{
	const struct pointers *p = model_pointers(x->fates->model);
	const struct canon_event *fault = canon_at(x->lane, x->fault);
	size_t at;
	if (!may_lead_there(p, w, code_operands(following_code(x), v)[which + 1]))
		return false;
	if (!arguments_of(lane, call, v->operand_count - 1, &at))
		return true;
	for (uint32_t i = 0; i < which; i++)
		at += canon_span(lane, at);
	const struct canon_event *e = canon_at(lane, at);
	return e->points_to == fault->thing && (int64_t)e->value < (int64_t)fault->offset + 8;
}

static bool is_read_in(const struct following *x, const struct written *w, const struct canon_lane *lane, size_t call, uint32_t value)
{
	const struct code *c = following_code(x);
	const struct value *v = &c->values.at[value];
	uint32_t f = pointers_direct(c, code_operands(c, v)[0]);
	if (f == NONE)
		return (model_pointers(x->fates->model)->call_flags[value] & CALL_UNKNOWN) && (w->escaped || w->unknown);
	const struct function *callee = &c->functions.at[c->functions.at[f].leader];
	if (callee->flags & FUNCTION_DEFINED)
		return false;
	struct reading r = reading_of(following_callee(x, callee));
	if (r.left && (w->escaped || w->unknown))
		return true;
	for (uint32_t i = 0; i + 1 < v->operand_count; i++)
		if (reads_argument(&r, i) && argument_leads(x, w, lane, call, v, i))
			return true;
	return false;
}

/* The call this event tells, NONE: it does not say which. */
static uint32_t call_at(const struct following *x, uint32_t place)
{
	uint64_t identity = strtoull(book_say(x->canon->book, x->canon->book->place.at[place].own), NULL, 16);
	uint64_t *found = identity ? map_get(&x->fates->calls, identity) : NULL;
	return found ? (uint32_t)*found : NONE;
}

/* The next of the calls that stand in its line, behind place `*at` of the tables: steered runs tell no more.  NONE: there is none. */
static uint32_t next_in_line(const struct following *x, uint32_t place, size_t *at)
{
	const struct fault_places *p = &x->judged->golden->places;
	const struct named_place *line = &x->canon->book->place.at[place];
	for (; *at < p->all.count; ++*at) {
		const struct fault_place *s = &p->all.at[*at];
		const char *slash = strrchr(s->file, '/');
		if (s->kind != PLACE_CALL || s->line != line->line || strcmp(slash ? slash + 1 : s->file, book_say(x->canon->book, line->file)))
			continue;
		uint32_t call = following_instruction(x, s);
		if (call != NONE && following_code(x)->values.at[call].op == OP_CALL && following_code(x)->values.at[call].operand_count) {
			++*at;
			return call;
		}
	}
	return NONE;
}

static void note_reader(struct following *x, uint32_t place, uint32_t call)
{
	const struct code *c = following_code(x);
	uint32_t f = call == NONE ? NONE : pointers_direct(c, code_operands(c, &c->values.at[call])[0]);
	char where[300];
	snprintf(x->by, sizeof x->by, "%.100s%s%.250s may have read it", f == NONE ? "a library" : following_callee(x, &c->functions.at[f]), place ? " at " : "",
		place ? book_where(x->canon->book, place, where, sizeof where) : "");
}

/* An event that does not say which call it is, and stands in no line that has one, is a library's. */
static bool is_read_by(struct following *x, const struct written *w, const struct canon_lane *lane, size_t event)
{
	const struct canon_event *e = canon_at(lane, event);
	uint32_t call = e->kind == EV_CALL ? call_at(x, e->place) : NONE;
	bool by_line = e->kind == EV_CALL && call == NONE, any = false, read = false;
	size_t at = 0;
	if (by_line)
		call = next_in_line(x, e->place, &at);
	while (call != NONE && !read) {
		any = true;
		read = is_read_in(x, w, lane, event, call);
		if (!read)
			call = by_line ? next_in_line(x, e->place, &at) : NONE;
	}
	if (!any)
		read = w->escaped || w->unknown;
	if (read)
		note_reader(x, e->place, call);
	return read;
}

/* Calls of one thread between two moments; one of another thread that had not come back at the first counts too. */
static bool look_at_lane(struct following *x, const struct written *w, const struct canon_lane *lane, uint64_t from, uint64_t until)
{
	for (size_t i = 0; i < lane->count && lane->order.at[i] < until; i++) {
		const struct canon_event *e = canon_at(lane, i);
		if (e->kind != EV_CALL && e->kind != EV_EXIT)
			continue;
		bool runs = lane != x->lane && (i + 1 == lane->count || lane->order.at[i + 1] > from);
		if ((lane->order.at[i] > from || runs) && is_read_by(x, w, lane, i))
			return true;
	}
	return false;
}

bool follow_outside(struct following *x, uint64_t from, uint64_t until)
{
	struct written w = { 0 };
	if (!x->fates->model) {
		snprintf(x->by, sizeof x->by, "a library may have read it");
		return true;
	}
	find_written(x, &w);
	bool read = is_read_unwatched(x, &w);
	if (read)
		snprintf(x->by, sizeof x->by, "code that is not watched may have read it");
	uint32_t silent = !read && x->judged->config->schedule ? is_read_silently(x, &w) : NONE;
	if (silent != NONE) {
		note_reader(x, 0, silent);
		read = true;
	}
	for (uint32_t i = 0; i < x->canon->lane_count && !read; i++)
		read = look_at_lane(x, &w, &x->canon->lanes[i], from, until);
	vec_release(&w.objects);
	return read;
}

/* By what events of calls are known. */
void outside_index(struct fates *f)
{
	const struct code *c = model_code(f->model);
	for (uint32_t i = 1; i < c->values.count; i++) {
		const struct value *v = &c->values.at[i];
		if (v->op != OP_CALL || v->function == NONE || v->ordinal == NONE)
			continue;
		const struct function *in = &c->functions.at[v->function];
		*map_put(&f->calls, site_identity(code_text(c, c->units.at[in->unit].name), code_text(c, in->name), v->ordinal), NULL) = i;
	}
	model_pointers(f->model);                       /* once, not in each copy of this process */
}
