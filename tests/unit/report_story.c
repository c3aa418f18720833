/* tests/unit/report_story.c -- the order that shows a finding, told from a trace; names of source files as a reader can use them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/buffer.h"
#include "report/files.h"
#include "report/story.h"
#include "trace/text.h"

#define HEAD "order: total\nthread: T_0\nthread: T_0_1 parent=T_0\nthread: T_0_2 parent=T_0\n" \
	"T_0 begin\nT_0 fork T_0_1 at=s/bank.c:16 in=main\nT_0 fork T_0_2 at=s/bank.c:17 in=main\n"

static struct finding_place *place(struct findings *l, struct finding *f, const char *thread, enum finding_access access, uint32_t line,
	const char *function, const char *object)
{
	static const struct place nowhere = { .file = "", .function = "", .linkage = "", .unit = "", .module = "", .ordinal = NO_ORDINAL };
	struct finding_place *p = finding_place_add(l, f, &(struct event){ .kind = EV_READ, .place = &nowhere }, thread);
	p->at = finding_spot(l, "bank.c", line, function);
	p->access = access;
	p->object = findings_text(l, object);
	return p;
}

static void tell(struct findings *l, struct finding *f, const char *twin)
{
	struct trace *t;
	struct err why = { 0 };
	if (text_load(&t, "twin", twin, strlen(twin), NULL, &why) < 0 || story_tell(l, f, t, &why) < 0)
		fail_msg("%s", why.text);
	trace_close(t);
}

/* "T_0_1 locks m :30 [m] *0" a line: thread, text, line, locks held, the place it is. */
static void assert_steps(const struct finding *f, const char *expected)
{
	struct buffer b = { 0 };
	for (size_t i = 0; i < f->steps.count; i++) {
		const struct finding_step *s = &f->steps.at[i];
		buffer_print(&b, "%s %s :%u", s->thread, s->text, s->at.line);
		for (size_t k = 0; k < s->locks.count; k++)
			buffer_print(&b, " [%s]", s->locks.at[k].name);
		if (s->place >= 0)
			buffer_print(&b, " *%d", s->place);
		buffer_print(&b, "\n");
	}
	buffer_add(&b, "", 1);
	assert_string_equal((const char *)b.at, expected);
	buffer_release(&b);
}

/* It ends where the two accesses meet, and not where the same lines were passed before; three more steps are told. */
static void race(void **state)
{
	(void)state;
	struct findings l = { 0 };
	struct finding *f = findings_add(&l, FINDING_RACE, FINDING_CONFIRMED);
	f->object.name = findings_text(&l, "balance");
	place(&l, f, "T_0_1", ACCESS_WRITE, 31, "pay", "");
	place(&l, f, "T_0_2", ACCESS_READ, 57, "audit", "")->locks_known = true;
	tell(&l, f, HEAD
		"T_0_2 r balance@0x404040 value=100 at=s/bank.c:57 in=audit name=balance\n"
		"T_0_2 r other@0x404060 value=1 at=s/bank.c:58 in=audit name=other\n"
		"T_0_1 lock m@0x404080 type=mutex ver=1 at=s/bank.c:30 in=pay\n"
		"T_0_1 r balance@0x404040 value=100 at=s/bank.c:31 in=pay name=balance\n"
		"T_0_1 r other@0x404060 value=1 at=s/bank.c:31 in=pay name=other\n"
		"T_0_1 w balance@0x404040 value=105 at=s/bank.c:31 in=pay name=balance\n"
		"T_0_2 r balance@0x404040 value=105 at=s/bank.c:57 in=audit name=balance\n"
		"T_0_1 unlock m@0x404080 type=mutex ver=2 at=s/bank.c:33 in=pay\n"
		"T_0_1 end\n"
		"T_0_2 end\n"
		"T_0 join T_0_1 at=s/bank.c:19 in=main\n"
		"T_0 join T_0_2 at=s/bank.c:20 in=main\n");
	assert_steps(f, "T_0 creates T_0_1 :16\nT_0 creates T_0_2 :17\nT_0_2 reads balance = 100 :57\nT_0_2 reads other = 1 :58\n"
		"T_0_1 locks m :30 [m]\nT_0_1 reads balance = 100 :31 [m]\nT_0_1 writes balance = 105 :31 [m] *0\nT_0_2 reads balance = 105 :57 *1\n"
		"T_0_1 unlocks m :33\nT_0_1 ends :0\nT_0_2 ends :0\n");
	assert_string_equal(f->places.at[0].at.file, "s/bank.c");       /* the whole name is known by now */
	assert_int_equal(f->places.at[0].locks.count, 1);
	assert_int_equal(f->places.at[1].locks.count, 0);
	findings_release(&l);
}

