/* analyses/epa/faults.c -- see faults.h. */
#include "analyses/epa/faults.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"

/* ---- the kinds ---- */

enum aim { AT_PLACE, AT_ARGUMENT, AT_RESULT };
enum wants { WANTS_NOTHING, WANTS_BIT, WANTS_STUCK, WANTS_VALUE, WANTS_PERCENT, WANTS_ERRNO, WANTS_MS };

#define VALUES (PLACE_BIT(PLACE_READ) | PLACE_BIT(PLACE_WRITE) | PLACE_BIT(PLACE_RESULT) | PLACE_BIT(PLACE_ARGUMENT))
#define ATOMIC PLACE_BIT(PLACE_ATOMIC)  /* the value read by a load, the operand of what writes */
#define CALLS  PLACE_BIT(PLACE_CALL)
#define ANY    (VALUES | CALLS | ATOMIC | PLACE_BIT(PLACE_BRANCH))

/* Functions a kind is about, each with the argument meant, 1, 2, ...; or for Fail what it returns then. */
struct callee { const char *name; int64_t number; };

static const struct callee allocators[] = { { "malloc", 1 }, { "calloc", 1 }, { "realloc", 2 }, { "aligned_alloc", 2 },
	{ "_Znwm", 1 }, { "_Znam", 1 }, { NULL, 0 } };                 /* operator new, new[] */
static const struct callee streams[] = { { "fread", 2 }, { "fwrite", 2 }, { NULL, 0 } };
static const struct callee creators[] = { { "pthread_create", 4 }, { "thrd_create", 3 }, { NULL, 0 } };
static const struct callee droppable[] = { { "pthread_mutex_lock", 0 }, { "pthread_mutex_unlock", 0 }, { "pthread_cond_signal", 0 },
	{ "pthread_cond_broadcast", 0 }, { "pthread_rwlock_rdlock", 0 }, { "pthread_rwlock_wrlock", 0 }, { "pthread_rwlock_unlock", 0 },
	{ "pthread_spin_lock", 0 }, { "pthread_spin_unlock", 0 }, { "sem_post", 0 }, { "sem_wait", 0 }, { "mtx_lock", 0 }, { "mtx_unlock", 0 },
	{ "cnd_signal", 0 }, { "cnd_broadcast", 0 }, { "pthread_barrier_wait", 0 }, { NULL, 0 } };

#define RETURNS_ERRNO INT64_MAX         /* the error number itself */
static const struct callee failing[] = { { "malloc", 0 }, { "calloc", 0 }, { "realloc", 0 }, { "aligned_alloc", 0 }, { "fopen", 0 }, { "fread", 0 },
	{ "fwrite", 0 }, { "read", -1 }, { "write", -1 }, { "open", -1 }, { "close", -1 }, { "recv", -1 }, { "send", -1 }, { "sem_wait", -1 },
	{ "sem_post", -1 }, { "pthread_", RETURNS_ERRNO }, { NULL, 0 } };

