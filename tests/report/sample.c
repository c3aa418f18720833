/* tests/report/sample.c -- see sample.h.  Lines are those of shop.c. */
#include "tests/report/sample.h"

#include <stdio.h>
#include <string.h>

struct made { struct findings *l; const char *file; uint32_t shift; };

static struct finding_spot spot(const struct made *m, uint32_t line, const char *function, uint32_t ordinal)
{
	struct finding_spot s = finding_spot(m->l, m->file, line + m->shift, function);
	s.ordinal = ordinal;
	s.column = 2;
	s.module = findings_text(m->l, "/opt/shop/bin/shop");
	return s;
}

static struct finding_place *place(const struct made *m, struct finding *f, const char *thread, enum finding_access access, struct finding_spot at)
{
	static const struct place nowhere = { .file = "", .function = "", .linkage = "", .unit = "", .module = "", .ordinal = NO_ORDINAL };
	struct event ev = { .kind = EV_READ, .size = 4, .place = &nowhere };
	struct finding_place *p = finding_place_add(m->l, f, &ev, thread);
	p->at = at;
	p->access = access;
	p->stack_known = p->locks_known = true;
	if (strcmp(thread, "T_0")) {
		vec_push(&p->stack, spot(m, 57, "worker", 4));
		p->made_by = findings_text(m->l, "T_0");
		p->made_at = spot(m, 68, "main", 2);
	}
	return p;
}

static struct finding_step *step(const struct made *m, struct finding *f, const char *thread, const char *text, uint32_t line, const char *function, int place)
{
	struct finding_step *s = finding_step_add(m->l, f, thread, text, spot(m, line, function, NO_ORDINAL));
	s->place = place;
	return s;
}

static void hold(const struct made *m, struct finding_step *s, const char *lock, uint32_t line, const char *function)
{
	finding_lock_add(m->l, &s->locks, lock, false, spot(m, line, function, NO_ORDINAL));
}

static void confirmed(const struct made *m, struct finding *f, uint32_t replays, enum finding_effect effect, const char *said)
{
	char name[64];
	f->replays = f->shown = replays;
	f->effect = effect;
	f->effect_text = findings_text(m->l, said);
	snprintf(name, sizeof name, "%s-1.sched", finding_kind_word(f->kind));
	f->schedule = findings_text(m->l, name);
}

static void global(const struct made *m, struct finding *f, const char *name)
{
	f->object.name = findings_text(m->l, name);
	f->object.memory = MEMORY_GLOBAL;
}

static void race(const struct made *m, const char *reader)
{
	struct finding *f = findings_add(m->l, FINDING_RACE, FINDING_CONFIRMED);
	struct finding_place *p = place(m, f, "T_0_1", ACCESS_WRITE, spot(m, 16, "pay", 3));
	finding_lock_add(m->l, &p->locks, "till", false, spot(m, 15, "pay", 1));
	place(m, f, reader, ACCESS_READ, spot(m, 22, "audit", 0));
	global(m, f, "balance");
	confirmed(m, f, 100, EFFECT_OUTPUT, "");
	step(m, f, "T_0", "creates T_0_0", 68, "main", -1);
	step(m, f, "T_0", "creates T_0_1", 68, "main", -1);
	hold(m, step(m, f, "T_0_1", "locks till", 15, "pay", -1), "till", 15, "pay");
	hold(m, step(m, f, "T_0_1", "reads balance = 40", 16, "pay", -1), "till", 15, "pay");
	hold(m, step(m, f, "T_0_1", "writes balance = 47", 16, "pay", 0), "till", 15, "pay");
	step(m, f, reader, "reads balance = 47", 22, "audit", 1);
	f->steps_before = 12;
}

static void deadlock(const struct made *m)
{
	struct finding *f = findings_add(m->l, FINDING_DEADLOCK, FINDING_CONFIRMED);
	struct finding_place *p = place(m, f, "T_0_0", ACCESS_LOCK, spot(m, 28, "deliver", NO_ORDINAL));
	p->object = findings_text(m->l, "till");
	p->bytes = 0;
	finding_lock_add(m->l, &p->locks, "shelf", false, spot(m, 27, "deliver", NO_ORDINAL));
	p = place(m, f, "T_0", ACCESS_LOCK, spot(m, 37, "put_back", NO_ORDINAL));
	p->object = findings_text(m->l, "shelf");
	p->bytes = 0;
	finding_lock_add(m->l, &p->locks, "till", false, spot(m, 36, "put_back", NO_ORDINAL));
	f->object.name = findings_text(m->l, "till");
	f->object.memory = MEMORY_LOCK;
	confirmed(m, f, 100, EFFECT_HANG, "deadlock: a cycle of locks");
	hold(m, step(m, f, "T_0_0", "locks shelf", 27, "deliver", -1), "shelf", 27, "deliver");
	hold(m, step(m, f, "T_0", "locks till", 36, "put_back", -1), "till", 36, "put_back");
	hold(m, step(m, f, "T_0_0", "waits for till", 28, "deliver", 0), "shelf", 27, "deliver");
	hold(m, step(m, f, "T_0", "waits for shelf", 37, "put_back", 1), "till", 36, "put_back");
}

