/* analyses/epa/halves.h -- numbers of four bytes that were written by themselves, by where they lie.
 * Two of them side by side are no pointer, whatever address they happen to spell (memory.h, (5)).
 *   (1) a number stays until another is written over it: who reads the word compares (a word written whole is another one then).
 * The few lines kept near by address only save looking again. */
#ifndef RADDLE_EPA_HALVES_H
#define RADDLE_EPA_HALVES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/map.h"
#include "base/vec.h"

#define HALVES      16u                         /* of a word, in a line */
#define LINES_NEAR  256u

struct halves_line { uint64_t at; uint32_t halves[HALVES]; uint32_t written; };        /* one bit a half */
struct halves {
	struct map line_of;                     /* address / 64 -> index in lines + 1; */
	VEC(struct halves_line) lines;
	uint32_t near[LINES_NEAR];              /* some of these */
};

void halves_put(struct halves *h, uint64_t address, uint32_t value);
void halves_put_word(struct halves *h, uint64_t address, uint64_t word);        /* both of its halves */
bool halves_word(struct halves *h, uint64_t address, uint64_t *word);           /* is the word there two such numbers? */
void halves_release(struct halves *h);

#endif
