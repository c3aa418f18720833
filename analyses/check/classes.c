/* analyses/check/classes.c -- see classes.h. */
#include "analyses/check/classes.h"

enum { FOUND = 1, EXECUTED = 2 };       /* KEY_MARKS */

bool classes_find(struct classes *c, struct key class, bool spins)
{
	bool fresh = false, unused;
	if (spins)
		keys_put(&c->spinning, class, &fresh);
	struct key *key = keys_put(&c->all, class, &unused);
	if (key->low & FOUND)
		return fresh;
	key->low |= FOUND;
	c->found++;
	return true;
}

bool classes_execute(struct classes *c, struct key class)
{
	bool unused;
	keys_put(&c->all, class, &unused)->low |= EXECUTED;
	return keys_get(&c->spinning, class);
}

bool classes_is_executed(const struct classes *c, struct key class)
{
	const struct key *key = keys_get(&c->all, class);
	return key && key->low & EXECUTED;
}

bool classes_are_sound(const struct classes *c)
{
	size_t place = 0;
	for (const struct key *key; (key = keys_next(&c->all, &place));)
		if ((key->low & KEY_MARKS) != (FOUND | EXECUTED))
			return false;
	return true;
}

void classes_release(struct classes *c)
{
	keys_release(&c->all);
	keys_release(&c->spinning);
	c->found = 0;
}
