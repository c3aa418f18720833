/* tests/unit/predict_rank.c -- which candidates of predict are asked about when, and which is tried next: counted by what questions and runs are said to cost. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "analyses/predict/closed.h"
#include "analyses/predict/rank.h"

#define GROUPS 4200u            /* more than are asked about */
#define ASKED  4096u
#define EVENTS 250000u          /* of the recording */

/* A recording with GROUPS candidates: values stand against the even ones.  Their answers are there already; a question is what costs. */
struct scene {
	struct predict out;
	struct predict_setup setup;
	struct work work;
	struct recording recording;
	struct aims aims;
	struct ranking ranking;
	uint64_t cost;          /* steps of a question */
	uint32_t questions;
};

/* Wanted whenever something is asked. */
static void charge(void *with, struct model **model, struct depend **depend)
{
	struct scene *s = with;
	(void)model;
	(void)depend;
	s->questions++;
	s->work.values.spent += s->cost;
}

static void scene_begin(struct scene *s, uint64_t cost)
{
	*s = (struct scene){ .cost = cost, .recording.events = EVENTS };
	s->setup = (struct predict_setup){ .model = charge, .with = s };
	s->work.out = &s->out;
	s->work.setup = &s->setup;
	s->work.lab = &s->work.sc;
	s->work.sc.runs = (struct runs *)s;             /* there are some: nobody here looks at them */
	for (uint32_t i = 0; i < GROUPS; i++) {
		char key[32];
		struct aims_group *g = vec_add(&s->aims.groups);
		snprintf(key, sizeof key, "turn|a.c:%u|b.c:1|x", i);
		uint32_t number = names_put(&s->aims.keys, key, strlen(key));
		*g = (struct aims_group){ .kind = AIM_TURN, .key = names_text(&s->aims.keys, number), .object = "x" };
		vec_push(&g->aims, ((struct aim){ .kind = AIM_TURN, .count = 2, .asked = true, .closed = i % 2 ? VALUES_OPEN : VALUES_UNLIKELY, .rule = i % 2 ? NULL : "no" }));
	}
	rank_begin(&s->ranking, &s->work, &s->recording, &s->aims);
}

static uint32_t next(struct scene *s)
{
	struct aims_group *group;
	struct err why;
	assert_int_equal(rank_next(&s->ranking, &group, &why), 0);
	return group ? (uint32_t)(group - s->aims.groups.at) : UINT32_MAX;
}

static void scene_end(struct scene *s)
{
	rank_end(&s->ranking);
	aims_release(&s->aims);
	vec_release(&s->work.goals);
	names_release(&s->work.keys);
}

static void cheap_questions_come_first(void **state)
{
	(void)state;
	struct scene s;
	scene_begin(&s, 1000);
	for (uint32_t i = 1; i < ASKED; i += 2) {
		assert_int_equal(next(&s), i);
		assert_int_equal(s.questions, ASKED);
	}
	for (uint32_t i = ASKED; i < GROUPS; i++)
		assert_int_equal(next(&s), i);
	for (uint32_t i = 0; i < ASKED; i += 2)
		assert_int_equal(next(&s), i);
	assert_int_equal(next(&s), UINT32_MAX);
	assert_int_equal(s.questions, ASKED);
	scene_end(&s);
}

/* Each costs as much as eight runs: they never get more than their share, runs begin behind the first few, and everything comes once. */
static void hard_questions_share(void **state)
{
	(void)state;
	struct scene s;
	uint8_t came[GROUPS] = { 0 };
	uint64_t cost = 8 * RANK_STEPS_AN_EVENT * EVENTS;
	uint32_t against = 0, group;
	scene_begin(&s, cost);
	assert_int_equal(next(&s), 1);
	came[1]++;
	assert_true(s.questions > 1 && s.questions <= RANK_STEPS_FIRST / cost + 1);
	for (uint32_t made = 1; (group = next(&s)) != UINT32_MAX; made++) {
		came[group]++;
		s.work.sc.made += 4;
		assert_true(s.work.values.spent <= RANK_STEPS_FIRST + s.work.sc.made * (RANK_STEPS_A_RUN + RANK_STEPS_AN_EVENT * EVENTS) + cost);
		against = group % 2 == 0 && s.aims.groups.at[group].rank == RANK_AGAINST && !against ? made : against;
	}
	for (uint32_t i = 0; i < GROUPS; i++)
		assert_int_equal(came[i], 1);
	assert_true(s.questions > 100 && s.questions < ASKED);
	assert_true(against > GROUPS / 2);              /* those known to have values against them come last */
	scene_end(&s);
}

/* One that is asked about later moves before those that were not. */
static void moves_when_asked(void **state)
{
	(void)state;
	struct scene s;
	scene_begin(&s, RANK_STEPS_FIRST);
	assert_int_equal(next(&s), 1);                  /* 0 was asked about, and there is room for no more */
	assert_int_equal(s.questions, 1);
	assert_int_equal(next(&s), 2);
	s.cost = 0;
	s.work.sc.made = 1;
	assert_int_equal(next(&s), 3);                  /* all were */
	assert_int_equal(next(&s), 5);
	assert_int_equal(s.questions, ASKED);
	scene_end(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cheap_questions_come_first),
		cmocka_unit_test(hard_questions_share),
		cmocka_unit_test(moves_when_asked),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
