/* rt/map.c -- memory the program maps and unmaps: in the same order as the heap (alloc.c), for the same reason.
 * MAP after, UNMAP before; mremap is an UNMAP with the number taken before and a MAP with the one taken after.
 * (Of length 0 it shows a mapping once more and unmaps nothing; MREMAP_DONTUNMAP leaves an empty one behind.)
 * What stays where it is does not go: a mapping that grew in place is unmapped by nobody, of one that shrank only its end is.
 * What a mapping is put over (MAP_FIXED) goes: an UNMAP, and the MAP.  If nobody may touch what lies there then (PROT_NONE), it stays gone.
 * A MAP whose protection is not known (mremap) has result -1, and so has the UNMAP in front of it; one other processes may write has MAPPED_SHARED in it.
 * In a steered run who gives memory back stands at a point first, as in front of free(), and who touches it afterwards is told who did (map_gone).
 * What libc and the loader map for themselves is not seen. */
#include <stdarg.h>
#include <sys/mman.h>
#include <sys/shm.h>

#include "rt/rt.h"
#include "rt/steer.h"
#include "rt/sys.h"
#include "rt/world.h"

#define PAGE 4096u
#define GONE 64u                        /* the latest that were unmapped, and by whom */

static struct steer_block gone[GONE];
static uint32_t gone_count;

static uint64_t up(uint64_t bytes)
{
	return (bytes + PAGE - 1) / PAGE * PAGE;
}

bool map_gone(uint64_t address, struct steer_block *out)
{
	for (uint32_t i = 0; i < GONE; i++)
		if (address - gone[i].at < gone[i].bytes) {
			*out = gone[i];
			return true;
		}
	return false;
}

static void note_gone(uint64_t at, uint64_t bytes, uint64_t pc)
{
	if (rt_steered() && own_strand)
		gone[gone_count++ % GONE] = (struct steer_block){ .at = at, .bytes = up(bytes), .freed_place = pc, .freed_by = own_strand->number + 1,
			.memory = STEER_MAPPING };
}

/* Something lies there again. */
static void note_there(uint64_t at, uint64_t bytes)
{
	for (uint32_t i = 0; gone_count && i < GONE; i++)
		if (gone[i].bytes && gone[i].at < at + bytes && at < gone[i].at + gone[i].bytes)
			gone[i] = (struct steer_block){ 0 };
}

static void mapped(void *at, size_t bytes, int protection, uint64_t pc)
{
	if (at == MAP_FAILED)
		return;
	rt_event(EV_MAP, (uint64_t)at, bytes, rt_alloc_version(), protection, pc);
	if ((protection & ~MAPPED_SHARED) != PROT_NONE)
		note_there((uint64_t)at, up(bytes));
}

static void unmapped(uint64_t at, uint64_t bytes, uint64_t version, int result, uint64_t pc)
{
	rt_event(EV_UNMAP, at, bytes, version, result, pc);
	note_gone(at, bytes, pc);
}

/* Does it put something where something may be? */
static bool goes_over(const void *at, size_t bytes, int flags)
{
	return flags & MAP_FIXED && bytes && (uint64_t)at % PAGE == 0;
}

#define MMAP_LIKE(name, offset_type) \
	INTERPOSE(void *, name, (void *at, size_t bytes, int protection, int flags, int fd, offset_type offset)) \
	{ \
		uint64_t before = 0; \
		if (!rt_on()) \
			return REAL(name)(at, bytes, protection, flags, fd, offset); \
		if (goes_over(at, bytes, flags)) { \
			steer_point(EV_UNMAP, (uint64_t)at, RT_PC); \
			before = rt_alloc_version(); \
		} \
		void *p = world_wanted() ? (void *)WORLD(RT_PC, SYS_mmap, (long)at, (long)bytes, protection, flags, fd, offset) : \
			REAL(name)(at, bytes, protection, flags, fd, offset); \
		if (p != MAP_FAILED && goes_over(at, bytes, flags)) \
			unmapped((uint64_t)at, up(bytes), before, 0, RT_PC); \
		mapped(p, bytes, protection | (flags & MAP_SHARED ? MAPPED_SHARED : 0), RT_PC); \
		return p; \
	}
MMAP_LIKE(mmap, off_t)
MMAP_LIKE(mmap64, __off64_t)

INTERPOSE(int, munmap, (void *at, size_t bytes))
{
	bool can_work = bytes && (uint64_t)at % PAGE == 0;       /* what the kernel refuses is not an event */
	if (can_work && rt_on()) {
		steer_point(EV_UNMAP, (uint64_t)at, RT_PC);
		unmapped((uint64_t)at, bytes, rt_alloc_version(), 0, RT_PC);
	}
	return REAL(munmap)(at, bytes);
}

void map_moved(uint64_t at, uint64_t bytes, uint64_t to, uint64_t new_bytes, int flags, uint64_t before, uint64_t pc)
{
	uint64_t stays = to == at ? up(new_bytes) : 0;
	if (stays < bytes)
		unmapped(at + stays, bytes - stays, before, -1, pc);
	mapped((void *)to, new_bytes, -1, pc);
	if (flags & MREMAP_DONTUNMAP)
		mapped((void *)at, bytes, -1, pc);
}

INTERPOSE(void *, mremap, (void *at, size_t bytes, size_t new_bytes, int flags, ...))
{
	va_list rest;
	va_start(rest, flags);
	void *fixed = flags & MREMAP_FIXED ? va_arg(rest, void *) : NULL;
	va_end(rest);
	if (!rt_on())
		return REAL(mremap)(at, bytes, new_bytes, flags, fixed);
	steer_point(EV_UNMAP, (uint64_t)at, RT_PC);
	uint64_t before = rt_alloc_version();
	void *p = world_wanted() ? (void *)WORLD(RT_PC, SYS_mremap, (long)at, (long)bytes, (long)new_bytes, flags, (long)fixed) :
		REAL(mremap)(at, bytes, new_bytes, flags, fixed);
	if (p != MAP_FAILED)
		map_moved((uint64_t)at, bytes, (uint64_t)p, new_bytes, flags, before, RT_PC);
	return p;
}

INTERPOSE(void *, shmat, (int id, const void *at, int flags))
{
	void *p = REAL(shmat)(id, at, flags);
	struct shmid_ds about = { 0 };
	if (p == MAP_FAILED || !rt_on())
		return p;
	uint64_t bytes = sys3(SYS_shmctl, id, IPC_STAT, (long)&about) ? 0 : about.shm_segsz;
	mapped(p, bytes, (flags & SHM_RDONLY ? PROT_READ : PROT_READ | PROT_WRITE) | MAPPED_SHARED, RT_PC);
	map_lend((uint64_t)p, bytes, about.shm_perm.__key == IPC_PRIVATE, !(flags & SHM_RDONLY));
	return p;
}

INTERPOSE(int, shmdt, (const void *at))
{
	if (rt_on()) {
		steer_point(EV_UNMAP, (uint64_t)at, RT_PC);
		rt_event(EV_UNMAP, (uint64_t)at, 0, rt_alloc_version(), 0, RT_PC);
	}
	return REAL(shmdt)(at);
}
