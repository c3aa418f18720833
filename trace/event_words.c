/* trace/event_words.c -- see event_words.h.  One sentence per kind: verb, object, what came of it. */
#include "trace/event_words.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/str.h"
#include "trace/inside.h"
#include "trace/text_words.h"
#include "wire/line.h"

/* "5", "-1", "0x7fff..." of a value of so many bytes, into at least 40 bytes. */
static char *value_words(char *into, uint64_t low, uint64_t high, unsigned size)
{
	unsigned bits = size && size < 8 ? size * 8 : 64;
	int64_t value = (int64_t)(low << (64 - bits)) >> (64 - bits);
	if (high)
		sprintf(into, "0x%" PRIx64 "%016" PRIx64, high, low);
	else if (value > -1000000 && value < 10000000)
		sprintf(into, "%" PRId64, value);
	else
		sprintf(into, "0x%" PRIx64, low);
	return into;
}

/* The verb of a kind, before its object; an object follows unless it ends in '.'. */
static const char *const verbs[EV_COUNT] = {
	[EV_BEGIN] = "begins.", [EV_FORK] = "creates", [EV_JOIN] = "joins", [EV_DETACH] = "detaches",
	[EV_CANCEL] = "cancels", [EV_PROCESS] = "forks process", [EV_YIELD] = "yields.",
	[EV_READ] = "reads", [EV_WRITE] = "writes", [EV_ALOAD] = "atomically reads", [EV_ASTORE] = "atomically writes",
	[EV_RMW] = "atomically changes", [EV_FENCE] = "fence.", [EV_LIBREAD] = "library reads",
	[EV_LIBWRITE] = "library writes", [EV_COPY] = "copies to", [EV_UNLOCK] = "unlocks",
	[EV_TRYFAIL] = "does not get", [EV_BLOCK] = "waits for", [EV_LOCKINIT] = "initialises",
	[EV_LOCKDEAD] = "destroys", [EV_CWAIT] = "waits on", [EV_CWAKE] = "wakes from", [EV_CSIGNAL] = "signals",
	[EV_CBROADCAST] = "broadcasts", [EV_BENTER] = "arrives at barrier", [EV_BLEAVE] = "leaves barrier",
	[EV_SWAIT] = "takes semaphore", [EV_SPOST] = "posts semaphore", [EV_ONCE] = "passes once",
	[EV_ONCERUN] = "runs once", [EV_KEYDTOR] = "destroys the value of key", [EV_FWAIT] = "futex-waits on",
	[EV_FWAKE] = "futex-wakes", [EV_ALLOC] = "allocates", [EV_FREE] = "frees", [EV_REALLOC] = "reallocates to",
	[EV_MAP] = "maps", [EV_UNMAP] = "unmaps", [EV_STACK] = "has a stack.", [EV_TLS] = "has a thread-local block.",
	[EV_ENTER] = "enters.", [EV_LEAVE] = "leaves.", [EV_CALL] = "calls.", [EV_BRANCH] = "branches.",
	[EV_LANDED] = "lands here.", [EV_SIGENTER] = "handles signal", [EV_SIGLEAVE] = "has handled signal",
	[EV_SIGSEND] = "sends a signal to", [EV_INPUT] = "gets input into", [EV_OUTPUT] = "puts output from",
	[EV_OUTCALL] = "asks the outside:.", [EV_FAILURE] = "FAILS.", [EV_EXIT] = "exits.",
	[EV_INJECT] = "gets a fault injected at", [EV_KEYFRAME] = "key frame.", [EV_TIME] = "time.",
	[EV_LOST] = "records lost.", [EV_LABEL] = "label.",
	[EV_CHOICE] = "chooses.",
	[EV_FLUSH] = "memory gets", [EV_IGNORE] = "ignores.", [EV_FRAMES] = "is inside other functions.",
	[EV_RESULT] = "gets.", [EV_ARGUMENT] = "passes.", [EV_SHUT] = "closes descriptor.", [EV_OPENED] = "has a new descriptor.", [EV_LEFT] = "leaves",
	[EV_ATOMIC] = "is atomic.", [EV_ASSUME] = "assumes.", [EV_LOCAL] = "has a local"
};

