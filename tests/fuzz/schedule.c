/* tests/fuzz/schedule.c -- any bytes as a schedule: refused with file and line, or printed and read again to the same print. */
#include <stdlib.h>
#include <string.h>

#include "drive/schedule.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count);

static char *printed(const struct schedule *s, size_t *count)
{
	char *text = NULL;
	FILE *out = open_memstream(&text, count);
	schedule_print(s, out);
	fclose(out);
	return text;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
	struct schedule s, again;
	struct err why = { 0 };
	size_t first_count, second_count;
	/* Half of the inputs are only lines behind a good head: a fuzzer would be long in finding one. */
	static const char head[] = "raddle schedule 1\nmodule 0 prog\nthread T_0\nthread T_0_1\nT_0 3 lock a.c:1 in f prog+0x1\n";
	size_t more = count && bytes[0] % 2 ? sizeof head - 1 : 0;
	char *copy = malloc(more + count + 1);
	memcpy(copy, head, more);
	memcpy(copy + more, bytes, count);
	int got = schedule_parse(&s, "fuzz", copy, more + count, &why);
	free(copy);
	if (got < 0) {
		check(why.code == 3 && strstr(why.text, "schedule 'fuzz' line "));
		schedule_release(&s);
		return 0;
	}
	char *first = printed(&s, &first_count);
	if (schedule_parse(&again, "fuzz", first, first_count, &why) < 0) {
		fprintf(stderr, "%s\n%s\n", why.text, first);
		abort();
	}
	char *second = printed(&again, &second_count);
	check(first_count == second_count && memcmp(first, second, first_count) == 0);
	check(again.steps.count == s.steps.count && again.threads.count == s.threads.count);
	free(first);
	free(second);
	schedule_release(&s);
	schedule_release(&again);
	return 0;
}
