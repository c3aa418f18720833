/* tests/report/faults.c -- prints a made-up campaign as a page, for coverage.sh.
 *   faults <folder of shop.c>          two programs, 480 faults, a picture
 *   faults hostile <text>              one fault whose every text is <text>
 *   faults many <count>                so many faults, all alike */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/coverage.h"

static const char *const words[] = { "not activated", "masked", "latent", "silent corruption", "detected", "crash", "hang", "deadlock" };

static char *copied(const char *text)
{
	return strcpy(mem_take(strlen(text) + 1), text);
}

static void add(struct coverage *c, struct coverage_program *p, uint64_t id, const char *type, const char *text, const char *file, uint32_t line, uint32_t outcome)
{
	uint32_t said = coverage_text(c, text);
	vec_push(&p->faults, ((struct coverage_fault){ .id = id, .type = coverage_text(c, type), .fault = coverage_text(c, type), .site = said,
		.file = coverage_text(c, file), .line = line, .outcome = outcome, .reason = coverage_text(c, outcome == 1 ? "overwritten" : ""), .kind = said, .thread = said,
		.where = said, .after = (int64_t)id, .latency = outcome == 4 ? 10 * (int64_t)id : -1, .latency_us = outcome == 4 ? (int64_t)id : -1, .ms = 3 }));
}

/* Six nodes in three lanes: down a lane, past a box, from thread to thread, and back. */
static void draw(struct picture *p, const char *name)
{
	static const struct picture_edge edges[] = { { 0, 1, true, false, 3, 1 }, { 0, 2, false, false, 9, 1 }, { 1, 3, true, true, 35, 4 }, { 3, 4, true, true, 1234567, 1 },
		{ 4, 5, true, true, 2, 1 }, { 2, 1, true, false, 4, 2 } };
	static const char *const lanes[] = { "T_0", "T_0", "T_0", "T_0_1", "T_0_2", "T_0" };
	for (int i = 0; i < 6; i++)
		vec_push(&p->nodes, ((struct picture_node){ copied(name), copied("a rather long name of a source file.c:12345"), copied(i == 2 ? "control" : "data"),
			picture_lane(p, lanes[i]), 1234567, i == 3, i == 0 }));
	for (size_t i = 0; i < sizeof edges / sizeof *edges; i++)
		vec_push(&p->edges, edges[i]);
	p->all_nodes = 7;
	p->all_edges = 6;
}

static struct coverage_program *program(struct coverage *c, const char *name)
{
	struct coverage_program *p = vec_add(&c->programs);
	*p = (struct coverage_program){ .name = name, .again = "raddle campaign --repeat=", .again_end = " x.ini", .about = name, .masked = name };
	return p;
}

static void two(struct coverage *c, const char *folder)
{
	char file[1000];
	snprintf(file, sizeof file, "%sshop.c", folder);
	struct coverage_program *shop = program(c, "shop");
	for (uint32_t i = 1; i <= 400; i++)
		add(c, shop, i, i % 2 ? "BitFlip" : "CallCorr", i % 10 ? "T_0:buy%3@1" : "T_0_1:sell#2@7", file, 10 + i % 5, i % 8);
	shop->drawn = 500;
	struct coverage_shown shown = { .id = 3 };
	draw(&shown.picture, "the_name_of_a_variable_that_does_not_fit");
	vec_push(&shop->shown, shown);
	struct coverage_program *till = program(c, "till");
	for (uint32_t i = 1; i <= 80; i++)
		add(c, till, i, "BitFlip", "T_0:main%1@1", "nowhere/till.c", 7, 3);
	till->drawn = 80;
}

int main(int argc, char **argv)
{
	struct coverage c = { .outcomes = words, .version = "0" };
	if (argc < 2)
		return 2;
	if (!strcmp(argv[1], "hostile") && argc > 2) {
		struct coverage_program *p = program(&c, argv[2]);
		struct coverage_shown shown = { .id = 1 };
		p->again_end = argv[2];
		add(&c, p, 1, argv[2], argv[2], argv[2], 3, 3);
		draw(&shown.picture, argv[2]);
		vec_push(&p->shown, shown);
	} else if (!strcmp(argv[1], "many") && argc > 2) {
		struct coverage_program *p = program(&c, "many");
		for (uint64_t i = 1; i <= strtoul(argv[2], NULL, 10); i++)
			add(&c, p, i, "BitFlip", "T_0:main%1@1", "nowhere/many.c", (uint32_t)(i % 50), (uint32_t)(i % 3));
	} else {
		two(&c, argv[1]);
	}
	coverage_html(&c, stdout);
	coverage_release(&c);
	return 0;
}
