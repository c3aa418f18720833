/* report/coverage_table.c -- all faults, as data the page's script makes a table of: a hundred thousand rows would be too much for a browser at once.
 *   {"outcomes":[...], "texts":[...], "programs":[{"name","again","end","shown":[id...]}],
 *    "faults":[[program, id, type, fault, site, file, line, outcome, reason, kind, thread, where, after, latency, exit, ms, latency_us], ...]}       numbers of texts
 * '<' is written \u003c, so nothing in it ends the script element; the script puts texts into the page as texts alone. */
#include <inttypes.h>
#include <stdlib.h>

#include "base/err.h"
#include "report/coverage_inside.h"
#include "report/escape.h"

static void one_fault(struct json *j, size_t program, const struct coverage_fault *f)
{
	json_array(j);
	json_number(j, program);
	json_number(j, f->id);
	const uint32_t numbers[] = { f->type, f->fault, f->site, f->file, f->line, f->outcome, f->reason, f->kind, f->thread, f->where };
	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
		json_number(j, numbers[i]);
	json_signed(j, f->after);
	json_signed(j, f->latency);
	json_signed(j, f->exit);
	json_signed(j, f->ms);
	json_signed(j, f->latency_us);
	json_end(j, ']');
}

static void one_program(struct json *j, const struct coverage_program *p)
{
	json_object(j);
	json_put_text(j, "name", p->name);
	json_put_text(j, "again", p->again);
	json_put_text(j, "end", p->again_end);
	json_key(j, "shown");
	json_array(j);
	for (size_t i = 0; i < p->shown.count; i++)
		json_number(j, p->shown.at[i].id);
	json_end(j, ']');
	json_end(j, '}');
}

static void data(struct json *j, const struct coverage *c)
{
	json_object(j);
	json_key(j, "outcomes");
	json_array(j);
	for (unsigned o = 0; o < COVERAGE_OUTCOMES; o++)
		json_text(j, c->outcomes[o]);
	json_end(j, ']');
	json_key(j, "texts");
	json_array(j);
	for (size_t i = 0; i < c->texts.count; i++)
		json_text(j, names_text(&c->texts, (uint32_t)i));
	json_end(j, ']');
	json_key(j, "programs");
	json_array(j);
	for (size_t i = 0; i < c->programs.count; i++)
		one_program(j, &c->programs.at[i]);
	json_end(j, ']');
	json_key(j, "faults");
	json_array(j);
	for (size_t i = 0; i < c->programs.count; i++)
		for (size_t k = 0; k < c->programs.at[i].faults.count; k++)
			one_fault(j, i, &c->programs.at[i].faults.at[k]);
	json_end(j, ']');
	json_end(j, '}');
}

static void put_data(FILE *to, const struct coverage *c)
{
	char *text = NULL;
	size_t bytes = 0;
	FILE *memory = open_memstream(&text, &bytes);
	check(memory);
	struct json j;
	json_init(&j, memory);
	data(&j, c);
	check(fclose(memory) == 0);
	for (size_t i = 0; i < bytes; i++)
		if (text[i] == '<')
			fputs("\\u003c", to);
		else
			putc(text[i], to);
	free(text);
}

void coverage_table(FILE *to, const struct coverage *c)
{
	fputs("<h2>Faults</h2>\n<noscript><p class=none>The table needs scripts; <code>--csv</code> writes it to a file.</p></noscript>\n"
		"<div class=bar hidden><input type=search id=q placeholder=\"filter: words of fault, site, file:line, thread, outcome\" aria-label=filter>"
		"<select id=program aria-label=program></select><select id=type aria-label=type></select><fieldset aria-label=outcomes>", to);
	for (unsigned o = 0; o < COVERAGE_OUTCOMES; o++)
		fprintf(to, "<label><input type=checkbox name=outcome value=%u checked><i class=\"dot o%u\"></i>%s</label>", o, o, c->outcomes[o]);
	fputs("</fieldset><span id=shown class=sub></span><button type=button id=all>show all</button></div>\n"
		"<div class=\"scroll tall\" tabindex=0><table class=rows id=rows hidden><thead></thead><tbody></tbody></table></div>\n"
		"<p><button type=button id=more hidden>more</button></p>\n<script type=\"application/json\" id=data>", to);
	put_data(to, c);
	fputs("</script>\n", to);
}
