/* rt/mapped.c -- see mapped.h. */
#include "rt/mapped.h"

#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "rt/sys.h"
#include "rt/words.h"

static struct part { struct file_id file; uint64_t offset, bytes, memory; } parts[64];
static uint32_t part_count;

static bool is_same(const struct file_id *a, const struct file_id *b)
{
	return a->device == b->device && a->number == b->number;
}

void mapped_note(const struct file_id *file, uint64_t offset, uint64_t bytes, uint64_t memory)
{
	if ((file->device || file->number) && part_count < sizeof parts / sizeof *parts)
		parts[part_count++] = (struct part){ *file, offset, bytes, memory };
}

struct file_id mapped_file(long fd)
{
	struct stat about;
	if (sys3(SYS_fstat, fd, (long)&about, 0) < 0)
		return (struct file_id){ 0, 0 };
	return (struct file_id){ about.st_dev, about.st_ino };
}

static bool is_mapped(const struct file_id *file)
{
	for (uint32_t i = 0; i < part_count; i++)
		if (is_same(&parts[i].file, file))
			return true;
	return false;
}

static bool writes(long number)
{
	return number == SYS_write || number == SYS_writev || number == SYS_pwrite64 || number == SYS_pwritev || number == SYS_pwritev2;
}

bool mapped_written(const struct world_call *c, long result, struct file_write *out)
{
	if (!part_count || result <= 0 || !writes(c->number))
		return false;
	out->file = mapped_file(c->a[0]);
	if (!is_mapped(&out->file))
		return false;
	bool says = c->number == SYS_pwrite64 || c->number == SYS_pwritev || (c->number == SYS_pwritev2 && c->a[3] != -1);
	long at = says ? c->a[3] : sys3(SYS_lseek, c->a[0], 0, SEEK_CUR) - result;
	out->offset = (uint64_t)at;
	return at >= 0;
}

/* Bytes that lie in one piece come to a part of the file, as far as it has them. */
static void show_piece(const struct part *p, uint64_t offset, const char *from, uint64_t bytes)
{
	uint64_t start = offset > p->offset ? offset : p->offset;
	uint64_t end = offset + bytes < p->offset + p->bytes ? offset + bytes : p->offset + p->bytes;
	if (p->memory && start < end)
		copy_bytes((char *)p->memory + (start - p->offset), from + (start - offset), end - start);
}

void mapped_show(const struct world_call *c, long result, const struct file_write *w)
{
	struct iovec one = { (void *)c->a[1], (size_t)c->a[2] };
	bool vector = c->number == SYS_writev || c->number == SYS_pwritev || c->number == SYS_pwritev2;
	const struct iovec *v = vector ? (const struct iovec *)c->a[1] : &one;
	uint64_t offset = w->offset, left = (uint64_t)result;
	for (long i = 0; left && writes(c->number) && i < (vector ? c->a[2] : 1); i++) {
		uint64_t here = v[i].iov_len < left ? v[i].iov_len : left;
		for (uint32_t k = 0; k < part_count; k++)
			if (is_same(&parts[k].file, &w->file))
				show_piece(&parts[k], offset, v[i].iov_base, here);
		offset += here;
		left -= here;
	}
}