/* What goes through a pipe and its like is told as what was done there. */
static const char *handed_verb(const struct event *ev)
{
	bool gives = ev->kind == EV_RELEASE;
	if (line_is(ev->object) && line_says_closed(ev->object))
		return gives ? "closes" : "sees the end of";
	if (line_is(ev->object))
		return gives ? "writes into" : "reads from";
	if (handed_words(ev->object))
		return gives ? "sends by" : "receives from";
	return gives ? "hands over" : "sees what was handed over at";
}

static const char *verb_of(const struct event *ev)
{
	switch (ev->kind) {
	case EV_END:
		return ev->result == 2 ? "ends, cancelled." : ev->result == 1 ? "ends by pthread_exit." : "ends.";
	case EV_CAS:
		return ev->failed ? "fails to exchange" : "exchanges";
	case EV_LOCK:
		return ev->arg & LOCK_FOR_READING ? "locks for reading" : "locks";
	case EV_NAME:
		return ev->object ? "names." : "is named.";
	case EV_RELEASE: case EV_ACQUIRE:
		return handed_verb(ev);
	case EV_MODULE:
		return ev->arg ? "loads an object at" : "unloads the object at";
	default:
		return ev->kind < EV_COUNT && verbs[ev->kind] ? verbs[ev->kind] : "?.";
	}
}

/* "table+8" is part of "table". */
static bool is_part_of(const char *name, const char *whole)
{
	size_t n = strlen(whole);
	return !strncmp(name, whole, n) && (!name[n] || name[n] == '+');
}

static void say_object(struct sentence *s, struct trace *t, const struct objects *o, const struct event *ev, uint64_t object)
{
	char name[256];
	enum object_form form = object_form(ev->kind);
	bool access = ev->kind == EV_READ || ev->kind == EV_WRITE || event_class(ev->kind) == CLASS_ATOMIC;
	if (form == FORM_THREAD || (ev->kind == EV_BLOCK && ev->arg == EV_JOIN)) {
		if (object < trace_thread_count(t))
			str_say(s, " %s", trace_thread(t, (struct thread_id){ (uint32_t)object })->path);
		else
			str_say(s, " an unknown thread");
	} else if (form == FORM_NUMBER) {
		str_say(s, " %" PRIu64, object);
	} else {
		objects_name(o, object, name, sizeof name);
		const char *variable = access && ev->name ? trace_shown(t, ev->name) : "";
		if (*variable && !is_part_of(name, variable))
			str_say(s, " %s (%s)", variable, name);
		else
			str_say(s, " %s", name);
	}
}

static void say_named(struct sentence *s, struct trace *t, uint64_t uid)
{
	struct thread_id other = trace_thread_of_uid(t, uid);
	str_say(s, " %s", other.i < trace_thread_count(t) ? trace_thread(t, other)->path : "another thread");
}

/* Payload as text, as far as it is text. */
static void say_bytes(struct sentence *s, const struct event *ev)
{
	char shown[256];
	size_t n = 0, most = ev->kind == EV_FAILURE ? sizeof shown - 1 : 48;
	for (uint32_t i = 0; i < ev->byte_count && n < most && ev->bytes[i]; i++)
		shown[n++] = isprint(ev->bytes[i]) ? (char)ev->bytes[i] : '.';
	shown[n] = 0;
	if (n)
		str_say(s, " \"%s\"%s", shown, ev->cut || (n == most && n < ev->byte_count) ? "..." : "");
}

static void say_value(struct sentence *s, const struct event *ev)
{
	char value[48], written[48];
	value_words(value, ev->arg, ev->arg_high, ev->size);
	value_words(written, ev->written, ev->written_high, ev->size);
	if (ev->kind == EV_RMW || (ev->kind == EV_CAS && !ev->failed))
		str_say(s, ": %s -> %s", value, written);
	else if (ev->kind == EV_CAS)
		str_say(s, ": finds %s", value);
	else if (ev->has_value || kind_is_atomic(ev->kind))
		str_say(s, " = %s", value);
	if (kind_is_atomic(ev->kind) && ev->order < ORDER_SEQ_CST)
		str_say(s, " (%s)", order_words[ev->order]);
}

static void say_callee(struct sentence *s, struct trace *t, const struct event *ev)
{
	const char *target = ev->object ? trace_function_at(t, ev->object) : NULL;
	if (ev->name && *ev->name)
		str_say(s, " %s", trace_shown(t, ev->name));
	else                            /* a steered run knows calls by where they lead */
		str_say(s, "%s%s%s", target ? " " : "", target ? trace_shown(t, target) : "", target && trace_flags(t) & TRACE_CALLS ? "" : " through a pointer");
}

