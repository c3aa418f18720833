/* analyses/check/classes.c -- see classes.h. */
#include "analyses/check/classes.h"

#include <math.h>

enum { FOUND = 1, EXECUTED = 2 };       /* KEY_MARKS */

bool classes_find(struct classes *c, struct key class, bool spins)
{
	bool fresh = false, unused;
	if (!(c->ways & (c->ways - 1)) && c->ways)
		c->found_at[(int)log2((double)c->ways)] = c->found;
	c->ways++;
	if (spins)
		keys_put(&c->spinning, class, &fresh);
	struct key *key = keys_put(&c->all, class, &unused);
	if (key->low & FOUND)
		return fresh;
	key->low |= FOUND;
	c->found++;
	return true;
}

/* As ways are doubled, classes were multiplied by something between 1 and 2: that goes on. */
double classes_estimate(const struct classes *c, double share)
{
	int last = c->ways ? (int)log2((double)c->ways) - 1 : -1;
	if (share >= 1 || share <= 0 || last < 0 || !c->found_at[last])
		return (double)c->found;
	double grows = log((double)c->found / (double)c->found_at[last]) / log((double)c->ways / exp2(last));
	return (double)c->found * pow(1 / share, grows < 1 ? grows : 1);
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
	*c = (struct classes){ 0 };
}
