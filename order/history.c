/* order/history.c -- from the events of a trace to nodes: which events order anything, and what each primitive forces
 * (note.h).  Hostile traces give odd histories, never a bad index. */
#include <string.h>

#include "order/note.h"
#include "trace/objects.h"

/* ---- what no rule covers ---- */

void note_unmodelled(struct order *o, const char *name, const struct event *ev)
{
	struct unmodelled *u = NULL;
	for (size_t i = 0; i < o->unmodelled.count; i++)
		if (!strcmp(o->unmodelled.at[i].name, name))
			u = &o->unmodelled.at[i];
	if (!u) {
		u = vec_add(&o->unmodelled);
		*u = (struct unmodelled){ .name = name, .where = ev ? ev->place : NULL };
	}
	u->times++;
}

const char *order_unmodelled(const struct order *o, uint32_t i, const struct place **where, uint64_t *times)
{
	if (i >= o->unmodelled.count)
		return NULL;
	*where = o->unmodelled.at[i].where;
	*times = o->unmodelled.at[i].times;
	return o->unmodelled.at[i].name;
}

/* ---- nodes ---- */

static uint32_t node_put(struct order *o, uint32_t thread, enum op op, uint8_t kind, uint64_t key, const struct event *ev)
{
	struct thread_line *t = &o->threads[thread];
	check(o->nodes.count < NONE - 8);
	struct node *n = vec_add(&o->nodes);
	*n = (struct node){ .thread = thread, .at = (uint32_t)t->node.count, .row = t->row, .held = t->held, .section = NONE,
		.access = NONE, .object = NONE, .other = NONE, .op = (uint8_t)op, .kind = kind, .order = ev ? ev->order : 0, .key = key,
		.address = ev ? ev->object : 0, .number = ev ? ev->arg : 0, .place = ev ? ev->place : NULL };
	uint32_t id = (uint32_t)(o->nodes.count - 1);
	vec_push(&t->node, id);
	return id;
}

uint32_t note_node(struct order *o, enum op op, const struct event *ev)
{
	bool empties = empties_buffer(ev);
	if (empties)
		note_emptied(o, ev->thread.i);
	uint32_t node = node_put(o, ev->thread.i, op, ev->kind, 2 * ev->index + 1, ev);
	enum event_class class = event_class((enum event_kind)ev->kind);
	o->nodes.at[node].keeps = !empties && class != CLASS_MEMORY && class != CLASS_ATOMIC && class != CLASS_OBJECT;
	return node;
}

uint32_t note_made_up(struct order *o, uint32_t thread, enum event_kind kind, uint64_t key)
{
	return node_put(o, thread, OP_PASS, (uint8_t)kind, key, NULL);
}

uint32_t note_flush(struct order *o, uint32_t line, uint32_t made, const struct event *ev)
{
	uint32_t n = node_put(o, line, OP_PASS, EV_FLUSH, 2 * ev->index + 1, ev);
	o->nodes.at[n].other = made;
	return n;
}

/* What the next node of this thread learns. */
bool note_learn(struct order *o, uint32_t thread, uint32_t node, bool *own)
{
	return row_learn(o, &o->threads[thread], thread, node, own);
}

bool note_knows(const struct order *o, uint32_t thread, uint32_t node)
{
	const struct node *n = &o->nodes.at[node];
	return n->thread == thread || (o->rows.at + (size_t)o->threads[thread].row * o->thread_count)[n->thread] > n->at;
}

/* Globals are there from the first, and zero bytes are a lock that is free; other memory is handed on by a pointer, as a rule. */
bool note_early(const struct order *o, const struct event *ev)
{
	uint32_t modules = trace_module_count(o->trace);
	bool global = !modules, alone = true;
	for (uint32_t i = 0; i < modules && !global; i++)
		global = ev->object >= trace_module(o->trace, i)->low && ev->object < trace_module(o->trace, i)->high;
	for (uint32_t i = 0; i < o->own_count && alone; i++)
		alone = i == ev->thread.i || (!o->threads[i].begun && !o->threads[i].row);       /* nor made: its begin has a row */
	return global && !alone;
}

static void begin_thread(struct order *o, uint32_t thread, const struct event *ev)
{
	struct thread_line *t = &o->threads[thread];
	if (t->begun)
		return;
	t->begun = true;
	node_put(o, thread, OP_PASS, EV_BEGIN, 2 * ev->index, NULL);
}

static void end_thread(struct order *o, uint32_t thread, uint64_t key, const struct event *ev)
{
	struct thread_line *t = &o->threads[thread];
	if (t->ended || !t->begun)
		return;
	t->ended = true;
	note_emptied(o, thread);
	node_put(o, thread, OP_PASS, EV_END, key, ev);
}

