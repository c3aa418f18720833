/* drive/schedule_inside.h -- between the files that read the text of a schedule: words (schedule_words.c), the lines of its head (schedule_head.c), its
 * steps and the file (schedule_parse.c).  What takes something from a line returns false after schedule_bad(): the reading is over. */
#ifndef RADDLE_DRIVE_SCHEDULE_INSIDE_H
#define RADDLE_DRIVE_SCHEDULE_INSIDE_H

#include "drive/schedule.h"

#define TOKENS_MAX 16u

struct token { const char *text; size_t length; bool quoted; };

struct parser {
	struct schedule *s;
	const char *name;                       /* of the file */
	uint32_t line;
	char *room;                             /* tokens of one line, each with its zero */
	size_t room_bytes;
	struct token token[TOKENS_MAX + 1];     /* behind the last one: text "" */
	unsigned count, at;                     /* tokens of this line, and the next to look at */
	uint32_t declared;                      /* threads the head announces, 0 not said */
	bool first_step, ended;
	VEC(uint64_t) done;                     /* per thread: its last step */
	VEC(uint64_t) answered;                 /* per thread: its last answer not yet reached by a step, or 0 */
	VEC(uint32_t) answered_in;              /* and the line of it */
	struct err *why;
};

bool schedule_bad(struct parser *p, const char *format, ...) __attribute__((format(printf, 2, 3)));      /* always false: names file and line */
bool words_split(struct parser *p, const char *at, const char *end);    /* a line into its tokens */
const char *word_shown(const struct token *t);               /* as a message may repeat it, until the next one is */
bool word_is(const struct token *t, const char *word);       /* not quoted, and this */
static inline bool more(const struct parser *p) { return p->at < p->count; }
static inline const struct token *peek(const struct parser *p) { return &p->token[p->at]; }
static inline const struct token *next(struct parser *p) { return &p->token[p->at < p->count ? p->at++ : p->at]; }

/* The next token, as what it has to be. */
bool next_number(struct parser *p, const char *what, uint64_t low, uint64_t high, uint64_t *out);
bool next_among(struct parser *p, const char *what, const char *const *list, uint32_t *out);     /* its place in the list, which ends with NULL */
bool next_text(struct parser *p, const char *what, const char **out);   /* kept with the schedule */
bool next_kind(struct parser *p, uint8_t *out);
bool next_thread(struct parser *p, uint32_t *out);

/* A line of the head, behind its first word.  NULL: no line of the head begins with it. */
typedef bool head_line(struct parser *p);
head_line *head_line_of(const struct token *first);

#endif
