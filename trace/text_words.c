/* trace/text_words.c -- see text_words.h. */
#include "trace/text_words.h"

#include <string.h>

const char *const order_words[] = { "relaxed", "consume", "acquire", "release", "acq_rel", "seq_cst", NULL };
const char *const op_words[] = { "load", "store", "xchg", "add", "sub", "and", "nand", "or", "xor", "max", "min", "umax", "umin",
	"cas", "fence", "fadd", "fsub", "fmax", "fmin", "uinc_wrap", "udec_wrap", NULL };
const char *const lock_words[] = { "", "mutex", "recursive", "errorcheck", "rwlock", "spin", "cond", "barrier", "sem", "c11",
	"guard", "user", NULL };

enum head_word head_word(const char *word, size_t length)
{
	static const char *const words[] = { "", "order", "level", "flags", "ticks", "complete", "thread", "module", "place", "fact", "twin", "end" };
	for (int i = HEAD_ORDER; i <= HEAD_END; i++)
		if (strlen(words[i]) == length && !memcmp(words[i], word, length))
			return (enum head_word)i;
	return HEAD_NONE;
}

enum object_form object_form(enum event_kind kind)
{
	switch (kind) {
	case EV_FORK: case EV_JOIN: case EV_DETACH: case EV_CANCEL:
		return FORM_THREAD;
	case EV_PROCESS: case EV_SIGENTER: case EV_SIGLEAVE: case EV_KEYDTOR: case EV_KEYFRAME: case EV_SIGSEND: case EV_FRAMES:
		return FORM_NUMBER;
	case EV_BEGIN: case EV_END: case EV_NAME: case EV_YIELD: case EV_FENCE: case EV_ENTER: case EV_LEAVE: case EV_CALL:
	case EV_BRANCH: case EV_LANDED: case EV_OUTCALL: case EV_FAILURE: case EV_EXIT: case EV_TIME: case EV_LOST: case EV_LABEL:
	case EV_IGNORE: case EV_RESULT: case EV_ARGUMENT: case EV_SHUT: case EV_OPENED: case EV_ATOMIC: case EV_ASSUME:
		return FORM_NONE;
	default:
		return FORM_MEMORY;
	}
}

enum arg_form arg_form(enum event_kind kind)
{
	switch (kind) {
	case EV_READ: case EV_WRITE: case EV_ALOAD: case EV_ASTORE: case EV_RMW: case EV_CAS: case EV_RESULT: case EV_ARGUMENT:
		return ARG_VALUE;
	case EV_LOCK: case EV_UNLOCK: case EV_TRYFAIL: case EV_LOCKINIT: case EV_LOCKDEAD:
		return ARG_LOCK;
	case EV_BLOCK:
		return ARG_KIND;
	case EV_CWAIT: case EV_CWAKE:
		return ARG_OBJECT;
	case EV_FLUSH:
		return ARG_THREAD;
	default:
		return ARG_PLAIN;
	}
}

const char *arg_key(enum event_kind kind)
{
	switch (kind) {
	case EV_LIBREAD: case EV_LIBWRITE: case EV_COPY: case EV_ALLOC: case EV_REALLOC: case EV_MAP: case EV_UNMAP: case EV_STACK:
	case EV_TLS: case EV_INPUT: case EV_OUTPUT:
		return "len";
	case EV_BENTER: case EV_BLEAVE:
		return "gen";
	case EV_FAILURE: case EV_SIGSEND:
		return "sig";
	case EV_EXIT:
		return "status";
	case EV_BRANCH:
		return "way";
	case EV_CALL:
		return "shared";
	case EV_LOST:
		return "count";
	default:
		return "arg";
	}
}

bool kind_is_atomic(enum event_kind kind)
{
	return kind >= EV_ALOAD && kind <= EV_FENCE;
}

enum atomic_op default_op(enum event_kind kind)
{
	switch (kind) {
	case EV_ASTORE: return AOP_STORE;
	case EV_RMW:    return AOP_XCHG;
	case EV_CAS:    return AOP_CAS;
	case EV_FENCE:  return AOP_FENCE;
	default:        return AOP_LOAD;
	}
}
