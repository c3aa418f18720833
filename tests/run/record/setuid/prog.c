/* Run by somebody else, with the rights of its owner: the caller must not be able to write into what it trusts. */
#include <stdio.h>
#include <unistd.h>

int main(void)
{
	printf("%s\n", geteuid() == getuid() ? "as its caller" : "as its owner");
	return 0;
}
