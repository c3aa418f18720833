/* A version is published and the old one broken when nobody reads any more, with the fences that needs, and two readers. */
#include "../relaxed.h"
#include <assert.h>

atomic_int current, version[2] = { 7, 7 }, reads[2];

THREAD(reader)
{
	long i = (long)me;
	STORE(reads[i], 1);
	atomic_thread_fence(memory_order_seq_cst);
	int v = LOAD(version[LOAD(current)]);
	assert(v == 7);
	PUBLISH(reads[i], 0);
	return NULL;
}

THREAD(writer)
{
	STORE(version[1], 7);
	PUBLISH(current, 1);
	atomic_thread_fence(memory_order_seq_cst);
	while (LOAD(reads[0]))
		;
	while (LOAD(reads[1]))
		;
	STORE(version[0], 0);
	return me;
}

int main(void) { RUN(reader, reader, writer); return 0; }