/* ---- threads ---- */

static void note_fork(struct order *o, const struct event *ev)
{
	bool own = false;
	if (ev->result)
		return;
	uint32_t n = note_node(o, OP_PASS, ev);
	if (ev->object < o->own_count && !o->threads[ev->object].begun)
		note_learn(o, (uint32_t)ev->object, n, &own);        /* its begin has this row */
}

static void note_join(struct order *o, const struct event *ev)
{
	bool own = false;
	if (ev->result || ev->object >= o->own_count)
		return;
	struct thread_line *child = &o->threads[ev->object];
	if (ev->object != ev->thread.i)
		end_thread(o, (uint32_t)ev->object, 2 * child->last_index + 2, NULL);
	if (child->node.count)
		note_learn(o, ev->thread.i, child->node.at[child->node.count - 1], &own);
	note_node(o, OP_PASS, ev);
}

/* ---- memory that is given out: what lay there before is gone ---- */

uint32_t note_number(struct order *o, struct map *index, uint64_t address, size_t count, bool *fresh)
{
	uint64_t *slot = map_put(index, address, NULL);
	*fresh = !*slot;
	if (*fresh) {
		*slot = count + 1;
		*map_put(&o->block_index, address >> BLOCK_BITS, NULL) = 1;
	}
	return (uint32_t)(*slot - 1);
}

static void note_born_at(struct order *o, uint64_t address)
{
	const uint64_t *lock = map_get(&o->lock_index, address), *sem = map_get(&o->sem_index, address);
	if (!(lock && *lock) && !(sem && *sem))
		return;
	vec_push(&o->born, ((struct born){ address, (uint32_t)o->nodes.count }));
	note_lock_born(o, address);
	note_sem_born(o, address);
}

static void note_born(struct order *o, uint64_t start, uint64_t bytes)
{
	uint64_t blocks = (bytes >> BLOCK_BITS) + 2, end = start + bytes;
	if (!o->block_index.count || end < start)
		return;
	if (blocks > o->locks.count + o->sems.count) {
		for (size_t i = o->locks.count; i-- > 0;)
			if (o->locks.at[i].address - start < bytes)
				note_born_at(o, o->locks.at[i].address);
		for (size_t i = o->sems.count; i-- > 0;)
			if (o->sems.at[i].address - start < bytes)
				note_born_at(o, o->sems.at[i].address);
		return;
	}
	for (uint64_t block = start >> BLOCK_BITS; block <= (end - 1) >> BLOCK_BITS && bytes; block++)
		for (uint64_t i = 0; map_get(&o->block_index, block) && i < 1u << BLOCK_BITS; i++)
			if ((block << BLOCK_BITS) + i - start < bytes)
				note_born_at(o, (block << BLOCK_BITS) + i);
}

static void note_memory(struct order *o, const struct event *ev)
{
	uint64_t from = 0;
	if (ev->kind == EV_REALLOC && ev->byte_count >= 8)
		memcpy(&from, ev->bytes, 8);
	if (ev->kind != EV_REALLOC || from != ev->object)       /* else it lies where it lay */
		note_born(o, ev->object, ev->arg);
}

/* ---- the rest ---- */

static void note_outside(struct order *o, const struct event *ev)
{
	switch (ev->kind) {
	case EV_FWAIT: case EV_FWAKE: note_unmodelled(o, "a futex by hand", ev); break;
	case EV_SIGENTER: note_unmodelled(o, "a signal handler, which could have run elsewhere", ev); break;
	case EV_PROCESS: note_unmodelled(o, "another process", ev); break;
	case EV_CANCEL:  note_unmodelled(o, "a cancelled thread", ev); break;
	case EV_LOST:    note_unmodelled(o, "events that could not be recorded", ev); break;
	case EV_FAILURE: note_unmodelled(o, "a run that failed", ev); break;
	case EV_INJECT:  note_unmodelled(o, "an injected fault", ev); break;
	case EV_ALLOC: case EV_REALLOC: case EV_STACK: note_memory(o, ev); break;
	case EV_MAP:
		if (ev->result > 0 && ev->result & MAPPED_SHARED) {
			vec_push(&o->shared_maps, ((struct shared_map){ ev->object, ev->arg }));
			note_unmodelled(o, "memory shared with other processes", ev);
		} else if (ev->result >= 0) {
			note_memory(o, ev);
		}
		break;
	case EV_EXIT:
		for (uint32_t i = 0; i < o->own_count; i++)
			if (i != ev->thread.i && o->threads[i].begun && !o->threads[i].ended) {
				note_unmodelled(o, "an exit while other threads run", ev);
				break;
			}
		break;
	}
}

