/* tests/fuzz/trace.c -- any bytes as a trace file, with checksums made right so that what lies behind them is reached. */
#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tests/unit/file.h"
#include "tests/unit/steered.h"
#include "trace/verify.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned seed);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max);

static void read_all(struct trace *t)
{
	struct err why;
	struct event ev;
	struct merged *m;
	if (merged_open(&m, t, &why))
		return;
	for (int i = 0; i < 100000 && merged_next(m, &ev, &why) == 1; i++)
		if (!ev.place || (ev.byte_count && !ev.bytes))
			abort();
	merged_close(m);
	for (uint32_t i = 0; i < trace_module_count(t); i++)
		trace_module(t, i);
	uint64_t offset;
	trace_symbol(t, 0x555555610000, &offset);
	struct verify *v;
	if (verify_take(&v, t, &why) == 0 && v->problem_count && !v->problems.count)
		abort();
	verify_free(v);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char path[64];
	struct trace *t;
	struct err why;
	int fd = memfd_create("trace", 0);
	if (fd < 0 || write(fd, data, size) != (ssize_t)size)
		abort();
	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	for (int salvage = 0; salvage < 2; salvage++) {
		struct trace_options options = { .salvage = salvage };
		if (trace_open(&t, path, &options, &why) == 0) {
			read_all(t);
			trace_close(t);
		}
	}
	close(fd);
	return 0;
}

static size_t finished(struct file *f, uint8_t *into, size_t max)
{
	file_finish(f);
	int fd = open(f->path, O_RDONLY);
	ssize_t count = read(fd, into, max);
	close(fd);
	file_end(f);
	return count > 0 ? (size_t)count : 0;
}

/* Small sound traces to start from. */
static size_t sample_steered(uint8_t *into, size_t max)
{
	struct file f;
	made_bytes r = { 0 };
	file_begin_total(&f, 0);
	for (unsigned i = 0; i < 40; i++)
		if (i % 10 != 5 && i % 10 != 7)
			put_any(&f.program, &r, i);
	file_records(&f, 1, 0, 0, 0, 0, 1000, 2000, &r);
	file_records(&f, 2, 0, 0, 0, 0, 1000, 0, &r);
	file_records(&f, 1, 1, 0, 0, 0, 1000, 1100, &r);
	vec_release(&r);
	return finished(&f, into, max);
}

static size_t sample(uint8_t *into, size_t max)
{
	struct file f;
	made_bytes r = { 0 };
	file_begin(&f, 0);
	for (uint64_t i = 0; i < 5; i++)
		put_chase(&f.program, &r, 0x1000 + 64 * i, 1, 0x1040 + 64 * i, 2);
	made_control(&r, EV_LOCK, 0, 0x500, 0x100, 2, 1300, 0x401000);
	made_control(&r, EV_RMW, 0, 0x508, 1, 2, 2, f.program.fetch_add);
	file_records(&f, 1, 0, 0, 0, 0, 1000, 2000, &r);
	file_records(&f, 2, 0, 0, 0, 0, 1000, 0, &r);
	file_records(&f, 1, 1, 0, 0, SEGMENT_HEAD + 32, 1000, 1100, &r);
	vec_release(&r);
	return finished(&f, into, max);
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned seed)
{
	if (size < 200 || seed % 200 == 0)
		size = seed % 2 ? sample(data, max) : sample_steered(data, max);
	size = LLVMFuzzerMutate(data, size, max);
	if (seed % 8)
		file_seal(data, size);
	return size;
}
