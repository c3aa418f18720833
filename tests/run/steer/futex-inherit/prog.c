/* Priority inheritance by hand belongs to kernel threads: refused, by name. */
#include <linux/futex.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

static int word;

int main(void)
{
	syscall(SYS_futex, &word, FUTEX_LOCK_PI_PRIVATE, 0, NULL, NULL, 0);
	puts("locked");
}
