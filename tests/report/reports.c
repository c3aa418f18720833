/* tests/report/reports.c -- prints made-up findings in any format, for the scripts beside it.
 *   reports text|json|sarif|junit|html <count> [<folder of shop.c> [<lines to shift by>]]
 *   reports <format> hostile <text> */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/report/sample.h"

int main(int argc, char **argv)
{
	static const struct { const char *word; void (*print)(const struct report *, FILE *); } formats[] = {
		{ "text", report_text }, { "json", report_json }, { "sarif", report_sarif }, { "junit", report_junit }, { "html", report_html } };
	struct findings l = { 0 };
	if (argc < 3)
		return 2;
	if (!strcmp(argv[2], "hostile"))
		sample_hostile(&l, argc > 3 ? argv[3] : "");
	else
		sample_make(&l, strtoul(argv[2], NULL, 10), argc > 3 ? argv[3] : "", argc > 4 ? (uint32_t)strtoul(argv[4], NULL, 10) : 0);
	struct report r = sample_report(&l);
	int status = 2;
	for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
		if (!strcmp(argv[1], formats[i].word)) {
			formats[i].print(&r, stdout);
			status = 0;
		}
	findings_release(&l);
	return status;
}
