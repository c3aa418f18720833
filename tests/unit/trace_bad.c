/* tests/unit/trace_bad.c -- a trace cut at every byte and with every byte flipped: opening says which block and byte is
 * wrong; with salvage the sound part is read.  Never a crash, never events that were not recorded. */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/unit/file.h"

struct sample { struct file file; uint8_t *bytes; size_t count; char path[80]; uint64_t events; };

static uint64_t count_events(struct trace *t)
{
	uint64_t events = 0;
	struct err why;
	struct event ev;
	struct merged *m;
	if (merged_open(&m, t, &why))
		return UINT64_MAX;
	int there;
	while ((there = merged_next(m, &ev, &why)) == 1)
		events++;
	merged_close(m);
	return there == 0 ? events : UINT64_MAX;
}

static int begin(void **state)
{
	struct sample *s = mem_take(sizeof *s);
	struct file *f = &s->file;
	made_bytes r = { 0 }, h = { 0 };
	file_begin(f, 0);
	for (uint64_t i = 0; i < 8; i++)
		put_sum(&f->program, &r, 0x1000 + 8 * i, i, i * i, i & 1);
	made_control(&r, EV_LOCK, 0, 0x500, 0x100, 2, 1300, 0x401000);
	made_control(&h, EV_SIGENTER, 0, 10, 0, 0, 1400, 0);
	file_records(f, 1, 0, 0, 0, 0, 1000, 2000, &r);
	file_records(f, 2, 0, 0, 0, 0, 1000, 0, &r);
	file_records(f, 1, 1, 0, 0, SEGMENT_HEAD + 40, 1400, 1500, &h);
	struct trace *t = file_open(f);
	s->events = count_events(t);
	trace_close(t);
	int fd = open(f->path, O_RDONLY);
	s->count = (size_t)lseek(fd, 0, SEEK_END);
	s->bytes = mem_take(s->count);
	if (pread(fd, s->bytes, s->count, 0) != (ssize_t)s->count)
		return -1;
	close(fd);
	snprintf(s->path, sizeof s->path, "%s.bad", f->path);
	vec_release(&r);
	vec_release(&h);
	*state = s;
	return 0;
}

static int end(void **state)
{
	struct sample *s = *state;
	unlink(s->path);
	file_end(&s->file);
	mem_free(s->bytes);
	mem_free(s);
	return 0;
}

static void write_bad(const struct sample *s, const uint8_t *bytes, size_t count)
{
	int fd = open(s->path, O_CREAT | O_TRUNC | O_WRONLY, 0600);
	if (write(fd, bytes, count) != (ssize_t)count)
		abort();
	close(fd);
}

/* Opening fails and says where; with salvage what is left can be read and is no more than was there. */
static void is_refused(const struct sample *s, size_t at)
{
	struct trace *t = NULL;
	struct err why = { 0 };
	assert_int_equal(trace_open(&t, s->path, NULL, &why), -1);
	assert_null(t);
	if (!strstr(why.text, s->path))
		fail_msg("byte %zu: '%s' does not name the file", at, why.text);
	if (!strstr(why.text, "byte") && !strstr(why.text, "empty"))
		fail_msg("byte %zu: '%s' does not name the place", at, why.text);
	if (at >= sizeof(struct trace_head) && !strstr(why.text, "block "))
		fail_msg("byte %zu: '%s' does not name the block", at, why.text);
	if (trace_open(&t, s->path, &(struct trace_options){ .salvage = true }, &why))
		return;
	assert_non_null(trace_salvaged(t));
	assert_false(trace_complete(t));
	uint64_t events = count_events(t);
	assert_true(events <= s->events);
	trace_close(t);
}

static void cut_anywhere(void **state)
{
	const struct sample *s = *state;
	for (size_t cut = 0; cut < s->count; cut++) {
		write_bad(s, s->bytes, cut);
		is_refused(s, cut);
	}
}

static void flipped_anywhere(void **state)
{
	const struct sample *s = *state;
	for (size_t at = 0; at < s->count; at++) {
		s->bytes[at] ^= (uint8_t)(1u << at % 8);
		write_bad(s, s->bytes, s->count);
		is_refused(s, at);
		s->bytes[at] ^= (uint8_t)(1u << at % 8);
	}
}

/* Damaged payloads under a sound checksum: somebody means it.  Reading may fail, but says so and does not crash. */
static void flipped_with_new_checksum(void **state)
{
	const struct sample *s = *state;
	for (size_t at = sizeof(struct trace_head); at < s->count; at++) {
		struct trace *t = NULL;
		struct err why = { 0 };
		uint8_t kept = s->bytes[at];
		s->bytes[at] ^= (uint8_t)(1u << (at * 5) % 8);
		uint8_t *sealed = mem_take(s->count);
		memcpy(sealed, s->bytes, s->count);
		file_seal(sealed, s->count);
		write_bad(s, sealed, s->count);
		if (trace_open(&t, s->path, NULL, &why) == 0) {
			count_events(t);
			trace_close(t);
		}
		mem_free(sealed);
		s->bytes[at] = kept;
	}
}

static void says_what_is_wrong(void **state)
{
	const struct sample *s = *state;
	struct trace *t = NULL;
	struct err why = { 0 };
	char want[200];
	write_bad(s, s->bytes, sizeof(struct trace_head) + 70);
	assert_int_equal(trace_open(&t, s->path, NULL, &why), -1);
	snprintf(want, sizeof want, "trace '%s' is damaged: block 1 (byte 64) is cut short", s->path);
	assert_string_equal(why.text, want);
	write_bad(s, s->bytes, 20);
	assert_int_equal(trace_open(&t, s->path, NULL, &why), -1);
	snprintf(want, sizeof want, "trace '%s' is damaged: its head (byte 0) is cut short", s->path);
	assert_string_equal(why.text, want);
	write_bad(s, s->bytes, 0);
	assert_int_equal(trace_open(&t, s->path, NULL, &why), -1);
	snprintf(want, sizeof want, "cannot read '%s': the file is empty", s->path);
	assert_string_equal(why.text, want);
	assert_int_equal(trace_open(&t, "/nowhere/run.trace", NULL, &why), -1);
	assert_string_equal(why.text, "cannot open '/nowhere/run.trace': no such file");
	assert_int_equal(why.code, 3);
	assert_int_equal(trace_open(&t, "/tmp", NULL, &why), -1);
	assert_string_equal(why.text, "cannot read '/tmp': it is a directory");
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(cut_anywhere), cmocka_unit_test(flipped_anywhere),
		cmocka_unit_test(flipped_with_new_checksum), cmocka_unit_test(says_what_is_wrong) };
	return cmocka_run_group_tests(tests, begin, end);
}
