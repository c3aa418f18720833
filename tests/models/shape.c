/* tests/models/shape.c -- see shape.h. */
#include "tests/models/shape.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool parse_op(struct op *o, const char *text)
{
	o->kind = *text;
	if (*text == 'F' || *text == 'f')
		return true;
	if (!strchr("WLSRX", *text) || text[1] < '0' || text[1] >= '0' + SHAPE_BYTES || text[2] != '.' || !text[3] || !strchr("124", text[3]))
		return false;
	o->at = (unsigned)(text[1] - '0');
	o->size = (unsigned)(text[3] - '0');
	return o->at + o->size <= SHAPE_BYTES;
}

bool shape_parse(struct shape *s, const char *text)
{
	unsigned writes = 0;
	*s = (struct shape){ .threads = 1 };
	for (; *text; text++) {
		if (*text == '|')
			s->threads++;
		if (*text == '|' || *text == ' ')
			continue;
		struct op *o = &s->op[s->count];
		if (s->count == SHAPE_OPS || s->threads > SHAPE_THREADS || !parse_op(o, text))
			return false;
		o->thread = s->threads - 1;
		if (o->size && o->kind != 'R')
			o->value = ++writes;
		text += o->size ? 3 : 0;
		s->count++;
	}
	return true;
}

bool outcomes_add(struct outcomes *o, const char *text)
{
	for (size_t i = 0; i < o->count; i++)
		if (strcmp(o->at[i], text) == 0)
			return false;
	if (o->count == o->room) {
		o->room = o->room ? 2 * o->room : 16;
		o->at = realloc(o->at, o->room * sizeof *o->at);
		if (!o->at)
			abort();
	}
	snprintf(o->at[o->count++], sizeof *o->at, "%s", text);
	return true;
}

static int by_text(const void *a, const void *b)
{
	return strcmp(a, b);
}

void outcomes_sort(struct outcomes *o)
{
	if (o->count)
		qsort(o->at, o->count, sizeof *o->at, by_text);
}

void outcomes_release(struct outcomes *o)
{
	free(o->at);
	*o = (struct outcomes){ 0 };
}
