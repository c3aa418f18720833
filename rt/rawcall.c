/* rt/rawcall.c -- system calls a program makes by number, and prctl: what they left in memory, mapped, named, sent.
 * Where each leaves what is in calls.c; one that is not in its table is passed on and what it wrote is unseen.  Nothing is read
 * of the program's memory before the kernel has accepted it; UNMAP alone comes first, as in map.c. */
#include <stdarg.h>
#include <sys/mman.h>
#include <sys/prctl.h>

#include "rt/effect.h"
#include "rt/names.h"
#include "rt/rawcall.h"
#include "rt/words.h"
#include "rt/world.h"

#define PAGE 4096u
#define NAME_BYTES 16u

static void note_vector(const struct iovec *v, uint32_t count, uint64_t bytes, uint64_t pc)
{
	for (uint32_t i = 0; i < count && bytes; i++) {
		uint64_t here = v[i].iov_len < bytes ? v[i].iov_len : bytes;
		effect_result(v[i].iov_base, here, pc);
		bytes -= here;
	}
}

static void note_name(const char *name, uint64_t pc)
{
	struct thread_area *area = raddle_tls.area;
	unsigned bytes = 0;
	for (; bytes < NAME_BYTES - 1 && name[bytes]; bytes++)
		area->name[bytes] = name[bytes];
	area->name[bytes] = 0;
	rt_event_bytes(EV_NAME, 0, bytes, 0, name, bytes, NAME_BYTES, pc);
}

void rawcall_before(const struct world_call *c)
{
	bool can_work = c->a[1] > 0 && c->a[0] % PAGE == 0;
	if (can_work && c->number == SYS_munmap)
		rt_event(EV_UNMAP, (uint64_t)c->a[0], (uint64_t)c->a[1], rt_alloc_version(), 0, c->pc);
}

static void note_special(const struct world_call *c, long result)
{
	switch (c->number) {
	case SYS_read:
	case SYS_pread64:
	case SYS_recvfrom:
		note_input((int)c->a[0], (const void *)c->a[1], result, c->pc);
		break;
	case SYS_write:
	case SYS_pwrite64:
	case SYS_sendto:
		note_output((int)c->a[0], (const void *)c->a[1], (uint64_t)result, c->pc);
		break;
	case SYS_mmap:
		rt_event(EV_MAP, (uint64_t)result, (uint64_t)c->a[1], rt_alloc_version(),
			(int)c->a[2] | (c->a[3] & MAP_SHARED ? MAPPED_SHARED : 0), c->pc);
		break;
	case SYS_mremap:
		map_moved((uint64_t)c->a[0], (uint64_t)c->a[1], (uint64_t)result, (uint64_t)c->a[2], (int)c->a[3], rt_alloc_version(), c->pc);
		break;
	case SYS_prctl:
		if (c->a[0] == PR_SET_NAME)
			note_name((const char *)c->a[1], c->pc);
		break;
	default:
		break;
	}
}

void rawcall_after(const struct world_call *c, long result, struct piece *pieces, unsigned count)
{
	if (result < 0)
		return;
	call_filled(c, result, pieces, count);
	note_special(c, result);
	bool input = c->number == SYS_read || c->number == SYS_pread64 || c->number == SYS_recvfrom;   /* noted with its bytes */
	for (unsigned i = input; i < count; i++)
		if (pieces[i].scattered)
			note_vector(pieces[i].at, pieces[i].scattered, pieces[i].bytes, c->pc);
		else
			effect_result(pieces[i].at, pieces[i].bytes, c->pc);
}

INTERPOSE(int, prctl, (int what, ...))
{
	long a[4];
	va_list rest;
	va_start(rest, what);
	for (unsigned i = 0; i < 4; i++)
		a[i] = va_arg(rest, long);
	va_end(rest);
	if (what == PR_GET_NAME && names_are_ours())
		return names_get(own_strand, (char *)a[0], STRAND_NAME);
	if (what == PR_SET_NAME && names_are_ours() && a[0]) {
		char name[STRAND_NAME] = "";
		words_add(name, 0, sizeof name, (const char *)a[0]);    /* the kernel cuts what is longer */
		names_set(own_strand, name);
	}
	if (!rt_on() || rt_steered())
		return REAL(prctl)(what, a[0], a[1], a[2], a[3]);
	struct world_call c = { .number = SYS_prctl, .a = { what, a[0], a[1], a[2], a[3], 0 }, .pc = RT_PC };
	struct piece pieces[PIECES_MOST];
	unsigned count = call_pieces(&c, pieces);
	int result = REAL(prctl)(what, a[0], a[1], a[2], a[3]);
	rawcall_after(&c, result, pieces, count);
	return result;
}