static const struct fault_type {
	const char *name, *help;
	uint32_t kinds;
	enum fault_op op;
	enum wants wants;
	enum aim aim;
	const struct callee *callees;           /* NULL: any */
	uint64_t otherwise;                     /* `a` where none is given; UINT64_MAX: it must be */
} types[] = {
	{ "BitFlip", "BitFlip:<bit>  a bit of a value is turned over", VALUES | ATOMIC, FAULT_FLIP, WANTS_BIT, AT_PLACE, NULL, UINT64_MAX },
	{ "StuckAt", "StuckAt:<bit>,<0|1>[,<times>]  a bit is 0 or 1 from then on", VALUES | ATOMIC, FAULT_STUCK, WANTS_STUCK, AT_PLACE, NULL, UINT64_MAX },
	{ "Value", "Value:<number>  another value", VALUES | ATOMIC, FAULT_SET, WANTS_VALUE, AT_PLACE, NULL, UINT64_MAX },
	{ "Skip", "Skip  an instruction is left out: a value is what it was the time before, a store or call is not made", VALUES | CALLS, FAULT_OLD,
		WANTS_NOTHING, AT_PLACE, NULL, 0 },
	{ "WrongBranch", "WrongBranch  the other way is taken, of a switch another one", PLACE_BIT(PLACE_BRANCH), FAULT_OTHER, WANTS_NOTHING, AT_PLACE, NULL, 0 },
	{ "CallCorr", "CallCorr[:<bit>]  a bit of a call's first argument is turned over", CALLS, FAULT_FLIP, WANTS_BIT, AT_ARGUMENT, NULL, 0 },
	{ "MallSize", "MallSize[:<percent>]  malloc, calloc, realloc, new are asked for so much of it", CALLS, FAULT_PERCENT, WANTS_PERCENT, AT_ARGUMENT, allocators, 50 },
	{ "InvalPtr", "InvalPtr[:<bit>]  a bit of the pointer they return is turned over", CALLS, FAULT_FLIP, WANTS_BIT, AT_RESULT, allocators, 5 },
	{ "FileSize", "FileSize[:<percent>]  fread, fwrite are asked for so much of it", CALLS, FAULT_PERCENT, WANTS_PERCENT, AT_ARGUMENT, streams, 200 },
	{ "ThreadArg", "ThreadArg[:<bit>]  a bit of what a new thread is given is turned over", CALLS, FAULT_FLIP, WANTS_BIT, AT_ARGUMENT, creators, 0 },
	{ "Drop", "Drop  a lock, unlock, signal, post or wait is not made", CALLS, FAULT_SKIP, WANTS_NOTHING, AT_PLACE, droppable, 0 },
	{ "Fail", "Fail[:<errno>]  malloc, read, write, pthread_... fail", CALLS, FAULT_SKIP, WANTS_ERRNO, AT_PLACE, failing, 0 },
	{ "Delay", "Delay:<ms>  so long nothing happens there", ANY, FAULT_DELAY, WANTS_MS, AT_PLACE, NULL, UINT64_MAX },
};
#define TYPES (sizeof types / sizeof *types)

const struct fault_type *fault_type_at(size_t i)
{
	return i < TYPES ? &types[i] : NULL;
}

const char *fault_type_name(const struct fault_type *t)
{
	return t->name;
}

/* ---- a fault as it is written ---- */

static int refuse(struct err *why)
{
	why->code = 2;
	return -1;
}

static const struct { const char *name; int number; } errnos[] = { { "ENOMEM", ENOMEM }, { "EAGAIN", EAGAIN }, { "EINTR", EINTR }, { "EIO", EIO },
	{ "EINVAL", EINVAL }, { "EBADF", EBADF }, { "ENOSPC", ENOSPC }, { "EPERM", EPERM }, { "EBUSY", EBUSY }, { "EDEADLK", EDEADLK },
	{ "ETIMEDOUT", ETIMEDOUT }, { "EPIPE", EPIPE }, { "EACCES", EACCES }, { "ENOENT", ENOENT } };

static bool number_of_error(const char *text, uint64_t *out)
{
	for (size_t i = 0; i < sizeof errnos / sizeof *errnos; i++)
		if (!strcmp(text, errnos[i].name)) {
			*out = (uint64_t)errnos[i].number;
			return true;
		}
	return str_number(text, out) && *out > 0 && *out < 4096;
}

static bool number_of_value(const char *text, uint64_t *out)
{
	if (*text != '-')
		return str_number(text, out);
	if (!str_number(text + 1, out))
		return false;
	*out = -*out;
	return true;
}

/* <bit>,<0|1>[,<times>] */
static bool take_stuck(struct fault *f, const char *given)
{
	char text[64], *rest = text, *bit, *to, *times;
	snprintf(text, sizeof text, "%s", given);
	bit = strsep(&rest, ",");
	to = strsep(&rest, ",");
	times = rest;
	f->times = UINT64_MAX;
	return str_number(bit, &f->a) && f->a < 64 && to && str_number(to, &f->b) && f->b < 2 && (!times || (str_number(times, &f->times) && f->times));
}

static bool take_argument(struct fault *f, const char *given)
{
	switch (f->type->wants) {
	case WANTS_BIT:     return str_number(given, &f->a) && f->a < 64;
	case WANTS_STUCK:   return take_stuck(f, given);
	case WANTS_VALUE:   return number_of_value(given, &f->a);
	case WANTS_PERCENT: return str_number(given, &f->a) && f->a <= 1000000 && f->a != 100;
	case WANTS_ERRNO:   return number_of_error(given, &f->b);
	case WANTS_MS:      return str_number(given, &f->a) && f->a && f->a <= 3600000;
	default:            return false;
	}
}

