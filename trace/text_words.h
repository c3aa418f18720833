/* trace/text_words.h -- what the writer and the reader of text twins must agree on.
 *
 * Lines of a twin, tokens separated by blanks; bytes that would split a token are written \xNN:
 *   # ...                          a comment
 *   twin: 2                        the first line of what raddle writes: an end: line follows, or the file was cut short
 *   end: N                         the last line: so many events stand before it
 *   order: total|per-object        before the first event (default total)
 *   level: N   flags: last,no-values,no-tries   ticks: N   complete: no     what the head of a binary trace says
 *   thread: PATH uid= parent= tid= name= lost= waits=WORD for=OBJECT is=alive         threads are numbered as they come
 *   module: PATH base= low= high= id= is=instrumented
 *   place: N FILE:LINE:COLUMN in= link= unit= module= ord= site= inlined=N'           before its first use
 *   KEY: VALUE                     any other key: a fact;  fact: KEY VALUE  the same for a key that is one of the above
 *   THREAD WORD [OBJECT] [FIELD=VALUE]...                                             an event
 *                                is=waits: a store others do not see yet;  flush OBJECT size= of=THREAD: so many bytes of it are in memory now
 * OBJECT: another thread's path (fork join detach cancel) | 0x... | NAME[+BYTES]@0x... | NAME[+BYTES], which is given
 * an address of its own: FAKE_BASE + FAKE_STEP times how many names came before it. */
#ifndef RADDLE_TRACE_TEXT_WORDS_H
#define RADDLE_TRACE_TEXT_WORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "wire/kinds.h"

#define TEXT_FIRST_LINE "# raddle text twin"
#define FAKE_BASE 0x1add1e000000ull
#define FAKE_STEP 4096ull
#define FAKE_END  0x1bdd1e000000ull
#define SIZE_DEFAULT 4u                         /* size= of an access when it is not written */

/* The word before the colon of a head line. */
enum head_word { HEAD_NONE, HEAD_ORDER, HEAD_LEVEL, HEAD_FLAGS, HEAD_TICKS, HEAD_COMPLETE, HEAD_THREAD, HEAD_MODULE, HEAD_PLACE,
	HEAD_FACT, HEAD_TWIN, HEAD_END };
enum head_word head_word(const char *word, size_t length);

/* What stands in `object` of a kind. */
enum object_form { FORM_NONE, FORM_THREAD, FORM_MEMORY, FORM_NUMBER };
enum object_form object_form(enum event_kind kind);     /* FORM_NONE: not written unless it is not 0 */

/* What stands in `arg`, and the field it is written as. */
enum arg_form { ARG_PLAIN, ARG_VALUE, ARG_LOCK, ARG_KIND, ARG_OBJECT, ARG_THREAD };
enum arg_form arg_form(enum event_kind kind);
const char *arg_key(enum event_kind kind);              /* of ARG_PLAIN: "len", "arg", ... */

bool kind_is_atomic(enum event_kind kind);              /* order= defaults to seq_cst */
enum atomic_op default_op(enum event_kind kind);

/* Words by number; the list ends with NULL. */
extern const char *const order_words[];                 /* enum mem_order */
extern const char *const op_words[];                    /* enum atomic_op */
extern const char *const lock_words[];                  /* enum lock_type; [0] is "" */

#endif
