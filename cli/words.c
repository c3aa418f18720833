/* cli/words.c -- see words.h.  One sentence per kind: verb, object, what came of it. */
#include "cli/words.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "trace/text_words.h"

struct sentence { char *at; size_t room; };

__attribute__((format(printf, 2, 3)))
static void say(struct sentence *s, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	int n = vsnprintf(s->at, s->room, format, args);
	va_end(args);
	size_t used = n < 0 ? 0 : (size_t)n < s->room ? (size_t)n : s->room - 1;
	s->at += used;
	s->room -= used;
}

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
static const char *verb_of(const struct event *ev)
{
	switch (ev->kind) {
	case EV_BEGIN:      return "begins.";
	case EV_END:        return ev->result == 2 ? "ends, cancelled." : ev->result == 1 ? "ends by pthread_exit." : "ends.";
	case EV_FORK:       return "creates";
	case EV_JOIN:       return "joins";
	case EV_DETACH:     return "detaches";
	case EV_CANCEL:     return "cancels";
	case EV_NAME:       return "is named.";
	case EV_PROCESS:    return "forks process";
	case EV_YIELD:      return "yields.";
	case EV_READ:       return "reads";
	case EV_WRITE:      return "writes";
	case EV_ALOAD:      return "atomically reads";
	case EV_ASTORE:     return "atomically writes";
	case EV_RMW:        return "atomically changes";
	case EV_CAS:        return ev->failed ? "fails to exchange" : "exchanges";
	case EV_FENCE:      return "fence.";
	case EV_LIBREAD:    return "library reads";
	case EV_LIBWRITE:   return "library writes";
	case EV_COPY:       return "copies to";
	case EV_LOCK:       return (ev->arg & 0xff) ? "locks for reading" : "locks";
	case EV_UNLOCK:     return "unlocks";
	case EV_TRYFAIL:    return "does not get";
	case EV_BLOCK:      return "waits for";
	case EV_LOCKINIT:   return "initialises";
	case EV_LOCKDEAD:   return "destroys";
	case EV_CWAIT:      return "waits on";
	case EV_CWAKE:      return "wakes from";
	case EV_CSIGNAL:    return "signals";
	case EV_CBROADCAST: return "broadcasts";
	case EV_BENTER:     return "arrives at barrier";
	case EV_BLEAVE:     return "leaves barrier";
	case EV_SWAIT:      return "takes semaphore";
	case EV_SPOST:      return "posts semaphore";
	case EV_ONCE:       return "passes once";
	case EV_ONCERUN:    return "runs once";
	case EV_KEYDTOR:    return "destroys the value of key";
	case EV_FWAIT:      return "futex-waits on";
	case EV_FWAKE:      return "futex-wakes";
	case EV_ALLOC:      return "allocates";
	case EV_FREE:       return "frees";
	case EV_REALLOC:    return "reallocates to";
	case EV_MAP:        return "maps";
	case EV_UNMAP:      return "unmaps";
	case EV_STACK:      return "has a stack.";
	case EV_TLS:        return "has a thread-local block.";
	case EV_ENTER:      return "enters.";
	case EV_LEAVE:      return "leaves.";
	case EV_CALL:       return "calls.";
	case EV_BRANCH:     return "branches.";
	case EV_LANDED:     return "lands here.";
	case EV_SIGENTER:   return "handles signal";
	case EV_SIGLEAVE:   return "has handled signal";
	case EV_SIGSEND:    return "sends a signal to";
	case EV_INPUT:      return "gets input into";
	case EV_OUTPUT:     return "puts output from";
	case EV_OUTCALL:    return "asks the outside:.";
	case EV_FAILURE:    return "FAILS.";
	case EV_EXIT:       return "exits.";
	case EV_INJECT:     return "gets a fault injected at";
	case EV_KEYFRAME:   return "key frame.";
	case EV_TIME:       return "time.";
	case EV_MODULE:     return ev->arg ? "loads an object at" : "unloads the object at";
	case EV_LOST:       return "records lost.";
	case EV_LABEL:      return "label.";
	default:            return "?.";
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
			say(s, " %s", trace_thread(t, (struct thread_id){ (uint32_t)object })->path);
		else
			say(s, " an unknown thread");
	} else if (form == FORM_NUMBER) {
		say(s, " %" PRIu64, object);
	} else {
		objects_name(o, object, name, sizeof name);
		const char *variable = access && ev->name ? trace_shown(t, ev->name) : "";
		if (*variable && !is_part_of(name, variable))
			say(s, " %s (%s)", variable, name);
		else
			say(s, " %s", name);
	}
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
		say(s, " \"%s\"%s", shown, ev->cut || (n == most && n < ev->byte_count) ? "..." : "");
}

