/* base/mix.h -- numbers drawn from a seed, the same on every machine (splitmix64), and hashes made of words one by one. */
#ifndef RADDLE_BASE_MIX_H
#define RADDLE_BASE_MIX_H

#include <stdint.h>

static inline uint64_t mix_draw(uint64_t *seed)
{
	uint64_t z = *seed += 0x9e3779b97f4a7c15u;
	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
	z = (z ^ z >> 27) * 0x94d049bb133111ebu;
	return z ^ z >> 31;
}

static inline uint64_t mix_draw_below(uint64_t *seed, uint64_t limit)
{
	return (uint64_t)((unsigned __int128)mix_draw(seed) * limit >> 64);
}

static inline uint64_t mix_word(uint64_t hash, uint64_t word)
{
	hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
	return hash ^ hash >> 29;
}

#endif