/* Who waits at the end is no event any more; it is told all the same, with what it holds. */
static void deadlock(void **state)
{
	(void)state;
	struct findings l = { 0 };
	struct finding *f = findings_add(&l, FINDING_DEADLOCK, FINDING_CONFIRMED);
	place(&l, f, "T_0_1", ACCESS_LOCK, 31, "left", "b");
	place(&l, f, "T_0_2", ACCESS_LOCK, 41, "right", "a");
	tell(&l, f, HEAD
		"T_0_1 lock c@0x4040a0 type=mutex at=s/bank.c:28 in=left\n"
		"T_0_1 unlock c@0x4040a0 type=mutex at=s/bank.c:29 in=left\n"
		"T_0_1 lock a@0x404080 type=mutex at=s/bank.c:30 in=left\n"
		"T_0_2 lock b@0x404090 type=mutex at=s/bank.c:40 in=right\n");
	assert_steps(f, "T_0 creates T_0_1 :16\nT_0 creates T_0_2 :17\nT_0_1 locks c :28 [c]\nT_0_1 unlocks c :29\nT_0_1 locks a :30 [a]\n"
		"T_0_2 locks b :40 [b]\nT_0_1 waits for b :31 [a] *0\nT_0_2 waits for a :41 [b] *1\n");
	assert_string_equal(f->places.at[0].locks.at[0].name, "a");
	assert_int_equal(f->places.at[1].locks.at[0].taken.line, 40);
	findings_release(&l);
}

/* The signal that came too early and the write of null are found; a wait gives up its lock. */
static void partners(void **state)
{
	(void)state;
	struct findings l = { 0 };
	struct finding *f = findings_add(&l, FINDING_LOST_WAKEUP, FINDING_CONFIRMED);
	f->object.name = findings_text(&l, "c");
	place(&l, f, "T_0_1", ACCESS_WAIT, 31, "take", "");
	tell(&l, f, HEAD
		"T_0_2 csignal d@0x404100 at=s/bank.c:39 in=put\n"
		"T_0_2 csignal c@0x404090 at=s/bank.c:40 in=put\n"
		"T_0_1 lock m@0x404080 type=mutex at=s/bank.c:30 in=take\n"
		"T_0_1 cwait c@0x404090 lock=m@0x404080 at=s/bank.c:31 in=take\n");
	assert_steps(f, "T_0 creates T_0_1 :16\nT_0 creates T_0_2 :17\nT_0_2 signals d :39\nT_0_2 signals c :40 *1\nT_0_1 locks m :30 [m]\n"
		"T_0_1 waits on c with m :31 *0\n");
	assert_int_equal(f->places.count, 2);
	assert_string_equal(f->places.at[1].thread, "T_0_2");
	f = findings_add(&l, FINDING_NULL_DEREFERENCE, FINDING_CONFIRMED);
	f->object.name = findings_text(&l, "item");
	place(&l, f, "T_0_1", ACCESS_READ, 50, "use", "");
	tell(&l, f, HEAD
		"T_0_2 w item@0x404040 size=8 value=4096 at=s/bank.c:44 in=put\n"
		"T_0_2 w item@0x404040 size=8 value=0 at=s/bank.c:45 in=put\n"
		"T_0_1 r item@0x404040 size=8 value=0 at=s/bank.c:50 in=use\n");
	assert_int_equal(f->places.count, 2);
	assert_int_equal(f->places.at[1].at.line, 45);
	assert_int_equal(f->steps.at[f->steps.count - 1].place, 0);
	findings_release(&l);
}

