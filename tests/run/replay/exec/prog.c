/* Becomes /bin/sh, which says something and ends with 7. */
#include <stdio.h>
#include <unistd.h>

int main(void)
{
	puts("before");
	fflush(stdout);
	execl("/bin/sh", "sh", "-c", "echo behind; exit 7", (char *)NULL);
	return 1;
}
