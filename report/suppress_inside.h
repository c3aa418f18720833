/* report/suppress_inside.h -- rules as suppress_parse.c reads them and suppress.c asks them. */
#ifndef RADDLE_REPORT_SUPPRESS_INSIDE_H
#define RADDLE_REPORT_SUPPRESS_INSIDE_H

#include "base/arena.h"
#include "base/buffer.h"
#include "report/suppress.h"

struct rule_text { const char *at; size_t length; };

enum condition_of { OF_FUNCTION, OF_FILE, OF_VARIABLE, OF_STACK };
struct condition {
	enum condition_of of;
	VEC(struct rule_text) parts;    /* one pattern; of a stack one each frame */
};

enum rule_where { WHERE_ANY, WHERE_TOP, WHERE_CALLERS };
struct rule {
	struct suppression told;
	uint32_t kinds;                 /* bits, by enum finding_kind */
	VEC(struct condition) conditions;       /* none: `pattern` decides */
	enum rule_where where;
	struct rule_text pattern;
};

struct suppressions { VEC(struct rule) rules; struct arena texts; };

#endif