static void say_range(struct sentence *s, const struct event *ev)
{
	str_say(s, ", %" PRIu64 " byte%s", ev->arg, ev->arg == 1 ? "" : "s");
	if (ev->kind == EV_INPUT || ev->kind == EV_OUTPUT)
		say_bytes(s, ev);
	if (ev->name && event_class(ev->kind) == CLASS_MEMORY)
		str_say(s, " in %s", ev->name);
}

static void say_rest(struct sentence *s, struct trace *t, const struct objects *o, const struct event *ev)
{
	char name[256];
	switch (ev->kind) {
	case EV_READ: case EV_WRITE: case EV_ALOAD: case EV_ASTORE: case EV_RMW: case EV_CAS:
		say_value(s, ev);
		break;
	case EV_RESULT: case EV_ARGUMENT:
		if (ev->name && *ev->name)
			str_say(s, " %s", trace_shown(t, ev->name));
		say_value(s, ev);
		break;
	case EV_FENCE:
		str_say(s, " %s", ev->order <= ORDER_SEQ_CST ? order_words[ev->order] : "?");
		break;
	case EV_ALLOC: case EV_REALLOC: case EV_MAP: case EV_UNMAP: case EV_LEFT: case EV_LOCAL: case EV_STACK: case EV_TLS: case EV_LIBREAD: case EV_LIBWRITE:
	case EV_COPY: case EV_INPUT: case EV_OUTPUT:
		say_range(s, ev);
		break;
	case EV_FLUSH:
		str_say(s, ", %u byte%s from %s", ev->size, ev->size == 1 ? "" : "s",
			ev->arg < trace_thread_count(t) ? trace_thread(t, (struct thread_id){ (uint32_t)ev->arg })->path : "an unknown thread");
		break;
	case EV_CWAIT: case EV_CWAKE:
		str_say(s, " with %s", objects_name(o, ev->arg, name, sizeof name));
		break;
	case EV_CALL:
		say_callee(s, t, ev);
		break;
	case EV_ENTER: case EV_LEAVE:
		str_say(s, " %s", ev->name && *ev->name ? trace_shown(t, ev->name) : place_function(t, ev->place));
		break;
	case EV_BRANCH:
		str_say(s, " way %" PRIu64, ev->arg);
		break;
	case EV_FAILURE:
		if (ev->arg)
			str_say(s, " signal %" PRIu64, ev->arg);
		say_bytes(s, ev);
		break;
	case EV_EXIT:
		str_say(s, " with %" PRIu64, ev->arg);
		break;
	case EV_CHOICE:
		str_say(s, " %" PRIu64 " of %" PRIu64, ev->arg, ev->object);
		break;
	case EV_LOST: case EV_SHUT: case EV_OPENED:
		str_say(s, " %" PRIu64, ev->arg);
		break;
	case EV_NAME:
		if (ev->object)
			say_named(s, t, ev->object);
		say_bytes(s, ev);
		break;
	case EV_LABEL: case EV_OUTCALL:
		say_bytes(s, ev);
		break;
	case EV_ONCE:
		str_say(s, ev->arg ? ", having run it" : "");
		break;
	}
}

char *event_words(char *into, struct trace *t, const struct objects *o, const struct event *ev)
{
	struct sentence s = { into, WORDS_ROOM };
	const char *verb = verb_of(ev);
	size_t n = strlen(verb);
	bool alone = verb[n - 1] == '.';
	str_say(&s, "%.*s", (int)(n - alone), verb);
	if (ev->kind == EV_BLOCK)
		str_say(&s, " %s", wait_words((uint32_t)ev->arg));
	if (!alone)
		say_object(&s, t, o, ev, ev->object);
	say_rest(&s, t, o, ev);
	enum event_class class = event_class(ev->kind);
	bool errno_like = class != CLASS_OBJECT && class != CLASS_MEMORY && class != CLASS_BOOK && class != CLASS_FLOW
		&& ev->kind != EV_END && ev->kind != EV_BLEAVE;
	if (ev->result && errno_like)
		str_say(&s, " (%s)", ev->result > 0 ? strerrorname_np(ev->result) ? strerrorname_np(ev->result) : "failed" : "failed");
	if (ev->waits)
		str_say(&s, " (waits)");
	if (ev->in_flight)
		str_say(&s, " (not finished)");
	return into;
}
