/* tests/unit/certify_parse.c -- a certificate cut at every byte and with every bit turned: refused with one line that names it, or a certificate that can be covered; never a crash. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "certify/cover.h"
#include "tests/certify/good.h"

static int tried(const char *text, size_t count)
{
	struct certificate c;
	struct cover cover;
	struct err why = { 0 };
	int got = certificate_parse(&c, "it", text, count, &why);
	if (got < 0)
		assert_non_null(strstr(why.text, "'it'"));
	else
		got = cover_all(&c, NULL, &cover);
	certificate_release(&c);
	return got;
}

static void as_it_is(void **state)
{
	(void)state;
	assert_int_equal(tried(good, sizeof good - 1), 1);
}

static void cut_anywhere(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof good - 1; i++)
		assert_int_equal(tried(good, i), -1);
}

/* Some bits nobody goes by: the name of a program, of a thread, addresses of blocks. */
static void any_bit_turned(void **state)
{
	char copy[sizeof good];
	unsigned held = 0;
	(void)state;
	for (size_t i = 0; i < 8 * (sizeof good - 1); i++) {
		memcpy(copy, good, sizeof good);
		copy[i / 8] ^= (char)(1 << i % 8);
		held += tried(copy, sizeof good - 1) == 1;
	}
	assert_true(held < sizeof good);
}

/* Every word left out or given twice, every line too. */
static void words_and_lines(void **state)
{
	char copy[2 * sizeof good];
	(void)state;
	for (int line = 0; line < 2; line++)
		for (size_t from = 0; from < sizeof good - 1;) {
			size_t length = strcspn(good + from, line ? "\n" : " \n") + 1;
			memcpy(copy, good, from);
			memcpy(copy + from, good + from + length, sizeof good - from - length);
			assert_true(tried(copy, sizeof good - 1 - length) <= 1);
			memcpy(copy + from, good + from, length);
			memcpy(copy + from + length, good + from, sizeof good - from);
			assert_true(tried(copy, sizeof good - 1 + length) <= 1);
			from += length;
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(as_it_is), cmocka_unit_test(cut_anywhere), cmocka_unit_test(any_bit_turned), cmocka_unit_test(words_and_lines) };
	return cmocka_run_group_tests(tests, NULL, NULL);
}
