/* trace/sorted.c -- see sorted.h.  Blocks are copied by the kernel; nothing of them is looked at. */
#include "trace/sorted.h"
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void sorted_note(struct sorted *s, const struct block_head *head, uint64_t at)
{
	static const uint8_t ranks[] = { [BLOCK_INFO] = 0, [BLOCK_THREAD] = 1, [BLOCK_MODULE] = 2, [BLOCK_DATA] = 3, [BLOCK_PLACES] = 4,
		[BLOCK_END] = 5 };
	uint32_t generation = head->type == BLOCK_MODULE || head->type == BLOCK_DATA ? s->generation :
		head->type == BLOCK_INFO || head->type == BLOCK_THREAD ? 0 : UINT32_MAX;
	check(head->type < sizeof ranks);
	vec_push(&s->blocks, ((struct sorted_block){ at, sizeof *head + (head->stored + 7ull) / 8 * 8, generation, ranks[head->type],
		head->thread, head->nest, head->seq }));
}

static int by_place(const void *a, const void *b)
{
	const struct sorted_block *x = a, *y = b;
	const uint64_t keys[][2] = { { x->generation, y->generation }, { x->rank, y->rank }, { x->thread, y->thread },
		{ x->nest, y->nest }, { x->seq, y->seq }, { x->at, y->at } };
	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
		if (keys[i][0] != keys[i][1])
			return keys[i][0] < keys[i][1] ? -1 : 1;
	return 0;
}

static int copy(int from, uint64_t at, uint64_t bytes, int to)
{
	char piece[1 << 16];
	while (bytes) {
		ssize_t got = pread(from, piece, bytes < sizeof piece ? bytes : sizeof piece, (off_t)at);
		if (got < 0 && errno == EINTR)
			continue;
		if (got == 0)
			errno = EIO;
		if (got <= 0)
			return -1;
		for (ssize_t done = 0, wrote; done < got; done += wrote) {
			wrote = write(to, piece + done, (size_t)(got - done));
			if (wrote < 0 && errno == EINTR)
				wrote = 0;
			if (wrote < 0)
				return -1;
		}
		at += (uint64_t)got;
		bytes -= (uint64_t)got;
	}
	return 0;
}

static int write_anew(const struct sorted_block *order, size_t count, const char *path, int *file)
{
	char beside[4096 + 16];
	struct err ignored;
	int from = *file, to = file_create_beside(path, FILE_OURS, beside, sizeof beside, &ignored);
	int failed = to < 0 || copy(from, 0, sizeof(struct trace_head), to) < 0;
	for (size_t i = 0; i < count && !failed; i++)
		failed = copy(from, order[i].at, order[i].bytes, to) < 0;
	failed = failed || rename(beside, path) < 0;
	int reason = errno;
	if (failed && to >= 0) {
		close(to);
		unlink(beside);
	}
	errno = reason;
	if (failed)
		return -1;
	close(*file);
	*file = to;
	return 0;
}

int sorted_apply(const struct sorted *s, int *file, const char *path, struct err *why)
{
	size_t count = s->blocks.count, i = 1;
	while (i < count && by_place(&s->blocks.at[i - 1], &s->blocks.at[i]) < 0)
		i++;
	if (i >= count)
		return 0;
	struct sorted_block *order = mem_take(count * sizeof *order);
	memcpy(order, s->blocks.at, count * sizeof *order);
	qsort(order, count, sizeof *order, by_place);
	int failed = write_anew(order, count, path, file);
	if (failed)
		err_set(why, "cannot write '%s': %s", path, strerror(errno));
	mem_free(order);
	return failed;
}

void sorted_release(struct sorted *s)
{
	vec_release(&s->blocks);
}
