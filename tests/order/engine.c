/* tests/order/engine.c -- see engine.h. */
#include "tests/order/engine.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static struct trace *dummy(int threads)
{
	static struct trace *made[MOST_THREADS + 1];
	char path[] = "/tmp/raddle-against-XXXXXX";
	struct err why;
	if (made[threads])
		return made[threads];
	int fd = mkstemp(path);
	FILE *out = fdopen(fd, "w");
	for (int t = 0; t < threads; t++)
		fprintf(out, "thread: T_%d\n", t);
	fprintf(out, "T_0 begin\n");
	fclose(out);
	if (trace_open(&made[threads], path, &(struct trace_options){ 0 }, &why) < 0) {
		puts(why.text);
		exit(1);
	}
	unlink(path);
	return made[threads];
}

static unsigned lock_at(int lock) { return 0x1000u + 64u * (unsigned)(lock % 3); }     /* 3 lies where 0 lay: machine.h */

static uint64_t object_of(const struct small_event *e)
{
	switch (e->kind) {
	case EV_FORK: case EV_JOIN: return (uint64_t)e->object;
	case EV_LOCKINIT: case EV_LOCKDEAD: case EV_LIBWRITE: return e->arg >> 8 == LOCK_SEM ? SEM_OBJECT(e->object) : lock_at(e->object);
	case EV_LOCK: case EV_UNLOCK: case EV_TRYFAIL: case EV_ALLOC: return lock_at(e->object);
	case EV_SWAIT: case EV_SPOST: return 0x2000u + 64u * (unsigned)e->object;
	default: return 0x3000u + 0x100u * (unsigned)e->kind + 64u * (unsigned)e->object;
	}
}

static const uint64_t cond_object = 0x9000, barrier_object = 0xa000, once_object = 0xb000, handed_object = 0xc000;

static struct event event_of(const struct small *s, int i, const uint64_t *index)
{
	static const struct place nowhere = { "", "", "", "", "", 0, 0, UINT32_MAX, 0, NULL };
	static const uint8_t values[4][4] = { { 0 }, { 1 }, { 2 }, { 3 } };
	const struct small_event *e = &s->ev[i];
	struct event ev = { .kind = (uint8_t)e->kind, .thread = { (uint32_t)e->thread }, .index = index[e->thread], .place = &nowhere,
		.object = object_of(e), .arg = (uint64_t)e->arg, .order = (uint8_t)e->order, .size = 8, .result = e->result };
	if (e->bytes && (small_reads(e) || small_writes(e))) {
		int low = e->bytes & 1 ? 0 : 1;
		ev.size = e->bytes == 3 ? 2 : 1;
		ev.object = PLAIN_OBJECT(e->object) + (unsigned)low;
		ev.has_value = true;
		ev.written = (uint64_t)e->put[low] | (uint64_t)e->put[1] << 8;
		ev.arg = small_reads(e) ? (uint64_t)e->got[low] | (uint64_t)e->got[1] << 8 : ev.written;
	}
	switch (e->kind) {
	case EV_CAS:
		ev.failed = e->arg;
		ev.order2 = (uint8_t)e->order;
		/* fall through */
	case EV_ASTORE: case EV_ALOAD: case EV_RMW: ev.object = ATOMIC_OBJECT + 8u * (unsigned)e->object; break;
	case EV_READ: case EV_WRITE:
		if (e->object == WIDE)
			ev.object = ATOMIC_OBJECT + (e->bytes == 2), ev.size = e->bytes ? ev.size : 16;
		break;
	case EV_CWAIT: case EV_CWAKE: ev.object = cond_object; ev.arg = lock_at(e->arg); break;
	case EV_CSIGNAL: case EV_CBROADCAST: ev.object = cond_object; break;
	case EV_BENTER: case EV_BLEAVE: ev.object = barrier_object; break;
	case EV_ONCE: case EV_ONCERUN: ev.object = once_object; break;
	case EV_RELEASE: case EV_ACQUIRE: ev.object = handed_object; break;
	case EV_TRYFAIL: ev.result = e->result ? e->result : EBUSY; break;
	case EV_ALLOC: ev.arg = 64; break;
	case EV_LIBWRITE: ev.arg = 32; ev.bytes = values[e->put[0]]; ev.byte_count = 4; break;
	}
	return ev;
}

static struct order *noted(struct order *o, const struct small *s, struct event *events, uint32_t *nodes)
{
	uint64_t index[MOST_THREADS] = { 0 };
	static const struct place nowhere = { "", "", "", "", "", 0, 0, UINT32_MAX, 0, NULL };
	for (int k = 0; k < 2; k++) {           /* first values: as sem_init leaves them */
		uint32_t value = (uint32_t)s->sem_first[k];
		struct event ev = { .kind = EV_LOCKINIT, .index = index[0]++, .object = 0x2000u + 64u * (unsigned)k, .arg = LOCK_SEM << 8,
			.place = &nowhere };
		order_note(o, &ev);
		ev = (struct event){ .kind = EV_LIBWRITE, .index = index[0]++, .object = ev.object, .arg = 32, .place = &nowhere,
			.bytes = (uint8_t *)&value, .byte_count = 4 };
		order_note(o, &ev);
	}
	for (int i = 0; i < s->count; i++) {
		events[i] = event_of(s, i, index);
		if (nodes && (small_reads(&s->ev[i]) || small_writes(&s->ev[i])))
			nodes[i] = order_note_access(o, &events[i]);
		else if (s->ev[i].kind == EV_LOCK && s->ev[i].arg & LOCK_TRIED)
			order_note_tried(o, order_note(o, &events[i]));
		else
			order_note(o, &events[i]);
		index[s->ev[i].thread]++;
	}
	order_seal(o);
	return o;
}

struct order *engine(const struct small *s, bool weak, struct event *events, uint32_t *nodes)
{
	return noted(weak ? order_new_weak(dummy(s->threads)) : order_new(dummy(s->threads)), s, events, nodes);
}

struct order *engine_stores(const struct small *s, enum order_model model, struct event *events, uint32_t *nodes)
{
	return noted(order_new_stores(dummy(s->threads), model), s, events, nodes);
}
