/* drive/moves.c -- see moves.h.
 * What the entry says is hostile: ranges that make no sense move numbers that mean nothing.  Ranges around a point (the loader's
 * memory around the first thread's, for instance) are wider than what lies there; exact ones come later and win. */
#include "drive/moves.h"

#include <stdbool.h>

#include "wire/steer.h"

#define PROGRAM_SAID  0x555555554000ull         /* where Linux puts it when nothing is random */
#define LIBRARY_SAID  0x7f0000000000ull
#define LOADER_SAID   0x7fd000000000ull
#define BREAK_SAID    0x600000000000ull
#define MAIN_SAID     0x7ffff0000000ull
#define STACK_SAID    0x7ffff8000000ull
#define STRINGS_SAID  0x7ffffff00000ull
#define STACK_BYTES   (64ull << 20)             /* below the first thread's frames */
#define STACK_ABOVE   (2 * MAIN_UNIT)           /* between them and argc */
#define STRINGS_BYTES (1ull << 20)
#define LOADER_BYTES  (64ull << 20)             /* on either side of the thread pointer */
#define TLS_BELOW     (64ull << 10)
#define BREAK_BELOW   (256ull << 10)
#define BREAK_BYTES   (16ull << 20)             /* not more: where it lies low, these are everyday numbers */
#define NOTHING       65536ull
#define LIBRARY_UNIT  (2ull << 20)

/* [at - below, at + above), `at` is said to be `said`; nothing lies at the lowest addresses. */
static void add(struct writer *w, uint64_t at, uint64_t below, uint64_t above, uint64_t said)
{
	if (below > at - NOTHING)
		below = at - NOTHING;
	struct moved_range r = { at - below, below + above, said - below };
	if (at > NOTHING)
		writer_moved(w, &r, 1);
}

void moves_process(struct moves *m, const struct process_entry *shared, struct writer *w)
{
	struct process_entry e = *shared;
	if (e.tls_at < e.break_at && e.break_at - e.tls_at < BREAK_BELOW) {      /* a static program's lies there */
		add(w, e.tls_at, TLS_BELOW, e.break_at - e.tls_at + BREAK_BELOW, LOADER_SAID);
	} else {
		add(w, e.break_at, BREAK_BELOW, BREAK_BYTES, BREAK_SAID);
		add(w, e.tls_at, LOADER_BYTES, LOADER_BYTES, LOADER_SAID);
	}
	add(w, e.stack_at, STACK_ABOVE, STRINGS_BYTES, STACK_SAID);
	add(w, e.strings_at, 0, STRINGS_BYTES, STRINGS_SAID);
	add(w, main_below(e.stack_at), STACK_BYTES, 0, MAIN_SAID);
	m->next = LIBRARY_SAID;
}

static bool is_fixed(const struct module_entry *module)
{
	return module->base == 0 || (module->low >= FIXED_LOW && module->low < FIXED_HIGH);
}

void moves_module(struct moves *m, const struct module_entry *module, struct writer *w)
{
	/* whole pages: the loader uses the rest of its last one */
	uint64_t low = module->low & ~4095ull, bytes = ((module->high + 4095) & ~4095ull) - low;
	bool program = m->next == LIBRARY_SAID;
	if (module->high <= low || bytes > LIBRARY_SAID)
		return;
	struct moved_range r = { low, bytes, program ? PROGRAM_SAID : m->next };
	m->next += program ? LIBRARY_UNIT : (bytes / LIBRARY_UNIT + 1) * LIBRARY_UNIT;
	if (is_fixed(module))
		r.said = low;                   /* the loader's may be all around it */
	writer_moved(w, &r, 1);
}