static int unknown_type(const char *name, struct err *why)
{
	char all[256] = "";
	for (size_t i = 0; i < TYPES; i++)
		snprintf(all + strlen(all), sizeof all - strlen(all), "%s%s", i ? ", " : "", types[i].name);
	err_set(why, "'%.64s' is not a kind of fault", name);
	err_hint(why, "there are %.200s", all);
	return refuse(why);
}

int fault_parse(struct fault *f, const char *text, struct err *why)
{
	char name[64];
	size_t length = strcspn(text, ":");
	memset(f, 0, sizeof *f);
	snprintf(name, sizeof name, "%.*s", (int)length, text);
	for (size_t i = 0; i < TYPES; i++)
		if (!strcmp(name, types[i].name))
			f->type = &types[i];
	if (!f->type)
		return unknown_type(name, why);
	snprintf(f->text, sizeof f->text, "%s", text);
	f->times = 1;
	f->a = f->type->otherwise;
	if (text[length] ? take_argument(f, text + length + 1) : f->a != UINT64_MAX) {
		if (f->type->wants == WANTS_MS)
			f->a *= 1000000u;
		return 0;
	}
	err_set(why, "'%.64s' is not a fault as it is written", text);
	err_hint(why, "%s", f->type->help);
	return refuse(why);
}

/* ---- a site as it is written ---- */

int fault_site_parse(struct fault_site *s, const char *text, struct err *why)
{
	const char *colon = strchr(text, ':'), *at = strrchr(text, '@');
	bool thread = str_starts(text, "T_") && isdigit((unsigned char)text[2]) && colon && (size_t)(colon - text) < sizeof s->thread;
	memset(s, 0, sizeof *s);
	s->first = 1;
	snprintf(s->thread, sizeof s->thread, "%.*s", thread ? (int)(colon - text) : 3, thread ? text : "T_0");
	if (thread)
		text = colon + 1;
	size_t length = at ? (size_t)(at - text) : strlen(text);
	if (length && length < sizeof s->place && (!at || (str_number(at + 1, &s->first) && s->first))) {
		memcpy(s->place, text, length);
		return 0;
	}
	err_set(why, "'%.200s' is not a site as it is written", text);
	err_hint(why, "a thread, a place, and for the how-many-th time: T_0_1:work#3@2; 'raddle sites' lists them");
	return refuse(why);
}

/* ---- a fault at a place ---- */

static const struct callee *callee_of(const struct fault_type *t, const char *name)
{
	for (const struct callee *c = t->callees; c && c->name; c++)
		if (!strcmp(name, c->name) || (c->number == RETURNS_ERRNO && str_starts(name, c->name)))
			return c;
	return NULL;
}

const struct fault_place *fault_really_at(const struct fault *f, const struct fault_places *p, const struct fault_place *s)
{
	const struct callee *c = callee_of(f->type, s->name);
	if (f->type->aim == AT_ARGUMENT)
		return place_argument(p, s, c ? (unsigned)c->number : 1);
	return f->type->aim == AT_RESULT ? place_result(p, s) : s;
}

bool fault_applies(const struct fault *f, const struct fault_places *p, const struct fault_place *s)
{
	if (!(f->type->kinds & PLACE_BIT(s->kind)) || (f->type->callees && !callee_of(f->type, s->name)))
		return false;
	const struct fault_place *real = fault_really_at(f, p, s);
	if (!real || real->size > 8 || real->elements != 1)
		return false;
	return real->kind != PLACE_CALL || real->skips;
}

bool fault_asks_otherwise(const struct fault *f)
{
	return f->type->callees == allocators ? f->type->aim == AT_ARGUMENT : f->type->callees == streams;
}

/* Loads and stores of 3, 5, 6 or 7 bytes do not go through a hook in a steered body. */
static bool is_hooked(const struct fault_place *s)
{
	return (s->kind != PLACE_READ && s->kind != PLACE_WRITE) || !(s->size & (s->size - 1));
}

bool fault_is_steerable(const struct fault *f, const struct fault_places *p, const struct fault_place *s)
{
	const struct fault_place *real = fault_really_at(f, p, s);
	return real && is_hooked(real) && f->type->op != FAULT_DELAY;   /* nobody else runs meanwhile: it would change nothing */
}

