/* drive/races_kept.h -- races of many runs: each pair of places once, as words, since the places end with the runs. */
#ifndef RADDLE_DRIVE_RACES_KEPT_H
#define RADDLE_DRIVE_RACES_KEPT_H

#include "base/map.h"
#include "drive/races.h"

/* as race_print() and race_list_json() say it; in which run first, in how many */
struct race_kept { char *text, *json; uint64_t first, runs; };

/* A pair somebody has seen, whether or not it counts; until it does, with the words of the run with the lowest number. */
struct race_known { char *text, *json; uint64_t run; uint32_t kept; };

/* What one run had. */
struct races_told {
	uint32_t count;
	bool unseen, stopped;
	uint32_t id[];                  /* of races_kept.known */
};

struct races_kept {                     /* all zero: none */
	VEC(struct race_kept) all;      /* of runs that were counted, in that order */
	VEC(struct race_known) known;   /* by number of `pairs` */
	struct names pairs;
	uint64_t unseen, stopped;       /* runs in which something could not be seen, to the end */
};

struct races_told *races_told_of(struct races_kept *k, const struct race_list *l, uint64_t run);        /* mem_free() it */
/* Runs are counted once each, by their numbers. */
void races_kept_count(struct races_kept *k, const struct races_told *told, uint64_t run);
/* A row of runs, one after the other. */
struct row_told {
	struct races_kept *kept;
	const struct race_row *row;
	uint32_t *id;                   /* of each pair of the row; NO_NAME: not asked for so far */
	size_t next;                    /* hit */
};
void row_told_open(struct row_told *t, struct races_kept *k, const struct race_row *row);
struct races_told *row_told_next(struct row_told *t, uint64_t nth, uint64_t run);      /* of the nth, whose number is `run`; NULL: nothing */
void row_told_close(struct row_told *t);
void races_kept_release(struct races_kept *k);

#endif
