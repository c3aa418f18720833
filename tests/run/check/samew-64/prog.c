/* Sixty-four write the same, one reads. */
#include "../relaxed.h"

static atomic_int x;

THREAD(writes) { STORE(x, 1); return me; }
THREAD(reads)  { LOAD(x); return me; }

int main(void)
{
	void *(*all[65])(void *);
	for (int i = 0; i < 64; i++)
		all[i] = writes;
	all[64] = reads;
	run_all(65, all);
	return 0;
}
