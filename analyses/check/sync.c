/* analyses/check/sync.c -- see sync.h. */
#include "analyses/check/sync.h"

#include <errno.h>

#define OWNER   0xffu
#define TIME    0x100u
#define TIMES   0xfff00u
#define READER  0x100000u
enum { ONCE_NEVER, ONCE_RUNS, ONCE_DONE };

bool sync_is_free(const struct node *n, uint32_t word)
{
	if (n->reading)
		return !(word & OWNER);
	return !word || (n->recursive && (word & OWNER) == n->thread + 1);
}

bool sync_goes(const struct node *n, uint32_t word, uint64_t *told)
{
	bool goes;
	switch (n->deed) {
	case DEED_LOCK:
		goes = sync_is_free(n, word);
		*told = goes ? 0 : EBUSY;
		break;
	case DEED_DOWN:
		goes = word != 0;
		*told = goes ? 0 : EAGAIN;
		break;
	default:
		goes = word != ONCE_RUNS;
		*told = word == ONCE_NEVER;
		break;
	}
	return goes || n->tried;
}

static bool give_up(const struct node *n, uint32_t *word)
{
	if (n->reading) {
		*word -= *word >= READER ? READER : 0;
		return true;
	}
	if ((*word & OWNER) != n->thread + 1)
		return false;
	*word -= TIME;
	if (!(*word & TIMES))
		*word &= ~OWNER;
	return true;
}

bool sync_act(const struct node *n, uint32_t *word, uint64_t told)
{
	switch (n->deed) {
	case DEED_LOCK:
		if (!told)
			*word = n->reading ? *word + READER : (*word + TIME) | (n->thread + 1);
		return true;
	case DEED_UNLOCK: return give_up(n, word);
	case DEED_DOWN: *word -= !told; return true;
	case DEED_UP: *word += 1; return true;
	case DEED_ONCE: *word = told ? ONCE_RUNS : ONCE_DONE; return true;
	case DEED_ONCE_DONE: *word = ONCE_DONE; return true;
	case DEED_INIT: *word = (uint32_t)n->value; return true;
	default: return true;
	}
}

bool sync_keeps_stores(const struct node *n, uint32_t word)
{
	bool again = n->recursive && (word & OWNER) == n->thread + 1;
	switch (n->deed) {
	case DEED_LOCK: return again || (n->tried && n->waits && !sync_is_free(n, word));
	case DEED_UNLOCK: return n->waits || (again && (word & TIMES) > TIME);
	case DEED_DOWN: return n->tried && !word;
	case DEED_ONCE: return word == ONCE_DONE;
	default: return false;
	}
}

bool barrier_is_last(uint32_t word)
{
	return (word & 0xffff) + 1 >= word >> 16;
}
