/* Prints what stands in a row of texts, and leaves a file of some size: a bit flipped in which one it is, or in how large, is seen in what comes out. */
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

static const char texts[9][16] = { "a 1 0.5 2", "a 1 0.5001 2", "a 1 inf 2", "", "a01 0.5 2", "", "", "", "a 1 0.50 2.0" };

int main(void)
{
	volatile unsigned which = 0;
	volatile unsigned long size = 16;
	unsigned one = which & 15;
	unsigned long bytes = size;
	printf("%s\n", texts[one < 9 ? one : 0]);
	int fd = open("result", O_WRONLY | O_CREAT | O_TRUNC, 0600);
	return fd < 0 || ftruncate(fd, (off_t)bytes) < 0;
}
