/* cli/parted.c -- see parted.h. */
#include "cli/parted.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/json.h"
#include "trace/event.h"

static void say_way(const struct parted_way *w, const char *when)
{
	printf("  %s: ", when);
	if (w->over)
		printf("it had ended\n");
	else
		printf("event %" PRIu64 " of %s, %s%s%s\n", w->nth, w->thread, event_word(w->kind), *w->place ? " at " : "", w->place);
}

static void way_as_json(struct json *j, const struct parted_way *w)
{
	json_object(j);
	if (!w->over) {
		json_put_text(j, "thread", w->thread);
		json_put_number(j, "index", w->nth);
		json_put_text(j, "kind", event_word(w->kind));
		json_put_text(j, "at", w->place);
	}
	json_end(j, '}');
}

static void parted_as_json(const struct parted *p, const char *policy)
{
	struct json j;
	json_init(&j, stdout);
	json_object(&j);
	json_put_text(&j, "type", "nondeterminism");
	json_put_number(&j, "run", p->number);
	json_put_text(&j, "policy", policy);
	if (p->located) {
		json_put_number(&j, "event", p->event);
		json_key(&j, "ways");
		json_array(&j);
		for (int i = 0; i < 2; i++)
			way_as_json(&j, &p->way[i]);
		json_end(&j, ']');
	}
	json_end(&j, '}');
	json_line(&j);
}

void parted_say(const struct parted *p, bool json)
{
	char policy[SCHEDULE_POLICY_ROOM];
	if (!p->number)
		return;
	policy_print(policy, p->order.policy, p->order.seed, p->order.depth);
	if (json) {
		parted_as_json(p, policy);
		return;
	}
	printf("not deterministic: run %" PRIu64 " (%s), made twice in the same order, went two ways", p->number, policy);
	if (p->located) {
		printf(" at event %" PRIu64 "\n", p->event);
		say_way(&p->way[0], "once");
		say_way(&p->way[1], "and once");
	} else {
		printf("; where could not be found out\n");
	}
	puts("  the program takes something from where raddle does not see it (the processor's clock, memory of other processes), or raddle is wrong");
}
