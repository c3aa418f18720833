/* tests/unit/input.c -- X.input files: what was kept comes back; what is damaged, cut or nonsense is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/str.h"
#include "drive/input.h"
#include "wire/input.h"
#include "wire/steer.h"

static char folder[] = "/tmp/raddle-input.XXXXXX";
static char path[64];

struct stream { char bytes[4096]; uint64_t count; };

static void add(struct stream *s, uint16_t what, uint32_t strand, const char *text)
{
	struct input_record r = { .bytes = sizeof r, .what = what, .strand = strand, .number = 0, .nth = 1, .result = 5 };
	struct input_piece p = { .index = 0, .bytes = text ? strlen(text) : 0 };
	uint64_t padded = (p.bytes + 7) & ~7ull;
	if (text) {
		r.bytes += sizeof p + padded;
		r.pieces = 1;
	}
	memcpy(s->bytes + s->count, &r, sizeof r);
	if (text) {
		memcpy(s->bytes + s->count + sizeof r, &p, sizeof p);
		memcpy(s->bytes + s->count + sizeof r + sizeof p, text, p.bytes);
	}
	s->count += r.bytes;
}

static struct stream good(void)
{
	struct stream s = { .count = 0 };
	add(&s, INPUT_STRAND, 0, "T_0");
	add(&s, INPUT_CALL, 0, "hello");
	add(&s, INPUT_CLOCK, STEER_STRANDS, NULL);
	add(&s, INPUT_CALL, 0, NULL);
	return s;
}

static int kept(const struct stream *s)
{
	struct err why = { 0 };
	int fd = input_make(&why);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, s->bytes, s->count), s->count);
	return fd;
}

static uint64_t save(const struct stream *s)
{
	struct err why = { 0 };
	uint64_t hash;
	int fd = kept(s);
	assert_int_equal(input_save(fd, path, &hash, &why), 0);
	close(fd);
	return hash;
}

static void comes_back(void **state)
{
	struct stream s = good(), again = { .count = 0 };
	struct err why = { 0 };
	struct stat about;
	uint64_t hash = save(&s);
	(void)state;
	int fd = input_load(path, hash, &why);
	assert_true(fd >= 0);
	again.count = (uint64_t)pread(fd, again.bytes, sizeof again.bytes, 0);
	assert_int_equal(again.count, s.count);
	assert_memory_equal(again.bytes, s.bytes, s.count);
	close(fd);
	assert_int_equal(stat(path, &about), 0);
	assert_int_equal(about.st_mode & 0777, 0600);
	assert_int_equal(input_load(path, hash + 1, &why), -1);
	assert_int_equal(why.code, 3);
}

/* A program that dies in the middle of a record: the whole ones before it are kept. */
static void cut_stream(void **state)
{
	struct stream s = good();
	uint64_t whole = s.count;
	(void)state;
	assert_int_equal(input_check(s.bytes, s.count), whole);
	add(&s, INPUT_CALL, 0, "cut");
	for (uint64_t count = whole; count < s.count; count++)
		assert_int_equal(input_check(s.bytes, count), whole);
}

static void cut_file(void **state)
{
	struct stream s = good();
	struct err why = { 0 };
	struct stat about;
	uint64_t hash = save(&s);
	(void)state;
	stat(path, &about);
	for (off_t size = about.st_size - 1; size >= 0; size--) {
		assert_int_equal(truncate(path, size), 0);
		assert_int_equal(input_load(path, hash, &why), -1);
		assert_int_equal(why.code, 3);
	}
}

static void changed_file(void **state)
{
	struct stream s = good();
	struct err why = { 0 };
	struct stat about;
	uint64_t hash = save(&s);
	char bytes[4096];
	(void)state;
	stat(path, &about);
	FILE *f = fopen(path, "r+");
	assert_int_equal(fread(bytes, 1, sizeof bytes, f), about.st_size);
	for (long i = 0; i < about.st_size; i++) {
		fseek(f, i, SEEK_SET);
		fputc(bytes[i] ^ 1, f);
		fflush(f);
		int fd = input_load(path, hash, &why);
		if (fd >= 0)                            /* a bit nobody looks at */
			close(fd);
		else
			assert_int_equal(why.code, 3);
		fseek(f, i, SEEK_SET);
		fputc(bytes[i], f);
	}
	fclose(f);
}

static void nonsense(void **state)
{
	static const struct { size_t at; uint64_t value; } lies[] = {
		{ offsetof(struct input_record, bytes), 0 }, { offsetof(struct input_record, bytes), 12 },
		{ offsetof(struct input_record, bytes), UINT64_MAX }, { offsetof(struct input_record, bytes), UINT64_MAX - 7 },
		{ offsetof(struct input_record, what), 0 }, { offsetof(struct input_record, what), 99 },
		{ offsetof(struct input_record, what), 2ull | 9ull << 16 },
		{ offsetof(struct input_record, strand), STEER_STRANDS }, { offsetof(struct input_record, strand), UINT32_MAX },
		{ sizeof(struct input_record), INPUT_PIECES }, { sizeof(struct input_record) + 8, UINT64_MAX },
		{ sizeof(struct input_record) + 8, UINT64_MAX - 7 }, { sizeof(struct input_record) + 8, 1000 },
	};
	(void)state;
	for (size_t i = 0; i < sizeof lies / sizeof *lies; i++) {
		struct stream s = { .count = 0 };
		add(&s, INPUT_CALL, 0, "hello");
		memcpy(s.bytes + lies[i].at, &lies[i].value, 8);
		assert_int_equal(input_check(s.bytes, s.count), 0);
	}
}

static void names(void **state)
{
	char into[64];
	(void)state;
	assert_string_equal(input_name("a/X.sched", into, sizeof into), "X.input");
	assert_string_equal(into, "a/X.input");
	assert_string_equal(input_name("plain", into, sizeof into), "plain.input");
	input_beside("a/b/X.sched", "Y", into, sizeof into);
	assert_string_equal(into, "a/b/Y");
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(comes_back), cmocka_unit_test(cut_stream), cmocka_unit_test(cut_file),
		cmocka_unit_test(changed_file), cmocka_unit_test(nonsense), cmocka_unit_test(names) };
	if (!mkdtemp(folder))
		return 1;
	snprintf(path, sizeof path, "%s/x.input", folder);
	int failed = cmocka_run_group_tests(tests, NULL, NULL);
	unlink(path);
	rmdir(folder);
	return failed;
}