static void note_sync(struct order *o, const struct event *ev);

static __attribute__((noinline)) struct spot note_any(struct order *o, const struct event *ev)
{
	struct thread_line *t = &o->threads[ev->thread.i];
	begin_thread(o, ev->thread.i, ev);
	t->last_index = ev->index;
	t->blocked = ev->kind == EV_BLOCK;
	struct spot spot = { ev->thread.i, (uint32_t)t->node.count };
	bool counts = o->weak && note_counts(o, ev);
	if (ev->kind == EV_READ || ev->kind == EV_WRITE) {
		if (ev->in_flight)
			note_unmodelled(o, "an access that may not have finished", ev);
		if (o->weak)
			note_stored(o, ev);
		return spot;
	}
	note_sync(o, ev);
	if (o->weak)
		note_stored(o, ev);
	t = &o->threads[ev->thread.i];
	if (o->weak && !counts && empties_buffer(ev) && o->nodes.at[t->node.at[t->node.count - 1]].key != 2 * ev->index + 1)
		note_node(o, OP_EMPTIES, ev);
	return spot;
}

/* Most events are plain accesses, which are no nodes. */
struct spot order_note(struct order *o, const struct event *ev)
{
	check(!o->sealed && ev->thread.i < o->own_count);
	struct thread_line *t = &o->threads[ev->thread.i];
	if ((ev->kind != EV_READ && ev->kind != EV_WRITE) || ev->in_flight || o->weak || !t->begun)
		return note_any(o, ev);
	t->last_index = ev->index;
	t->blocked = false;
	return (struct spot){ ev->thread.i, (uint32_t)t->node.count };
}

struct spot order_note_blind(struct order *o, const struct event *ev)
{
	o->blind = true;
	struct spot spot = order_note(o, ev);
	o->blind = false;
	return spot;
}

static void note_sync(struct order *o, const struct event *ev)
{
	switch (ev->kind) {
	case EV_END:    end_thread(o, ev->thread.i, 2 * ev->index + 1, ev); break;
	case EV_FORK:   note_fork(o, ev); break;
	case EV_JOIN:   note_join(o, ev); break;
	case EV_LOCK:   note_lock(o, ev); break;
	case EV_UNLOCK: note_unlock(o, ev); break;
	case EV_TRYFAIL: note_tryfail(o, ev); break;
	case EV_CWAIT:  note_cwait(o, ev); break;
	case EV_CWAKE:  note_cwake(o, ev); break;
	case EV_CSIGNAL: note_csignal(o, OP_SIGNAL, ev); break;
	case EV_CBROADCAST: note_csignal(o, OP_BROADCAST, ev); break;
	case EV_BENTER: note_benter(o, ev); break;
	case EV_BLEAVE: note_bleave(o, ev); break;
	case EV_SWAIT: case EV_SPOST: note_sem(o, ev); break;
	case EV_LOCKINIT:
		if ((ev->arg >> 8 & 0xff) == LOCK_SEM && !ev->result)
			note_sem_init(o, ev);
		note_lockinit(o, ev);
		break;
	case EV_LOCKDEAD: note_lockdead(o, ev); break;
	case EV_LIBWRITE: note_sem_value(o, ev); break;
	case EV_ONCE: case EV_ONCERUN: note_once(o, ev); break;
	case EV_RELEASE: case EV_ACQUIRE: note_handed(o, ev); break;
	case EV_FENCE:  note_fence(o, ev); break;
	case EV_ALOAD: case EV_ASTORE: case EV_RMW: case EV_CAS: note_atomic(o, ev); break;
	default:        note_outside(o, ev); break;
	}
}

static struct order *order_make(const struct trace *t, bool weak)
{
	struct order *o = mem_take(sizeof *o);
	o->trace = t;
	o->weak = weak;
	o->own_count = trace_thread_count(t);
	o->thread_count = weak ? 2 * o->own_count : o->own_count;
	o->threads = mem_take((o->thread_count + 1) * sizeof *o->threads);
	for (uint32_t i = 0; i < o->thread_count; i++)
		o->threads[i].cwait = o->threads[i].release_fence = NONE;
	row_new(o, 0);
	vec_add(&o->helds);                     /* number 0 is nothing */
	if (trace_flags(t) & TRACE_LAST)
		note_unmodelled(o, "a recording whose beginning is missing", NULL);
	return o;
}

struct order *order_new(const struct trace *t) { return order_make(t, false); }
struct order *order_new_weak(const struct trace *t) { return order_make(t, true); }

