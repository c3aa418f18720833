/* analyses/determinism/tries.c -- what was tried for and had: in another order it could have been refused. */
#include "analyses/determinism/inside.h"

#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* Traces say what was tried for.  Older ones (no TRACE_TRIES) do not: there the function called tells, and steered runs have no calls in their
 * traces, so whatever a program that knows a function that tries takes may have been tried for. */
void tries_look_for(struct walk *w)
{
	static const struct { const char *name; enum tried what; } names[] = { { "_trylock", TRIED_LOCK }, { "_tryrdlock", TRIED_LOCK },
		{ "_trywrlock", TRIED_LOCK }, { "sem_trywait", TRIED_SEM }, { "_tryjoin_np", TRIED_JOIN }, { "_timedjoin_np", TRIED_JOIN } };
	w->tells_tries = trace_flags(w->out->trace) & TRACE_TRIES;
	for (uint32_t i = 0; !w->tells_tries && trace_order(w->out->trace) == ORDER_TOTAL && i < trace_module_count(w->out->trace); i++) {
		const struct trace_module *m = trace_module(w->out->trace, i);
		int file = m->instrumented ? open(m->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) : -1;
		off_t bytes = file < 0 ? 0 : lseek(file, 0, SEEK_END);
		void *map = bytes > 0 ? mmap(NULL, (size_t)bytes, PROT_READ, MAP_PRIVATE, file, 0) : MAP_FAILED;
		for (size_t k = 0; map != MAP_FAILED && k < sizeof names / sizeof *names; k++)
			w->may_try[names[k].what] |= memmem(map, (size_t)bytes, names[k].name, strlen(names[k].name)) != NULL;
		if (map != MAP_FAILED)
			munmap(map, (size_t)bytes);
		if (file >= 0)
			close(file);
	}
}

static bool tried(struct walk *w, const struct event *ev, bool called, enum tried what)
{
	return w->tells_tries ? event_tried(ev) : called || w->may_try[what];
}

void tries_note(struct walk *w, const struct event *ev, struct spot spot, bool live)
{
	while (w->tries.count <= ev->thread.i)
		vec_push(&w->tries, false);
	bool *tries = &w->tries.at[ev->thread.i];
	if (ev->kind == EV_LOCK && tried(w, ev, *tries, TRIED_LOCK) && live)
		order_note_tried(w->order, spot);
	else if (ev->kind == EV_SWAIT && tried(w, ev, *tries, TRIED_SEM) && !ev->result)
		walk_doubt(w, "a semaphore that was tried for and had, and could have been refused", ev->place, 1);
	else if (ev->kind == EV_JOIN && tried(w, ev, *tries, TRIED_JOIN) && !ev->result)
		walk_doubt(w, "a thread that was tried to join and had ended, and could still have run", ev->place, 1);
	*tries = ev->kind == EV_CALL && ev->name && (strstr(ev->name, "try") || strstr(ev->name, "timedjoin"));
}

void tries_ask(struct walk *w)
{
	const struct place *where;
	enum order_answer refused;
	for (uint32_t i = 0; order_tried(w->order, i, &refused, &where); i++)
		if (refused != ORDER_NO)
			walk_doubt(w, "a lock that was tried for and had, and could have been refused", where, 1);
}
