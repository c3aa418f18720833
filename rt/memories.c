/* rt/memories.c -- see memories.h.  Runs write into the memory of wire/steer.h and into that of wire/ring.h; what they write behind the end of
 * lists (log, ways, events) is simply written over by the next run.  Saved are
 *   the part of the head that the program writes, its strands, the ring's counters, the process's entry, the areas of its threads.
 * In front of the first event that is one thread, for which there is room here; later (serve_keep) there may be many. */
#include "rt/memories.h"

#include <sys/mman.h>

#include "rt/segment.h"
#include "rt/strands.h"
#include "rt/sys.h"

static struct {
	char head[sizeof(struct steer_head) - offsetof(struct steer_head, pid)];
	struct ring_head ring;
	struct process_entry process;
	uint32_t strands, areas;                /* how many; an area has the number of its thread, from 1 */
	char *lists;                            /* the strands, then the areas */
} saved;
static char first_lists[sizeof(struct steer_strand) + AREA_BYTES];
static uint64_t more_bytes;                     /* of a mapping for longer lists; 0: there is none */

/* Numbers in shared memory are only believed as far as the tables go. */
static uint32_t at_most(uint32_t number, uint32_t most)
{
	return number < most ? number : most;
}

/* Where no other mapping is, so that no mapping of the program's lies elsewhere because of it. */
static char *more(uint64_t bytes)
{
	if (more_bytes)
		sys3(SYS_munmap, FIXED_HIGH, (long)more_bytes, 0);
	more_bytes = (bytes + 4095) & ~4095ull;
	long at = sys6(SYS_mmap, FIXED_HIGH, (long)more_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
	if ((unsigned long)at < -4095ul)
		return (char *)at;
	more_bytes = 0;
	return NULL;
}

bool memories_save(void)
{
	saved.strands = at_most(strand_count, STEER_STRANDS);
	saved.areas = at_most(ring->next_uid, RING_THREADS - 1);
	uint64_t strands_bytes = saved.strands * sizeof(struct steer_strand), bytes = strands_bytes + (uint64_t)saved.areas * AREA_BYTES;
	saved.lists = bytes <= sizeof first_lists ? first_lists : more(bytes);
	if (!saved.lists)
		return false;
	copy_bytes(saved.head, &steer->pid, sizeof saved.head);
	copy_bytes(&saved.ring, ring, sizeof saved.ring);
	copy_bytes(&saved.process, ring_process(process_index), sizeof saved.process);
	copy_bytes(saved.lists, strands[0].seen, strands_bytes);
	copy_bytes(saved.lists + strands_bytes, ring_area(1), (uint64_t)saved.areas * AREA_BYTES);
	return true;
}

/* Processes, objects and threads that joined during the last run are gone. */
static void forget_joined(void)
{
	for (uint32_t i = process_index + 1; i < RING_PROCESSES && ring_process(i)->state != PROC_FREE; i++)
		ring_process(i)->state = PROC_FREE;
	for (uint32_t i = saved.ring.next_module; i < at_most(ring->next_module, RING_MODULES); i++)
		ring_module(i)->state = 0;
	for (uint32_t i = saved.areas + 1; i <= at_most(ring->next_uid, RING_THREADS - 1); i++)
		ring_area(i)->state = AREA_FREE;
}

void memories_restore(void)
{
	uint64_t strands_bytes = saved.strands * sizeof(struct steer_strand);
	forget_joined();
	copy_bytes(&steer->pid, saved.head, sizeof saved.head);
	copy_bytes(strands[0].seen, saved.lists, strands_bytes);
	copy_bytes(ring_process(process_index), &saved.process, sizeof saved.process);
	copy_bytes(ring_area(1), saved.lists + strands_bytes, (uint64_t)saved.areas * AREA_BYTES);
	ring->next_uid = saved.ring.next_uid;
	ring->next_module = saved.ring.next_module;
	ring->alloc_version = saved.ring.alloc_version;
	ring->lost_threads = saved.ring.lost_threads;
	ring->lost_processes = saved.ring.lost_processes;
	ring->lost_modules = saved.ring.lost_modules;
}