struct order *order_new_stores(const struct trace *t, enum order_model model)
{
	struct order *o = order_make(t, model != ORDER_SC);
	o->model = model;
	return o;
}

static bool is_shared(const struct order *o, uint64_t address)
{
	for (size_t i = 0; i < o->shared_maps.count; i++)
		if (address - o->shared_maps.at[i].start < o->shared_maps.at[i].bytes)
			return true;
	return false;
}

/* Where others than those recorded may have posted it, or nobody knows how often it could be taken from the first, it is there for every wait: the
 * rule of semaphores closes nothing then. */
static void seal_sem(struct order *o, struct sem *s)
{
	bool outside = s->known && (s->first + s->lowest < 0 || is_shared(o, s->address));
	if (!s->known)
		note_unmodelled(o, "a semaphore whose first value is not known", NULL);
	else if (s->first + s->lowest < 0)
		note_unmodelled(o, "a semaphore taken while it was 0", NULL);
	if ((s->known && !outside) || handed_by_pipe(s->address))
		return;                         /* a pipe is empty at first */
	s->first = 0;
	for (size_t i = 0; i < s->nodes.count; i++)
		s->first += o->nodes.at[s->nodes.at[i]].op == OP_SWAIT;
}

void order_seal(struct order *o)
{
	note_all_left(o);
	for (uint32_t i = 0; i < o->own_count; i++) {
		end_thread(o, i, 2 * o->threads[i].last_index + 2, NULL);
		vec_release(&o->threads[i].loose);
		if (o->threads[i].blocked || trace_thread(o->trace, (struct thread_id){ i })->waits_kind)
			note_unmodelled(o, "a run that did not end: threads wait", NULL);
		if (trace_thread(o->trace, (struct thread_id){ i })->lost)
			note_unmodelled(o, "events that could not be recorded", NULL);
	}
	for (size_t i = 0; i < o->sems.count; i++)
		seal_sem(o, &o->sems.at[i]);
	o->sealed = true;
	if (check_observed(o))
		note_unmodelled(o, "an observed order that breaks the rules of locks or semaphores", NULL);
}

void order_free(struct order *o)
{
	if (!o)
		return;
	for (uint32_t i = 0; i < o->thread_count; i++) {
		vec_release(&o->threads[i].node);
		vec_release(&o->threads[i].open);
		vec_release(&o->threads[i].loose);
		vec_release(&o->threads[i].marks);
		vec_release(&o->threads[i].behinds);
		vec_release(&o->threads[i].empties);
		vec_release(&o->threads[i].leaving);
		vec_release(&o->threads[i].mixed);
	}
	for (size_t i = 0; i < o->locks.count; i++) {
		for (size_t k = 0; k < o->locks.at[i].users.count; k++)
			vec_release(&o->locks.at[i].users.at[k].sections);
		vec_release(&o->locks.at[i].users);
		vec_release(&o->locks.at[i].fails);
	}
	for (size_t i = 0; i < o->conds.count; i++)
		vec_release(&o->conds.at[i].nodes);
	for (size_t i = 0; i < o->sems.count; i++)
		vec_release(&o->sems.at[i].nodes), vec_release(&o->sems.at[i].after);
	for (size_t i = 0; i < o->gathers.count; i++)
		vec_release(&o->gathers.at[i].nodes);
	for (size_t i = 0; i < o->cells.count; i++)
		vec_release(&o->cells.at[i].writes);
	for (size_t i = 0; i < o->messages.count; i++)
		vec_release(&o->messages.at[i].from);
	search_free(o->search);
	check_free(o->replay);
	kept_free(o->kept);
	ask_free(o->room);
	vec_release(&o->nodes);
	vec_release(&o->rows);
	vec_release(&o->sections);
	vec_release(&o->helds);
	vec_release(&o->locks);
	vec_release(&o->conds);
	vec_release(&o->sems);
	vec_release(&o->messages);
	vec_release(&o->gathers);
	vec_release(&o->saws);
	vec_release(&o->born);
	vec_release(&o->shared_maps);
	vec_release(&o->unmodelled);
	vec_release(&o->choices);
	vec_release(&o->tried);
	vec_release(&o->accesses);
	vec_release(&o->cells);
	vec_release(&o->written_cells);
	struct map *maps[] = { &o->lock_index, &o->cond_index, &o->sem_index, &o->gather_index, &o->once_index, &o->user_index,
		&o->message_index, &o->block_index, &o->cell_index, &o->behind_index, &o->extent_index, &o->store_index };
	for (size_t i = 0; i < sizeof maps / sizeof *maps; i++)
		map_release(maps[i]);
	mem_free(o->threads);
	mem_free(o);
}
