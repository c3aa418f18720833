/* What an atomic operation returns is stored, and pointed through, by plain accesses behind it. */
#include "../check.h"
#include <stdatomic.h>

static _Atomic long next = 7;
static long *_Atomic where;
static long *out;
static struct client { long id; } *newest;

__attribute__((noinline)) static void give(void)
{
	long id = atomic_fetch_add(&next, 1);
	newest->id = id;
	*out = id + 1;
	*atomic_load(&where) = 3;
}

int main(void)
{
	static long a, b;
	static struct client c;
	out = &a, newest = &c, where = &b;
	give();
	IS(c.id, 7);
	IS(a, 8);
	IS(b, 3);
	return done();
}
