/* Futex operations that change a word behind the program's back are refused, by name. */
#include <linux/futex.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

static int first, second;

int main(void)
{
	syscall(SYS_futex, &first, FUTEX_WAKE_OP_PRIVATE, 1, 1L, &second, FUTEX_OP(FUTEX_OP_ADD, 1, FUTEX_OP_CMP_EQ, 0));
	puts("woken");
}
