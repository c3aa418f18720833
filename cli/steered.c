/* cli/steered.c -- see steered.h. */
#include "cli/steered.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/json.h"
#include "base/str.h"
#include "base/vec.h"
#include "cli/say.h"
#include "drive/environment.h"
#include "trace/reader.h"

void print_word(const char *word)
{
	size_t room = 4 * strlen(word) + 4;
	char *shown = mem_take(room);
	fputs(str_shell(shown, room, word), stderr);
	mem_free(shown);
}

void print_command(char *const *argv)
{
	for (int i = 0; argv[i]; i++) {
		if (i)
			putc(' ', stderr);
		print_word(argv[i]);
	}
}

void say_environment(const struct schedule *s)
{
	char names[200];
	unsigned count = environment_differs(s, true, names, sizeof names);
	if (count)
		say_note("%s differ%s from the environment the schedule was made in; the program gets that", names, count == 1 ? "s" : "");
	count = environment_differs(s, false, names, sizeof names);
	if (count)
		say_note("not given to the program, since it did not ask for it or others act on it: %s; set what it needs yourself", names);
}

/* The command that does the same again. */
static void print_again(const struct steer_result *r, const struct steered_end *e)
{
	char policy[SCHEDULE_POLICY_ROOM];
	const struct steer_options *o = e->options;
	if (e->schedule) {
		fprintf(stderr, "; schedule '%s'; again: raddle replay%s ", e->schedule, e->again ? e->again : "");
		print_word(e->schedule);
		if (e->named) {
			fputs(" -- ", stderr);
			print_command(e->argv);
		}
		return;
	}
	if (o->schedule || r->interrupted)
		return;
	fprintf(stderr, "; again: raddle run --policy=%s", policy_print(policy, o->policy, o->seed, o->depth));
	if (o->heap)
		fprintf(stderr, " --heap=%s", heap_words[o->heap]);
	if (o->time)
		fprintf(stderr, " --time=%s", time_words[o->time]);
	if (o->model)
		fprintf(stderr, " --model=%s", model_words[o->model]);
	if (o->switching)
		fprintf(stderr, " --switch=%s", switch_words[o->switching]);
	if (o->random_addresses)
		fputs(" --addresses=random", stderr);
	if (o->max_steps)
		fprintf(stderr, " --max-steps=%" PRIu64, o->max_steps);
	if (o->max_seconds)
		fprintf(stderr, " --timeout=%u", o->max_seconds);
	if (o->races)
		fprintf(stderr, " --races");
	fputs(" -- ", stderr);
	print_command(e->argv);
}

static void say_line(const struct steer_result *r, const struct steered_end *e)
{
	char said[STEER_SAY], events[STR_NUMBER], switches[STR_NUMBER], policy[SCHEDULE_POLICY_ROOM];
	fprintf(stderr, "raddle: %s; %zu thread%s, %s event%s, %s switch%s", steer_say(r, said), r->threads.count,
		r->threads.count == 1 ? "" : "s", str_grouped(events, r->steps), r->steps == 1 ? "" : "s",
		str_grouped(switches, r->switches), r->switches == 1 ? "" : "es");
	if (!e->options->schedule)
		fprintf(stderr, ", policy %s", policy_print(policy, e->options->policy, e->options->seed, e->options->depth));
	if (e->options->model)
		fprintf(stderr, ", model %s", model_words[e->options->model]);
	if (e->options->races)
		fprintf(stderr, "; %zu%s race%s", r->races.all.count, r->races.more ? " and more" : "", r->races.all.count == 1 ? "" : "s");
	if (e->trace)
		fprintf(stderr, "; trace '%s'", e->trace);
	if (r->log_lost)
		fputs(r->log_damaged ? "; the program has written over its schedule" : "; the schedule is too long to keep", stderr);
	print_again(r, e);
	putc('\n', stderr);
}

static void json_threads(struct json *j, struct steer_result *r)
{
	char object[256];
	json_key(j, "threads");
	json_array(j);
	for (size_t i = 0; i < r->threads.count; i++) {
		static const char *const states[] = { "none", "stopped", "running", "ended" };
		const struct steer_thread *t = &r->threads.at[i];
		json_object(j);
		json_put_text(j, "path", t->path);
		if (*t->name)
			json_put_text(j, "name", t->name);
		json_put_text(j, "state", t->waits ? "waits" : states[t->state]);
		json_put_number(j, "events", t->done);
		if (t->waits) {
			json_put_text(j, "waits", event_word(t->kind));
			if (t->kind != EV_JOIN)
				json_put_text(j, "for", places_object(r->places, t->object, object, sizeof object));
			if (t->waits_for != NO_PART)
				json_put_text(j, "held_by", r->threads.at[t->waits_for].path);
		}
		json_end(j, '}');
	}
	json_end(j, ']');
}

