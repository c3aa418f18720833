/* What system calls made by number leave in memory, map and name is known, as if libc's functions had been called. */
#include "../check.h"
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>

static char bytes[8], name[16], own[16];
static int ends[2], words[2];
static struct timespec now;

static void *named(void *unused)
{
	IS(prctl(PR_SET_NAME, "weaver"), 0);
	IS(prctl(PR_GET_NAME, name), 0);
	return unused;
}

static void *wakes(void *unused)
{
	usleep(10000);
	__atomic_store_n(&words[1], 1, __ATOMIC_SEQ_CST);
	syscall(SYS_futex, &words[1], 1 /* FUTEX_WAKE */, 1, NULL, NULL, 0);
	return unused;
}

int main(void)
{
	pthread_t t;
	struct { uint64_t value, word; uint32_t flags, spare; } waits[2] = {
		{ 0, (uint64_t)&words[0], 2, 0 }, { 0, (uint64_t)&words[1], 2, 0 } };
	IS(syscall(SYS_pipe2, ends, 0), 0);
	IS(syscall(SYS_write, ends[1], "xyz", 3L), 3);
	IS(syscall(SYS_read, ends[0], bytes, 8L), 3);
	CHECK(bytes[0] == 'x' && bytes[2] == 'z');
	IS(syscall(SYS_clock_gettime, CLOCK_REALTIME, &now), 0);
	CHECK(now.tv_sec > 1000);
	char *page = (char *)syscall(SYS_mmap, NULL, 4096L, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0L);
	page[0] = bytes[1];
	CHECK(page[0] == 'y' && page[1] == 0);
	IS(syscall(SYS_munmap, page, 4096L), 0);
	IS(pthread_create(&t, NULL, named, NULL), 0);
	IS(pthread_join(t, NULL), 0);
	CHECK(strcmp(name, "weaver") == 0);
	IS(prctl(PR_GET_NAME, own), 0);
	CHECK(strcmp(own, "prog") == 0);
	IS(pthread_create(&t, NULL, wakes, NULL), 0);
	while (!__atomic_load_n(&words[1], __ATOMIC_SEQ_CST))
		if (syscall(449 /* futex_waitv */, waits, 2, 0, NULL, 0) < 0 && errno == ENOSYS)
			usleep(1000);
	IS(pthread_join(t, NULL), 0);
	return done();
}