/* The order for the runtime, at a place to which the fault applies. */
static void order_at(const struct fault *f, const struct fault_places *p, const struct fault_place *s, const struct fault_site *at,
	struct fault_order *order)
{
	const struct fault_place *real = fault_really_at(f, p, s);
	const struct callee *c = callee_of(f->type, s->name);
	*order = (struct fault_order){ .op = f->type->op, .nth = real->nth, .descriptor = real->descriptor, .a = f->a, .b = f->b,
		.first = at->first, .times = f->times };
	if (s->kind == PLACE_CALL && f->type->op == FAULT_OLD)
		order->op = FAULT_SKIP;
	if (f->type->wants == WANTS_ERRNO) {
		bool returns_it = c && c->number == RETURNS_ERRNO;
		uint64_t number = f->b ? f->b : returns_it ? EAGAIN : c && strstr(c->name, "alloc") ? ENOMEM : EIO;
		order->a = returns_it ? number : (uint64_t)(c ? c->number : 0);
		order->b = returns_it ? 0 : number;
	}
	for (size_t i = 0; i < sizeof order->build_id && p->build_id[2 * i]; i++) {
		char byte[3] = { p->build_id[2 * i], p->build_id[2 * i + 1], 0 };
		order->build_id[i] = (uint8_t)strtoul(byte, NULL, 16);
		order->build_id_bytes = (uint32_t)i + 1;
	}
	memcpy(order->path, at->thread, sizeof order->path);
}

/* As many as there is room for, each as it can be given. */
static int several(const struct fault *f, const struct fault_places *p, const struct fault_site *at, struct err *why)
{
	char name[1024], list[sizeof why->hint] = "";
	size_t used = 0, more = 0;
	const char *functions = NULL;
	bool one_function = true;
	for (size_t i = 0; i < p->all.count; i++) {
		const struct fault_place *s = &p->all.at[i];
		if (!place_is(s, at->place) || !fault_applies(f, p, s))
			continue;
		one_function &= !functions || !strcmp(functions, s->linkage);
		functions = s->linkage;
		place_say(s, name, sizeof name);
		if (used + strlen(name) + strlen(s->function) + 40 < sizeof list / 2 + 90)
			used += (size_t)snprintf(list + used, sizeof list - used, "%s%s in %s", used ? ", " : "", name, s->function);
		else
			more++;
	}
	err_set(why, "'%.200s' at '%.200s' is more than one place", f->text, at->place);
	if (more)
		snprintf(list + used, sizeof list - used, "%s%zu more", used ? ", " : "", more);
	err_hint(why, "give one of %s%s", list, one_function ? "" : "; or <file>:<line>:<function>");
	return refuse(why);
}

/* Why it cannot be there: the place is of a kind it is about, or its help says what it is about. */
static const char *reason_against(const struct fault *f, const struct fault_places *p, const struct fault_place *s)
{
	if (!(f->type->kinds & PLACE_BIT(s->kind)) || (f->type->callees && !callee_of(f->type, s->name)))
		return f->type->help;
	const struct fault_place *real = fault_really_at(f, p, s);
	if (!real)
		return f->type->aim == AT_RESULT ? "what a call that may throw gives is not seen, nor what nobody uses" : "that argument is not seen: it is a constant function or wider than 64 bytes";
	if (real->kind == PLACE_CALL)
		return "a call that may throw, or behind which nothing stands, cannot be left out";
	return "the value has several elements or more than eight bytes: faults are made in single ones of up to eight";
}

const struct fault_place *fault_aim(const struct fault *f, const struct fault_places *p, const struct fault_site *at, struct fault_order *order,
	struct err *why)
{
	const struct fault_place *found = NULL, *near = NULL;
	for (size_t i = 0; i < p->all.count; i++) {
		const struct fault_place *s = &p->all.at[i];
		if (!place_is(s, at->place))
			continue;
		near = s;
		if (!fault_applies(f, p, s))
			continue;
		if (found) {
			several(f, p, at, why);
			return NULL;
		}
		found = s;
	}
	if (found) {
		order_at(f, p, found, at, order);
		return found;
	}
	if (near) {
		const char *word = place_word(near);
		err_set(why, "'%.64s' cannot be made at '%.200s', a%s %s%s%.100s", f->text, at->place, *word == 'a' ? "n" : "", word, *near->name ? " of " : "",
			near->name);
		err_hint(why, "%s", reason_against(f, p, near));
	} else {
		err_set(why, "no place is called '%.200s'", at->place);
		err_hint(why, "'raddle sites' lists them");
	}
	refuse(why);
	return NULL;
}