/* Of a long run the end is told, and how much came before. */
static void long_run(void **state)
{
	(void)state;
	struct findings l = { 0 };
	struct buffer b = { 0 };
	struct finding *f = findings_add(&l, FINDING_USE_AFTER_FREE, FINDING_CONFIRMED);
	f->object.name = findings_text(&l, "heap block of bank.c:9");
	place(&l, f, "T_0_1", ACCESS_READ, 77, "late", "");
	buffer_print(&b, HEAD);
	for (int i = 0; i < 500; i++)
		buffer_print(&b, "T_0_1 lock m@0x404080 type=mutex at=s/bank.c:30 in=late\nT_0_1 unlock m@0x404080 type=mutex at=s/bank.c:31 in=late\n");
	tell(&l, f, (const char *)b.at);
	assert_int_equal(f->steps.count, STORY_STEPS);
	assert_int_equal(f->steps_before, 2 + 1000 + 1 - STORY_STEPS);
	const struct finding_step *last = &f->steps.at[STORY_STEPS - 1];
	assert_string_equal(last->text, "reads heap block of bank.c:9");
	assert_int_equal(last->place, 0);
	buffer_release(&b);
	findings_release(&l);
}

/* ---------------------------------------------------------------- files */

static const char *settled(const char *file, const char *root, struct findings *l)
{
	struct finding *f = findings_add(l, FINDING_RACE, FINDING_CONFIRMED);
	place(l, f, "T_0", ACCESS_READ, 1, "f", "")->at.file = findings_text(l, file);
	files_settle(l, root);
	return f->places.at[0].at.file;
}

/* room/top/{src/a.c,build/}: seen from build, from top, and as it was compiled somewhere between. */
static void files(void **state)
{
	(void)state;
	struct findings l = { 0 };
	char room[64] = "/tmp/raddle-unit-XXXXXX", top[100], build[120], whole[120];
	assert_non_null(mkdtemp(room));
	snprintf(top, sizeof top, "%s/top", room);
	snprintf(build, sizeof build, "%s/build", top);
	snprintf(whole, sizeof whole, "%s/src", top);
	assert_true(mkdir(top, 0700) == 0 && mkdir(build, 0700) == 0 && mkdir(whole, 0700) == 0);
	snprintf(whole, sizeof whole, "%s/src/a.c", top);
	fclose(fopen(whole, "w"));
	assert_string_equal(settled("src/a.c", top, &l), "src/a.c");
	assert_string_equal(settled(whole, top, &l), "src/a.c");
	assert_string_equal(settled("top/src/a.c", top, &l), "src/a.c");
	assert_string_equal(settled("src/a.c", build, &l), whole);
	assert_string_equal(settled("../src/a.c", build, &l), whole);
	assert_string_equal(settled("/nonexistent/b.c", top, &l), "/nonexistent/b.c");
	assert_string_equal(settled("b.c", top, &l), "b.c");
	assert_string_equal(settled("", top, &l), "");
	assert_string_equal(settled("src", top, &l), "src");            /* a folder is no file */
	unlink(whole);
	snprintf(whole, sizeof whole, "%s/src", top);
	assert_true(rmdir(whole) == 0 && rmdir(build) == 0 && rmdir(top) == 0 && rmdir(room) == 0);
	findings_release(&l);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(race), cmocka_unit_test(deadlock), cmocka_unit_test(partners),
		cmocka_unit_test(long_run), cmocka_unit_test(files) };
	return cmocka_run_group_tests(tests, NULL, NULL);
}