static void lost_wakeup(const struct made *m)
{
	struct finding *f = findings_add(m->l, FINDING_LOST_WAKEUP, FINDING_NOT_REPRODUCED);
	place(m, f, "T_0_2", ACCESS_WAIT, spot(m, 47, "take", NO_ORDINAL))->bytes = 0;
	place(m, f, "T_0", ACCESS_SIGNAL, spot(m, 69, "main", NO_ORDINAL))->bytes = 0;
	f->object.name = findings_text(m->l, "arrived");
	f->object.memory = MEMORY_LOCK;
	f->left_at = 5;
	f->expected = findings_text(m->l, "T_0_2 to lock shelf at shop.c:45");
	f->came = findings_text(m->l, "its end");
	f->tries = 8;
}

static void atomicity(const struct made *m)
{
	struct finding *f = findings_add(m->l, FINDING_ATOMICITY, FINDING_CONFIRMED);
	place(m, f, "T_0_1", ACCESS_READ, spot(m, 29, "deliver", 5));
	place(m, f, "T_0", ACCESS_WRITE, spot(m, 38, "put_back", 5));
	place(m, f, "T_0_1", ACCESS_WRITE, spot(m, 29, "deliver", 6));
	global(m, f, "open_orders");
	confirmed(m, f, 100, EFFECT_OUTPUT, "");
}

static void use_after_free(const struct made *m)
{
	struct finding *f = findings_add(m->l, FINDING_USE_AFTER_FREE, FINDING_CONFIRMED);
	place(m, f, "T_0_2", ACCESS_READ, spot(m, 49, "take", 7));
	place(m, f, "T_0_1", ACCESS_FREE, spot(m, 59, "worker", NO_ORDINAL))->bytes = 0;
	f->object.name = findings_text(m->l, "heap block of shop.c:70");
	f->object.memory = MEMORY_HEAP;
	f->object.bytes = 16;
	f->object.offset = 8;
	f->object.thread = findings_text(m->l, "T_0");
	f->object.at = spot(m, 70, "main", NO_ORDINAL);
	confirmed(m, f, 100, EFFECT_CRASH, "memory error: read of freed memory at shop.c:49");
}

static void double_free(const struct made *m)
{
	struct finding *f = findings_add(m->l, FINDING_DOUBLE_FREE, FINDING_INFEASIBLE);
	place(m, f, "T_0_2", ACCESS_FREE, spot(m, 59, "worker", NO_ORDINAL))->bytes = 0;
	place(m, f, "T_0_1", ACCESS_FREE, spot(m, 59, "worker", NO_ORDINAL))->bytes = 0;
	f->object.name = findings_text(m->l, "heap block of shop.c:70");
	f->rule = findings_text(m->l, "both sections of 'shelf' are in the way");
}

static void null_dereference(const struct made *m)
{
	struct finding *f = findings_add(m->l, FINDING_NULL_DEREFERENCE, FINDING_PREDICTED);
	place(m, f, "T_0_0", ACCESS_READ, spot(m, 49, "take", 6));
	place(m, f, "T_0_2", ACCESS_WRITE, spot(m, 49, "take", 8));
	global(m, f, "first");
	f->assumed = findings_text(m->l, "the order of accesses by their time");
}

static void weak_memory(const struct made *m)
{
	struct finding *f = findings_add(m->l, FINDING_WEAK_MEMORY, FINDING_PREDICTED);
	place(m, f, "T_0_0", ACCESS_ATOMIC_WRITE, spot(m, 38, "put_back", 9));
	place(m, f, "T_0_2", ACCESS_READ, spot(m, 22, "audit", 1));
	global(m, f, "balance");
}

void sample_make(struct findings *l, size_t count, const char *folder, uint32_t shift)
{
	static void (*const kinds[])(const struct made *) = { deadlock, lost_wakeup, atomicity, use_after_free, double_free, null_dereference, weak_memory };
	char file[256], thread[32];
	for (size_t i = 0; i < count; i++) {
		snprintf(file, sizeof file, "%sshop.c", folder);
		if (i >= 8)
			snprintf(file, sizeof file, "%spart%zu/module%zu.c", folder, i / 8 % 5, i / 8);
		struct made m = { l, file, shift };
		snprintf(thread, sizeof thread, "T_0_%zu", 2 + i / 8 % 12);
		if (i % 8 == 0)
			race(&m, thread);
		else
			kinds[i % 8 - 1](&m);
	}
	findings_finish(l);
}

void sample_hostile(struct findings *l, const char *text)
{
	struct made m = { l, text, 0 };
	struct finding *f = findings_add(l, FINDING_RACE, FINDING_CONFIRMED);
	for (int i = 0; i < 2; i++) {
		struct finding_place *p = place(&m, f, text, i ? ACCESS_READ : ACCESS_WRITE, spot(&m, 1, text, 1));
		p->object = p->made_by = f->object.name;
		finding_lock_add(l, &p->locks, text, false, spot(&m, 1, text, 1));
	}
	struct finding_step *s = step(&m, f, text, text, 1, text, 0);
	hold(&m, s, text, 1, text);
	f->object = (struct finding_object){ .name = findings_text(l, text), .field = findings_text(l, text), .memory = MEMORY_HEAP, .bytes = 8, .thread = findings_text(l, text),
		.at = spot(&m, 2, text, 1) };
	f->effect_text = f->schedule = f->assumed = f->rule = f->expected = f->came = findings_text(l, text);
	f->effect = EFFECT_CRASH;
	findings_finish(l);
}

struct report sample_report(const struct findings *l)
{
	return (struct report){ .findings = l, .command = "predict", .version = "1.2.3", .subject = "./shop 7", .listed = ~0u,
		.bugs = STATUS_BIT(FINDING_CONFIRMED), .events = 12345, .seconds = 0.25 };
}
