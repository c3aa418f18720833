/* tests/models/family.h -- litmus tests made systematically (family.c). */
#ifndef RADDLE_TESTS_FAMILY_H
#define RADDLE_TESTS_FAMILY_H

#include <stdint.h>

#include "tests/models/shape.h"

/* Every litmus test of so many plain loads and stores of 2 bytes. */
void family_plain(unsigned accesses, unsigned threads, void (*take)(void *with, const char *text), void *with);
/* Every variant of one of them. */
void family_variants(const char *plain, void (*take)(void *with, const char *text), void *with);
/* So many of 2 to 6 accesses by 2 or 3 threads whose kinds, sizes and fences are drawn. */
void family_mixtures(unsigned count, uint64_t seed, void (*take)(void *with, const char *text), void *with);

#endif
