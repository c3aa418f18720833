/* analyses/determinism/tries.c -- what was tried for and had: in another order it could have been refused. */
#include "analyses/determinism/inside.h"

#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* Steered runs have no calls in their traces: whatever a program that knows a function that tries takes may have been tried for. */
void tries_look_for(struct walk *w)
{
	static const struct { const char *name; enum tried what; } names[] = { { "_trylock", TRIED_LOCK }, { "_tryrdlock", TRIED_LOCK },
		{ "_trywrlock", TRIED_LOCK }, { "sem_trywait", TRIED_SEM }, { "_tryjoin_np", TRIED_JOIN }, { "_timedjoin_np", TRIED_JOIN } };
	for (uint32_t i = 0; trace_order(w->out->trace) == ORDER_TOTAL && i < trace_module_count(w->out->trace); i++) {
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

/* The function called tells what was waited for from what was tried for and had. */
void tries_note(struct walk *w, const struct event *ev, struct spot spot, bool live)
{
	while (w->tries.count <= ev->thread.i)
		vec_push(&w->tries, false);
	bool *tries = &w->tries.at[ev->thread.i];
	if (ev->kind == EV_LOCK && (*tries || w->may_try[TRIED_LOCK]) && live)
		order_note_tried(w->order, spot);
	else if (ev->kind == EV_SWAIT && (*tries || w->may_try[TRIED_SEM]) && !ev->result)
		walk_doubt(w, "a semaphore that was tried for and had, and could have been refused", ev->place, 1);
	else if (ev->kind == EV_JOIN && (*tries || w->may_try[TRIED_JOIN]) && !ev->result)
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
