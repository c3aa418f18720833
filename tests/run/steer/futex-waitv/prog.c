/* Waiting for several futexes at once is refused, by name. */
#include <stdint.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef SYS_futex_waitv
#define SYS_futex_waitv 449
#endif

static uint32_t words[2];

int main(void)
{
	enum { SIZE_U32 = 2, PRIVATE = 128 };
	struct { uint64_t value, address; uint32_t flags, reserved; } waits[2] = {
		{ 1, (uintptr_t)&words[0], SIZE_U32 | PRIVATE, 0 }, { 1, (uintptr_t)&words[1], SIZE_U32 | PRIVATE, 0 } };
	syscall(SYS_futex_waitv, waits, 2, 0, NULL, 0);
	puts("not waited");
}