void json_early(struct json *j, const struct early *e)
{
	json_key(j, "emptied_at");
	json_array(j);
	for (uint32_t i = 0; i < e->places.count; i++)
		json_text(j, names_text(&e->places, i));
	json_end(j, ']');
}

static void json_line_of(struct steer_result *r, const struct steered_end *e)
{
	char said[STEER_SAY], policy[SCHEDULE_POLICY_ROOM];
	struct json j;
	json_summary(&j, stdout);
	json_put_text(&j, "command", e->command);
	json_put_text(&j, "outcome", r->interrupted ? "interrupted" : outcome_words[r->outcome]);
	if (r->outcome == OUTCOME_EXIT || r->outcome == OUTCOME_SIGNAL)
		json_put_number(&j, "value", (uint64_t)(uint32_t)r->value);
	json_put_text(&j, "said", steer_say(r, said));
	json_put_number(&j, "events", r->steps);
	json_put_number(&j, "switches", r->switches);
	json_put_text(&j, "policy", policy_print(policy, e->options->policy, e->options->seed, e->options->depth));
	json_put_text(&j, "model", model_words[e->options->model]);
	if (e->options->model) {
		struct early early = { 0 };
		early_add(&early, r);
		json_early(&j, &early);
		early_release(&early);
	}
	json_put_text(&j, "switched_by", switch_words[r->switched_by]);
	json_put_bool(&j, "fixed_addresses", r->fixed_addresses);
	if (e->schedule)
		json_put_text(&j, "schedule", e->schedule);
	if (e->trace)
		json_put_text(&j, "trace", e->trace);
	if (e->options->races) {
		json_put_number(&j, "races", r->races.all.count);
		json_put_number(&j, "races_more", r->races.more);
		json_put_number(&j, "races_unseen", r->races.unseen);
		json_put_bool(&j, "races_complete", !r->races.stopped);
	}
	json_threads(&j, r);
	json_summary_end(&j);
}

struct steer_options steered_options(const struct steered_world *w, char **argv)
{
	return (struct steer_options){ .argv = argv, .heap = (uint32_t)w->heap, .time = (uint32_t)w->time, .model = (uint32_t)w->model,
		.switching = (uint32_t)w->switching };
}

int races_option(const char *given, struct race_watch **out, struct err *why)
{
	*out = NULL;
	if (given && *given && strcmp(given, "fail")) {
		err_set(why, "'--races=%.100s' is not --races or --races=fail", given);
		why->code = 2;
		return -1;
	}
	if (given)
		*out = race_watch_new(NULL);
	return 0;
}

int races_code(const char *given, const struct steer_result *r, int code)
{
	return given && *given && r->races.all.count && code == 0 ? 1 : code;
}

/* What was not as good as it can be. */
static void say_shortcomings(const struct steer_result *r)
{
	struct early early = { 0 };
	early_add(&early, r);
	for (uint32_t i = 0; i < early.places.count; i++)
		say_note(EARLY_SAID ": %s", names_text(&early.places, i));
	early_release(&early);
	if (!r->dispatched && r->steps)
		say_note("the kernel does not hand over system calls (raddle doctor): those inside libraries are neither steered nor replayed");
}

void say_unkept(const struct steer_result *r)
{
	if (r->input_lost)
		say_note("what the program read could not be kept: a replay asks the outside again");
	if (r->unknown_call)
		say_note("the program made system call %u, which raddle does not know: a replay may not bring back what it did", r->unknown_call - 1);
}

void steered_end(struct steer_result *r, const struct steered_end *e)
{
	bool stuck = r->outcome == OUTCOME_DEADLOCK || r->outcome == OUTCOME_LIVELOCK || r->outcome == OUTCOME_MEMORY ||
		r->outcome == OUTCOME_ASSERT || r->outcome == OUTCOME_SIGNAL || r->interrupted;
	fflush(stdout);
	if (stuck) {
		char said[STEER_SAY];
		fprintf(stderr, "raddle: %s\n", steer_say(r, said));
		steer_print_threads(r, stderr);
	}
	say_shortcomings(r);
	race_list_print(&r->races, stderr);
	say_line(r, e);
	if (e->json)
		race_list_json(&r->races, stdout);
	if (e->json)
		json_line_of(r, e);
}
