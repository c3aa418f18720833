/* trace/code.c -- where in the source a return address lies.
 * Asked in this order: what the recorder noted (PLACES), the line tables of the object itself when the file still has the
 * recorded build id, the symbols kept in the trace.  Every answer is kept.  No debug information is fetched from elsewhere. */
#include <string.h>

#include "base/str.h"
#include "trace/inside.h"

/* ---- PLACES ---- */

static struct place *new_place(struct trace *t, uint64_t address)
{
	struct place *p = arena_take(&t->arena, sizeof *p);
	const struct trace_module *m = module_at(t, address - 1);
	*p = place_unknown;
	p->module = m ? m->path : "";
	return p;
}

/* Cuts a line at its tabs; how many fields it has. */
static unsigned split(char *line, char *fields[], unsigned most)
{
	unsigned count = 0;
	for (char *at = line; at && count < most;) {
		fields[count++] = at;
		at = strchr(at, '\t');
		if (at)
			*at++ = 0;
	}
	return count;
}

static void take_place(struct trace *t, char *line)
{
	char *fields[5];
	uint64_t address, number, column = 0;
	unsigned count = split(line, fields, 5);
	if (count < 4 || !str_number(fields[0], &address) || !str_number(fields[2], &number) ||
		(count == 5 && !str_number(fields[4], &column)))
		return;
	struct place *p = new_place(t, address);
	p->file = trace_intern(t, fields[1], strlen(fields[1]));
	p->line = number > UINT32_MAX ? 0 : (uint32_t)number;
	p->column = column > UINT32_MAX ? 0 : (uint32_t)column;
	p->linkage = trace_intern(t, fields[3], strlen(fields[3]));
	p->function = trace_shown(t, p->linkage);
	*map_put(&t->code_places, address, NULL) = (uint64_t)p;
}

void code_add_places(struct trace *t, const uint8_t *bytes, size_t count)
{
	char *copy = mem_take(count + 1), *save = NULL;
	memcpy(copy, bytes, count);
	for (char *line = strtok_r(copy, "\n", &save); line; line = strtok_r(NULL, "\n", &save))
		take_place(t, line);
	mem_free(copy);
}

/* What the linker calls the function stands in the symbols, which are known when all blocks have been read. */
void code_ready(struct trace *t)
{
	for (size_t i = 0; i < t->code_places.room; i++) {
		const struct map_cell *cell = &t->code_places.cells[i];
		struct place *p = cell->used ? (struct place *)cell->value : NULL;
		const struct symbol *s = p ? symbol_at(&t->functions, cell->key - 1) : NULL;
		if (!s)
			continue;
		p->linkage = s->name;
		if (!*p->function)
			p->function = trace_shown(t, s->name);
	}
}

/* ---- line tables ---- */

static bool from_line_table(struct trace *t, const struct trace_module *m, uint64_t address, struct place *p)
{
	struct line line;
	if (!t->lines)
		t->lines = lines_new();
	if (!lines_find(t->lines, (uint32_t)(m - t->modules.at), m, address, &line))
		return false;
	p->file = trace_intern(t, line.file, strlen(line.file));
	p->line = line.line;
	p->column = line.column;
	if (line.function)
		p->function = trace_intern(t, line.function, strlen(line.function));
	return true;
}

/* ---- the question ---- */

/* The functions this code was inlined into, where each has the call; NULL: it was not. */
static const struct place *inlined_into(struct trace *t, const struct trace_module *m, uint64_t address)
{
	struct line lines[LINES_INLINED];
	const struct place *outer = NULL;
	unsigned count = t->lines ? lines_inlined(t->lines, (uint32_t)(m - t->modules.at), m, address, lines) : 0;
	while (count-- > 0) {
		struct place *p = new_place(t, address + 1);
		p->file = trace_intern(t, lines[count].file, strlen(lines[count].file));
		p->line = lines[count].line;
		p->column = lines[count].column;
		if (lines[count].function)
			p->function = trace_intern(t, lines[count].function, strlen(lines[count].function));
		p->inlined_at = outer;
		outer = p;
	}
	return outer;
}

const struct place *trace_call_place(struct trace *t, uint64_t returns)
{
	bool fresh;
	const struct place *at = returns ? code_place(t, returns) : NULL;
	const struct trace_module *m = at ? module_at(t, returns - 1) : NULL;
	if (!m || !at->line)
		return at;
	uint64_t *kept = map_put(&t->call_places, returns, &fresh);
	if (fresh) {
		struct place *p = arena_take(&t->arena, sizeof *p);
		*p = *at;
		p->inlined_at = inlined_into(t, m, returns - 1);
		*map_put(&t->call_places, returns, NULL) = (uint64_t)p;
		return p;
	}
	return (const struct place *)*kept;
}

bool frames_innermost(const struct event *frames)
{
	return frames->object <= AREA_FRAMES && frames->arg * sizeof(struct area_frame) == frames->byte_count;
}

bool frames_return(const void *payload, uint64_t bytes, uint32_t nth, uint64_t *returns)
{
	struct area_frame frame;
	if (bytes / sizeof frame <= nth)
		return false;
	memcpy(&frame, (const char *)payload + (bytes / sizeof frame - 1 - nth) * sizeof frame, sizeof frame);
	*returns = frame.returns;
	return true;
}

static const struct place *work_out(struct trace *t, uint64_t address)
{
	const struct trace_module *m = module_at(t, address - 1);       /* the call is before the return address */
	if (!m)
		return NULL;
	const struct symbol *s = symbol_at(&t->functions, address - 1);
	struct place *p = new_place(t, address);
	if (s) {
		p->linkage = s->name;
		p->function = trace_shown(t, s->name);
	}
	bool lines = from_line_table(t, m, address - 1, p);
	return lines || s ? p : NULL;
}

const struct place *code_place(struct trace *t, uint64_t address)
{
	bool fresh;
	uint64_t *kept = map_put(&t->code_places, address, &fresh);
	if (!fresh)
		return (const struct place *)*kept;
	const struct place *p = work_out(t, address);
	*map_put(&t->code_places, address, NULL) = (uint64_t)p;
	return p;
}
