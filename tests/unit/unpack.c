/* tests/unit/unpack.c -- what a compressed file may become: refused before memory is taken for it, and what raddle writes is never refused. */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cmocka.h>
#include <zstd.h>

#include "base/unpack.h"
#include "drive/input.h"
#include "tests/unit/file.h"
#include "wire/input.h"

#define MEGA (1ull << 20)

static char path[64];

/* Peak of memory so far, in bytes. */
static uint64_t peak(void)
{
	struct rusage use;
	getrusage(RUSAGE_SELF, &use);
	return (uint64_t)use.ru_maxrss << 10;
}

/* A file whose head claims `bytes`, with a frame of that many zeros. */
static void write_bomb(uint64_t bytes)
{
	size_t part = 4 * MEGA, room = ZSTD_compressBound(part);
	char *zeros = mem_take(part), *packed = mem_take(room);
	struct input_file head = { .magic = INPUT_MAGIC, .version = INPUT_VERSION, .bytes = bytes, .hash = 7 };
	ZSTD_CCtx *z = ZSTD_createCCtx();
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	assert_int_equal(write(fd, &head, sizeof head), sizeof head);
	for (uint64_t done = 0; done < bytes; done += part) {
		ZSTD_inBuffer in = { zeros, part, 0 };
		ZSTD_outBuffer out = { packed, room, 0 };
		assert_int_equal(ZSTD_compressStream2(z, &out, &in, done + part < bytes ? ZSTD_e_flush : ZSTD_e_end), 0);
		assert_int_equal(write(fd, packed, out.pos), out.pos);
	}
	close(fd);
	ZSTD_freeCCtx(z);
	mem_free(zeros);
	mem_free(packed);
}

static void input_bomb(void **state)
{
	struct err why = { 0 };
	(void)state;
	write_bomb(512 * MEGA);
	uint64_t before = peak();
	assert_int_equal(input_load(path, 7, &why), -1);
	assert_int_equal(why.code, 3);
	assert_non_null(strstr(why.text, "more than 1,000 times its size"));
	assert_true(peak() - before < 64 * MEGA);
	unlink(path);
}

/* Large on disk too, if only as a hole: then the limit counts. */
static void input_with_hole(void **state)
{
	struct err why = { 0 };
	(void)state;
	write_bomb(512 * MEGA);
	assert_int_equal(truncate(path, 512 * MEGA), 0);
	unpack_set_limit(16 * MEGA);
	uint64_t before = peak();
	assert_int_equal(input_load(path, 7, &why), -1);
	assert_int_equal(why.code, 3);
	assert_non_null(strstr(why.hint, "--max-memory"));
	assert_true(peak() - before < 64 * MEGA);
	unpack_set_limit(0);
	unlink(path);
}

/* A program that reads 64 MB of zeros: its input shrinks further than is believed, and is read again all the same. */
static void input_of_zeros(void **state)
{
	struct err why = { 0 };
	uint64_t bytes = 64 * MEGA, hash;
	struct input_record r = { .what = INPUT_CALL, .pieces = 1, .nth = 1 };
	struct input_piece p = { .bytes = bytes };
	(void)state;
	r.bytes = sizeof r + sizeof p + bytes;
	int fd = input_make(&why);
	assert_int_equal(ftruncate(fd, (off_t)r.bytes), 0);
	assert_int_equal(pwrite(fd, &r, sizeof r, 0), sizeof r);
	assert_int_equal(pwrite(fd, &p, sizeof p, sizeof r), sizeof p);
	assert_int_equal(input_save(fd, path, &hash, &why), 0);
	close(fd);
	int again = input_load(path, hash, &why);
	assert_true(again >= 0);
	assert_int_equal(lseek(again, 0, SEEK_END), r.bytes);
	close(again);
	unlink(path);
}

/* A thread that does the same for a million events. */
static void same_for_ever(struct file *f)
{
	made_bytes r = { 0 };
	file_begin(f, 0);
	for (uint64_t i = 0; i < 20000; i++)
		put_sum(&f->program, &r, 0x1000, 7, 7, 1);
	for (uint32_t seq = 0; seq < 4; seq++)
		file_records(f, 1, 0, seq, 0, 0, 1000 + seq, 1001 + seq, &r);
	vec_release(&r);
}

static int count(struct trace *t, struct err *why)
{
	struct lane *l;
	struct event ev;
	int there = lane_open(&l, t, (struct thread_id){ 0 }, why), n = 0;
	if (there < 0)
		return -1;
	while ((there = lane_next(l, &ev, why)) == 1)
		n++;
	lane_close(l);
	return there < 0 ? -1 : n;
}

static void trace_of_one_event(void **state)
{
	struct file f;
	struct err why = { 0 };
	(void)state;
	same_for_ever(&f);
	struct trace *t = file_open(&f);
	assert_true(count(t, &why) >= 80000);
	unpack_set_limit(MEGA);                         /* too little for a block that needs two */
	assert_int_equal(count(t, &why), -1);
	assert_int_equal(why.code, 3);
	assert_non_null(strstr(why.hint, "--max-memory"));
	unpack_set_limit(0);
	trace_close(t);
	file_end(&f);
}

/* The first block of records claims as much as a block may. */
static void trace_bomb(void **state)
{
	struct file f;
	struct err why = { 0 };
	struct trace *t = NULL;
	struct block_head h;
	(void)state;
	same_for_ever(&f);
	file_finish(&f);
	int fd = open(f.path, O_RDWR);
	size_t size = (size_t)lseek(fd, 0, SEEK_END), at = sizeof(struct trace_head);
	uint8_t *bytes = mem_take(size);
	assert_int_equal(pread(fd, bytes, size, 0), size);
	for (;; at += sizeof h + (h.stored + 7ull) / 8 * 8) {
		memcpy(&h, bytes + at, sizeof h);
		if (h.type == BLOCK_DATA)
			break;
	}
	assert_true(h.decoded <= UNPACK_RATIO * (h.stored + sizeof h));
	h.decoded = BLOCK_MAX;
	memcpy(bytes + at, &h, sizeof h);
	file_seal(bytes, size);
	assert_int_equal(pwrite(fd, bytes, size, 0), size);
	close(fd);
	assert_int_equal(trace_open(&t, f.path, NULL, &why), -1);
	assert_int_equal(why.code, 3);
	assert_non_null(strstr(why.text, "more than 1,000 times its size"));
	mem_free(bytes);
	file_end(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(input_bomb), cmocka_unit_test(input_with_hole), cmocka_unit_test(input_of_zeros),
		cmocka_unit_test(trace_of_one_event), cmocka_unit_test(trace_bomb) };
	snprintf(path, sizeof path, "/tmp/raddle-unpack-%d.input", (int)getpid());
	return cmocka_run_group_tests(tests, NULL, NULL);
}
