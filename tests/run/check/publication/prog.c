/* A reader says that it reads; the writer publishes a new version, waits until nobody reads, and breaks the old one.  Right under SC alone. */
#include "../relaxed.h"
#include <assert.h>

atomic_int current, version[2] = { 7, 7 }, reads;

THREAD(reader)
{
	STORE(reads, 1);
	int v = LOAD(version[LOAD(current)]);
	assert(v == 7);
	STORE(reads, 0);
	return me;
}

THREAD(writer)
{
	STORE(version[1], 7);
	STORE(current, 1);
	while (LOAD(reads))
		;
	STORE(version[0], 0);
	return me;
}

int main(void) { RUN(reader, writer); return 0; }
