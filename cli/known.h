/* cli/known.h -- the sites of a program as its tables have them, joined with the model's: what is recorded, where, in whose words. */
#ifndef RADDLE_CLI_KNOWN_H
#define RADDLE_CLI_KNOWN_H

#include "base/vec.h"
#include "model/model.h"
#include "trace/sites.h"

enum known_kind { KNOWN_READ, KNOWN_WRITE, KNOWN_ATOMIC, KNOWN_FENCE, KNOWN_CALL, KNOWN_LIBRARY, KNOWN_BRANCH };

struct known_site {
	uint32_t value;                         /* in the model's code, NONE: no bitcode of its unit was kept */
	uint8_t kind;
	uint32_t ordinal, line, size;
	const char *unit, *linkage, *file, *function;   /* function as written in the source, where it was inlined from if it was */
	const char *name;                       /* variable or callee, or NULL */
};

struct known {
	VEC(struct known_site) sites;           /* by their values, each once */
	struct sites *tables;
	VEC(void *) bytes;
};

int  known_open(struct known *k, struct model *m, const char *const *paths, size_t count, struct err *why);   /* 0, or -1 and why */
void known_close(struct known *k);
const char *known_word(uint8_t kind);
bool known_reads(const struct known_site *s);   /* its event says what was read */

bool known_fits(const struct known_site *s, const struct code *c);      /* its value is an instruction of the right kind */
bool known_by_value(const struct known_site *s);        /* a struct passed by value: it has the number of an instruction beside it */

/* By value of the model: 1 where a read is recorded; for model_depend().  The caller frees it. */
uint8_t *known_recorded(const struct known *k, const struct model *m);

#endif
