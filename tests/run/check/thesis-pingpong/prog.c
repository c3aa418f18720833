/* PingPong: each takes the player away for a moment; who comes then has nobody to play with. */
#include "../relaxed.h"
#include <assert.h>

static struct player { atomic_int hits; } only;
static _Atomic(struct player *) player = &only;

THREAD(plays)
{
	struct player *p = LOAD(player);
	assert(p);
	int n = LOAD(p->hits);
	STORE(p->hits, n + 1);
	p = LOAD(player);
	STORE(player, NULL);
	STORE(player, p);
	return me;
}

int main(void) { RUN(plays, plays, plays); return 0; }
