/* rt/map.c -- memory the program maps and unmaps: in the same order as the heap (alloc.c), for the same reason.
 * MAP after, UNMAP before; mremap is an UNMAP with the number taken before and a MAP with the one taken after.
 * A MAP whose protection is not known (mremap) has result -1; one other processes may write has MAPPED_SHARED in it.
 * What libc and the loader map for themselves is not seen. */
#include <stdarg.h>
#include <sys/mman.h>
#include <sys/shm.h>

#include "rt/rt.h"
#include "rt/sys.h"
#include "rt/world.h"

#define PAGE 4096u

static void mapped(void *at, size_t bytes, int protection, uint64_t pc)
{
	if (at != MAP_FAILED)
		rt_event(EV_MAP, (uint64_t)at, bytes, rt_alloc_version(), protection, pc);
}

INTERPOSE(void *, mmap, (void *at, size_t bytes, int protection, int flags, int fd, off_t offset))
{
	if (!rt_on())
		return REAL(mmap)(at, bytes, protection, flags, fd, offset);
	void *p = world_wanted() ? (void *)WORLD(RT_PC, SYS_mmap, (long)at, (long)bytes, protection, flags, fd, offset) :
		REAL(mmap)(at, bytes, protection, flags, fd, offset);
	mapped(p, bytes, protection | (flags & MAP_SHARED ? MAPPED_SHARED : 0), RT_PC);
	return p;
}

INTERPOSE(void *, mmap64, (void *at, size_t bytes, int protection, int flags, int fd, __off64_t offset))
{
	if (!rt_on())
		return REAL(mmap64)(at, bytes, protection, flags, fd, offset);
	void *p = world_wanted() ? (void *)WORLD(RT_PC, SYS_mmap, (long)at, (long)bytes, protection, flags, fd, offset) :
		REAL(mmap64)(at, bytes, protection, flags, fd, offset);
	mapped(p, bytes, protection | (flags & MAP_SHARED ? MAPPED_SHARED : 0), RT_PC);
	return p;
}

INTERPOSE(int, munmap, (void *at, size_t bytes))
{
	bool can_work = bytes && (uint64_t)at % PAGE == 0;       /* what the kernel refuses is not an event */
	if (can_work && rt_on())
		rt_event(EV_UNMAP, (uint64_t)at, bytes, rt_alloc_version(), 0, RT_PC);
	return REAL(munmap)(at, bytes);
}

INTERPOSE(void *, mremap, (void *at, size_t bytes, size_t new_bytes, int flags, ...))
{
	va_list rest;
	va_start(rest, flags);
	void *fixed = flags & MREMAP_FIXED ? va_arg(rest, void *) : NULL;
	va_end(rest);
	if (!rt_on())
		return REAL(mremap)(at, bytes, new_bytes, flags, fixed);
	uint64_t before = rt_alloc_version();
	void *p = world_wanted() ? (void *)WORLD(RT_PC, SYS_mremap, (long)at, (long)bytes, (long)new_bytes, flags, (long)fixed) :
		REAL(mremap)(at, bytes, new_bytes, flags, fixed);
	if (p != MAP_FAILED)
		rt_event(EV_UNMAP, (uint64_t)at, bytes, before, 0, RT_PC);
	mapped(p, new_bytes, -1, RT_PC);
	return p;
}

INTERPOSE(void *, shmat, (int id, const void *at, int flags))
{
	void *p = REAL(shmat)(id, at, flags);
	struct shmid_ds about;
	if (p != MAP_FAILED && rt_on())
		mapped(p, sys3(SYS_shmctl, id, IPC_STAT, (long)&about) ? 0 : about.shm_segsz,
			(flags & SHM_RDONLY ? PROT_READ : PROT_READ | PROT_WRITE) | MAPPED_SHARED, RT_PC);
	return p;
}

INTERPOSE(int, shmdt, (const void *at))
{
	if (rt_on())
		rt_event(EV_UNMAP, (uint64_t)at, 0, rt_alloc_version(), 0, RT_PC);
	return REAL(shmdt)(at);
}
