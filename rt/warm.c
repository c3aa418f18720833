/* rt/warm.c -- pages every run of a server writes to are copied with the process, not each when it is first written to: that is a fault
 * for each, of twice the cost.  The kernel does so with pages that are pinned, for a device that may write to them.
 *
 *   server: one of the first runs is to look --> run: at its exit, which pages are its own by now --> server: pins these
 *
 *   (1) what the run says is believed only as far as the kernel accepts it, and nothing but speed depends on it;
 *   (2) no descriptor is left: the kernel keeps the ring that holds the pages for the server's thread alone.  Where there are no such
 *       rings (io_uring), or too little memory may be locked, nothing is pinned;
 *   (3) of a large page all would be copied: a copy is timed before and after, and what makes it much slower is let go. */
#include "rt/warm.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/io_uring.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <sys/wait.h>

#include "rt/maps.h"
#include "rt/strands.h"
#include "rt/sys.h"

#define PAGE        4096u
#define ROOM        (256u << 10)        /* half of it for what is mapped, half for its pages */
#define LARGEST     (16ull << 20)       /* of a mapping that is looked at: a heap is not */
#define PRESENT     (1ull << 63)
#define OWN         (1ull << 56)        /* mapped by nobody else */
#define TRIES       3
#define PAGE_NS     1500u               /* a page may take so much of a copy, and all of them */
#define ALL_NS      20000u

bool warm_looks;

/* ---- in the run ---- */

struct look { long fd; char *room; };

static void look_at(const struct look *l, uint64_t low, uint64_t high)
{
	uint64_t *pages = (uint64_t *)(l->room + ROOM / 2), count = (high - low) / PAGE;
	long got = sys6(SYS_pread64, l->fd, (long)pages, (long)(count * 8), (long)(low / PAGE * 8), 0, 0);
	for (long i = 0; i < got / 8 && steer->own_page_count < STEER_PAGES; i++)
		if (pages[i] & PRESENT && pages[i] & OWN)
			steer->own_pages[steer->own_page_count++] = low + (uint64_t)i * PAGE;
}

static bool look_in(void *with, uint64_t low, uint64_t high, const char *rights)
{
	const struct look *l = with;
	bool wanted = rights[0] == 'r' && rights[1] == 'w' && rights[3] == 'p' && high - low <= LARGEST;
	if (wanted && (uint64_t)l->room - low >= high - low)
		look_at(l, low, high);
	return true;
}

void warm_look(void)
{
	long room = sys6(SYS_mmap, 0, ROOM, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct look l = { .fd = sys6(SYS_openat, AT_FDCWD, (long)"/proc/self/pagemap", O_RDONLY | O_CLOEXEC, 0, 0, 0), .room = (char *)room };
	warm_looks = false;
	if (l.fd < 0 || (unsigned long)room >= -4095ul)
		return;
	steer->own_page_count = 0;
	maps_each(l.room, ROOM / 2, look_in, &l);
	sys3(SYS_close, l.fd, 0, 0);
	sys3(SYS_munmap, room, ROOM, 0);
}

/* ---- in the server ---- */

static uint64_t nanoseconds(void)
{
	struct timespec t;
	sys3(SYS_clock_gettime, CLOCK_MONOTONIC, (long)&t, 0);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* The least a copy takes that ends at once. */
static uint64_t time_copy(void)
{
	uint64_t least = UINT64_MAX;
	for (int i = 0; i < TRIES; i++) {
		uint64_t before = nanoseconds(), after;
		long pid = sys6(SYS_clone, SIGCHLD, 0, 0, 0, 0, 0);
		while (pid == 0)
			sys3(SYS_exit_group, 0, 0, 0);
		after = nanoseconds();
		least = after - before < least ? after - before : least;
		while (pid > 0 && sys6(SYS_wait4, pid, 0, __WALL, 0, 0, 0) == -EINTR)
			;
	}
	return least;
}

static unsigned page_ranges(struct iovec *to, unsigned count)
{
	unsigned ranges = 0;
	for (unsigned i = 0; i < count; i++) {
		uint64_t page = steer->own_pages[i] & ~(uint64_t)(PAGE - 1);
		if (ranges && (uint64_t)to[ranges - 1].iov_base + to[ranges - 1].iov_len == page)
			to[ranges - 1].iov_len += PAGE;
		else
			to[ranges++] = (struct iovec){ .iov_base = (void *)page, .iov_len = PAGE };
	}
	return ranges;
}

/* The ring stays when its descriptor is closed. */
static void keep_ring(int ring)
{
	struct io_uring_rsrc_update as = { .offset = UINT32_MAX, .data = (uint64_t)ring };
	sys6(SYS_io_uring_register, ring, IORING_REGISTER_RING_FDS, (long)&as, 1, 0, 0);
}

void warm_keep(void)
{
	static struct iovec ranges[STEER_PAGES];
	struct io_uring_params how = { 0 };
	unsigned count = steer->own_page_count < STEER_PAGES ? steer->own_page_count : STEER_PAGES, range_count = page_ranges(ranges, count);
	uint64_t before = range_count ? time_copy() : 0;
	long ring = range_count ? sys3(SYS_io_uring_setup, 1, (long)&how, 0) : -1;
	if (ring < 0)
		return;
	if (sys6(SYS_io_uring_register, ring, IORING_REGISTER_BUFFERS, (long)ranges, range_count, 0, 0) == 0 &&
		time_copy() < before + count * PAGE_NS + ALL_NS)
		keep_ring((int)ring);
	sys3(SYS_close, ring, 0, 0);
}
