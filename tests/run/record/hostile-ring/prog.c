/* Writes nonsense over the memory it shares with the recorder while it is being recorded: argv[1] seed, argv[2] which part.
 * It may crash; the recorder must not, and must not wait for what never comes. */
#include "../check.h"
#include <stdint.h>
#include <string.h>

#define ROUNDS 8

static char *ring;
static size_t bytes;
static volatile long shared;

static void find_ring(void)
{
	char line[512];
	FILE *maps = fopen("/proc/self/maps", "r");
	while (maps && fgets(line, sizeof line, maps)) {
		unsigned long low, high;
		if (strstr(line, "memfd:raddle-ring") && sscanf(line, "%lx-%lx", &low, &high) == 2)
			ring = (char *)low, bytes = high - low;
	}
	if (maps)
		fclose(maps);
}

static uint64_t nonsense(uint64_t x)
{
	switch (x & 7) {
	case 0:  return 0;
	case 1:  return UINT64_MAX;
	case 2:  return x;
	case 3:  return x >> 60;
	case 4:  return 1ull << 63 | x;
	case 5:  return x >> 40;
	default: return (uint32_t)x;
	}
}

/* Part 0 the words both sides write, 1 tables of processes and objects, 2 a little everywhere, 3 much everywhere. */
static void scribble(uint64_t seed, int part)
{
	static const struct { uint64_t low, high; int count; } parts[] = {
		{ 144, 256, 200 }, { 0, 300 << 10, 200 }, { 0, 0, 2000 }, { 0, 0, 200000 } };
	uint64_t x = seed * 0x9e3779b97f4a7c15u + 1, low = parts[part].low, high = part < 2 ? parts[part].high : bytes;
	for (int i = 0; i < parts[part].count; i++) {
		x ^= x << 13, x ^= x >> 7, x ^= x << 17;
		uint64_t at = low + (x >> 8) % (high - low), value = nonsense(x);
		memcpy(ring + (at & ~7ull), &value, 8);
	}
}

static void *works(void *unused)
{
	for (int i = 0; i < 100000; i++)
		shared += i;
	return unused;
}

int main(int count, char **args)
{
	pthread_t t;
	find_ring();
	if (!ring || count < 3)
		return 0;
	pthread_create(&t, NULL, works, NULL);
	for (int i = 0; i < ROUNDS; i++) {
		scribble((uint64_t)atoi(args[1]) + 1000u * (unsigned)i, atoi(args[2]));
		works(NULL);
		usleep(1000);
	}
	_exit(0);
}
