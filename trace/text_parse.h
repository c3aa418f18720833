/* trace/text_parse.h -- what the files that read text twins share: text.c (events), text_head.c, text_token.c.
 * The lines themselves are described in text_words.h. */
#ifndef RADDLE_TRACE_TEXT_PARSE_H
#define RADDLE_TRACE_TEXT_PARSE_H

#include "base/map.h"
#include "base/vec.h"
#include "trace/memory.h"
#include "trace/text_words.h"

struct token { const char *at; size_t length; };

struct named_range { const char *name; uint64_t address, end; };
struct parent { uint32_t child; const char *token; };           /* said on a thread: line, settled at the end */

struct text {
	struct builder *builder;
	const char *path;
	const char *at, *end;           /* rest of the line */
	uint64_t line;
	struct err *why;
	struct names threads;           /* token -> dense id */
	VEC(bool) declared;             /* by a thread: line */
	VEC(struct parent) parents;
	struct token last_thread;       /* the token of the line before, and whose it is */
	uint32_t last_id;
	struct names fakes;             /* names without an address */
	struct map starts;              /* start address -> index into symbols + 1 */
	VEC(struct named_range) symbols;
	struct names positions;         /* "file:1:2" or "file:1:2 function", as written -> index into written */
	VEC(const struct place *) written;
	VEC(const struct place *) numbered;     /* by place: lines */
	VEC(uint8_t) bytes;
	VEC(char) plain, plain2;        /* tokens without their escapes */
	uint32_t flags, level;
	uint64_t ticks;
	bool incomplete;
	uint64_t event_count;
	bool promised, ended;           /* its head says that it has an end: line; it had one */
	bool printed;                   /* begins as raddle has always begun them */
	bool events;                    /* an event was read */
	bool known;                     /* so was one, or a line of a head that only a trace has, or the beginning of one */
};

/* Every int below: 0, or -1 after text_bad(), which says file and line. */
int text_bad(struct text *x, const char *format, ...) __attribute__((format(printf, 2, 3)));   /* always -1 */
const char *token_shown(struct token t, char into[64]);         /* as it may stand in a message */

bool token_next(struct text *x, struct token *t);               /* false: the line has no more */
bool token_is(struct token t, const char *word);
bool token_number(struct token t, uint64_t *out);               /* decimal or 0x */
bool token_split(struct token t, struct token *key, struct token *value);      /* at its '='; false if it has none */
const char *text_kept(struct text *x, struct token t);          /* without its escapes, as long as the trace lives */

int take_number(struct text *x, struct token key, struct token t, uint64_t most, uint64_t *out);
int take_signed(struct text *x, struct token key, struct token t, int32_t *out);
int take_word(struct text *x, struct token key, struct token t, const char *const *words, uint8_t *out);
int take_object(struct text *x, struct token t, uint64_t *out);
int take_place(struct text *x, struct token position, struct token function, const struct place **out);        /* at=, in= */

uint32_t text_thread(struct text *x, struct token t, uint32_t parent, bool declares);  /* dense id, a new one if need be */
const struct place *build_position(struct text *x, struct token position, struct token function);
int hex_digit(char c);                                          /* -1: it is none */
bool is_blank(char c);

int text_head(struct text *x, struct token word);               /* the rest of a line that began with "word:" */

#endif
