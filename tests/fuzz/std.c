/* tests/fuzz/std.c -- any bytes as STD lines: refused with a message, or a trace whose text twin can be read. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trace/std.h"
#include "trace/text.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
	struct trace *t, *again;
	struct merged *m;
	struct event ev;
	struct err why = { 0 };
	struct trace_options options = { 0 };
	char *text = NULL, *copy = malloc(count + 1);
	size_t text_count;
	memcpy(copy, bytes, count);
	int got = std_load(&t, "fuzz", copy, count, &why);
	free(copy);
	if (got < 0) {
		check(why.code == 3 && strstr(why.text, "fuzz"));
		return 0;
	}
	FILE *out = open_memstream(&text, &text_count);
	struct text_printer *p = text_printer_open(t, out);
	check(merged_open(&m, t, &why) == 0);
	while (merged_next(m, &ev, &why) > 0)
		text_print(p, &ev);
	merged_close(m);
	text_printer_close(p, true);
	fclose(out);
	if (text_load(&again, "fuzz", text, text_count, &options, &why) < 0) {
		fprintf(stderr, "%s\n%s\n", why.text, text);
		abort();
	}
	trace_close(t);
	trace_close(again);
	free(text);
	return 0;
}
