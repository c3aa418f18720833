/* report/words.h -- the sentences of a finding, shared by text, JUnit, SARIF and HTML.  Nothing is escaped yet: names of the
 * program stand in them as they are.  Each adds to the buffer, which ends with a zero that is not counted. */
#ifndef RADDLE_REPORT_WORDS_H
#define RADDLE_REPORT_WORDS_H

#include "base/buffer.h"
#include "report/finding.h"

/* "race: 'balance' written by T_0_0, read by T_0_1 at bank.c:57" */
void words_message(struct buffer *b, const struct finding *f);
/* "confirmed, 100 of 100 replays, effect: crash"; "not reproduced: left at step 5 of ..." */
void words_status(struct buffer *b, const struct finding *f);
/* "T_0_0 writes 8 bytes at bank.c:41 in pay, holding 'left' since bank.c:40" */
void words_place(struct buffer *b, const struct finding *f, const struct finding_place *p);
/* Where to look for it: its place (findings_finish() has seen to those in headers of the system), or, if that is in a library without lines, the innermost function of the program's own files it was called from, or of any. */
const struct finding_spot *words_spot(const struct finding_place *p);
void words_locks(struct buffer *b, const struct finding_locks *locks);          /* "holding no lock" */
/* "global 'balance'", "heap block of 24 bytes, byte 8, allocated by T_0 at a.c:5"; nothing if nothing is known */
void words_memory(struct buffer *b, const struct finding *f);
/* "T_0_0 was created by T_0 at bank.c:80"; nothing if it is not known */
void words_maker(struct buffer *b, const struct finding_place *p);
/* Which steps of the order came before the first one there is: "... 12 more"; nothing if none */
void words_before(struct buffer *b, const struct finding *f);

#endif
