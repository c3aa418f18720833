/* analyses/epa/config.h -- what a campaign is to do, as its file says (raddle-campaign(1) has the keys). */
#ifndef RADDLE_EPA_CONFIG_H
#define RADDLE_EPA_CONFIG_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/ini.h"
#include "base/vec.h"

enum draw_how { DRAW_UNIFORM, DRAW_PER_FUNCTION, DRAW_PER_KIND, DRAW_STRATIFIED };

struct campaign_config {
	struct ini ini;
	VEC(char *) argv;                       /* ends with NULL; argv[0] as written */
	const char *input;                      /* its standard input, "" none */
	VEC(const char *) needs;                /* files copied to where it runs */
	uint64_t limit_ms;                      /* 0: from the golden run */
	const char *schedule;                   /* runs are steered: "first", or the file of one; NULL: they are native */
	VEC(const char *) types;                /* of faults */
	uint32_t kinds;                         /* of places they are drawn from: bits of enum place_kind */
	const char *object;                     /* the shared object they are made in; NULL: the program itself */
	enum draw_how draw;
	uint64_t seed, runs, most;              /* runs of each type; most: drawn where `until` decides */
	double until;                           /* width of the widest interval, 0: `runs` are made */
	bool output_stdout;
	VEC(const char *) outputs;              /* files it writes */
	double tolerance;                       /* numbers in outputs may differ by that, relative to the larger */
	int detect_exit, detect_signal;         /* -1: not looked for */
	const char *detect_stdout, *detect_stderr, *detect_function;    /* regular expressions, a function; NULL */
	char hash[17];                          /* of all this */
};

int  config_read(struct campaign_config *c, const char *path, struct err *why);        /* 0, or -1 and why (code 2 a key or value, 3 the file) */
void config_release(struct campaign_config *c);
bool config_detects(const struct campaign_config *c);   /* a mechanism is named that detects faults */

#endif
