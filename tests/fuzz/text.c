/* tests/fuzz/text.c -- any bytes as a text twin: refused with a message, or printed and read again to the same print;
 * and every view of it made. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trace/census.h"
#include "trace/json.h"
#include "trace/perfetto.h"
#include "trace/std.h"
#include "trace/text.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count);

static char *printed(struct trace *t, size_t *count)
{
	char *text = NULL;
	struct merged *m;
	struct event ev;
	struct err why;
	FILE *out = open_memstream(&text, count);
	struct text_printer *p = text_printer_open(t, out);
	check(merged_open(&m, t, &why) == 0);
	while (merged_next(m, &ev, &why) > 0)
		text_print(p, &ev);
	merged_close(m);
	text_printer_close(p, true);
	fclose(out);
	return text;
}

static void views(struct trace *t)
{
	struct merged *m;
	struct event ev;
	struct err why;
	struct json j;
	struct census *c;
	uint64_t n = 0;
	FILE *out = fopen("/dev/null", "w");
	struct objects *o = objects_new(t);
	struct perfetto *p = perfetto_open(t, o, out);
	struct std_printer *s = std_printer_open(t, out);
	json_init(&j, out);
	check(merged_open(&m, t, &why) == 0);
	while (merged_next(m, &ev, &why) > 0) {
		objects_note(o, &ev);
		event_json(&j, t, o, &ev, n++);
		perfetto_event(p, &ev);
		std_print(s, &ev);
	}
	merged_close(m);
	std_printer_close(s);
	perfetto_close(p);
	objects_free(o);
	fclose(out);
	check(census_take(&c, t, NULL, &why) == 0 && c->events == n);
	census_free(c);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
	struct trace *t, *again;
	struct err why = { 0 };
	struct trace_options options = { .salvage = count % 2 };
	size_t first_count, second_count;
	char *copy = malloc(count + 1);
	memcpy(copy, bytes, count);
	if (text_load(&t, "fuzz", copy, count, &options, &why) < 0) {
		check(why.code == 3 && strstr(why.text, "fuzz"));
		free(copy);
		return 0;
	}
	free(copy);
	views(t);
	char *first = printed(t, &first_count);
	options.salvage = false;
	if (text_load(&again, "fuzz", first, first_count, &options, &why) < 0) {
		fprintf(stderr, "%s\n%s\n", why.text, first);
		abort();
	}
	char *second = printed(again, &second_count);
	if (first_count != second_count || memcmp(first, second, first_count)) {
		fprintf(stderr, "--- first\n%s--- second\n%s", first, second);
		abort();
	}
	free(first);
	free(second);
	trace_close(t);
	trace_close(again);
	return 0;
}