static void say_value(struct sentence *s, const struct event *ev)
{
	char value[48], written[48];
	value_words(value, ev->arg, ev->arg_high, ev->size);
	value_words(written, ev->written, 0, ev->size);
	if (ev->kind == EV_RMW || (ev->kind == EV_CAS && !ev->failed))
		say(s, ": %s -> %s", value, written);
	else if (ev->kind == EV_CAS)
		say(s, ": finds %s", value);
	else if (ev->has_value || kind_is_atomic(ev->kind))
		say(s, " = %s", value);
	if (kind_is_atomic(ev->kind) && ev->order < ORDER_SEQ_CST)
		say(s, " (%s)", order_words[ev->order]);
}

static void say_rest(struct sentence *s, struct trace *t, const struct objects *o, const struct event *ev)
{
	char name[256];
	switch (ev->kind) {
	case EV_READ: case EV_WRITE: case EV_ALOAD: case EV_ASTORE: case EV_RMW: case EV_CAS:
		say_value(s, ev);
		break;
	case EV_FENCE:
		say(s, " %s", ev->order <= ORDER_SEQ_CST ? order_words[ev->order] : "?");
		break;
	case EV_ALLOC: case EV_REALLOC: case EV_MAP: case EV_UNMAP: case EV_STACK: case EV_TLS: case EV_LIBREAD: case EV_LIBWRITE:
	case EV_COPY: case EV_INPUT: case EV_OUTPUT:
		say(s, ", %" PRIu64 " byte%s", ev->arg, ev->arg == 1 ? "" : "s");
		if (ev->kind == EV_INPUT || ev->kind == EV_OUTPUT)
			say_bytes(s, ev);
		if (ev->name && event_class(ev->kind) == CLASS_MEMORY)
			say(s, " in %s", ev->name);
		break;
	case EV_CWAIT: case EV_CWAKE:
		say(s, " with %s", objects_name(o, ev->arg, name, sizeof name));
		break;
	case EV_CALL: case EV_ENTER: case EV_LEAVE:
		say(s, " %s", ev->name && *ev->name ? trace_shown(t, ev->name) : ev->kind == EV_CALL ? "through a pointer"
			: place_function(t, ev->place));
		break;
	case EV_BRANCH:
		say(s, " way %" PRIu64, ev->arg);
		break;
	case EV_FAILURE:
		if (ev->arg)
			say(s, " signal %" PRIu64, ev->arg);
		say_bytes(s, ev);
		break;
	case EV_EXIT:
		say(s, " with %" PRIu64, ev->arg);
		break;
	case EV_LOST:
		say(s, " %" PRIu64, ev->arg);
		break;
	case EV_NAME: case EV_LABEL: case EV_OUTCALL:
		say_bytes(s, ev);
		break;
	case EV_ONCE:
		say(s, ev->arg ? ", having run it" : "");
		break;
	}
}

char *event_words(char *into, struct trace *t, const struct objects *o, const struct event *ev)
{
	struct sentence s = { into, WORDS_ROOM };
	const char *verb = verb_of(ev);
	size_t n = strlen(verb);
	bool alone = verb[n - 1] == '.';
	say(&s, "%.*s", (int)(n - alone), verb);
	if (ev->kind == EV_BLOCK)
		say(&s, " %s", wait_words((uint32_t)ev->arg));
	if (!alone)
		say_object(&s, t, o, ev, ev->object);
	say_rest(&s, t, o, ev);
	enum event_class class = event_class(ev->kind);
	bool errno_like = class != CLASS_OBJECT && class != CLASS_MEMORY && class != CLASS_BOOK && class != CLASS_FLOW
		&& ev->kind != EV_END && ev->kind != EV_BLEAVE;
	if (ev->result && errno_like)
		say(&s, " (%s)", ev->result > 0 ? strerrorname_np(ev->result) ? strerrorname_np(ev->result) : "failed" : "failed");
	if (ev->in_flight)
		say(&s, " (not finished)");
	return into;
}
