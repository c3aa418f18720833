#include "../two.h"
#include <fcntl.h>
#include <unistd.h>

static int right, wrong;

/* What belongs to a number belongs to who has it, until it is closed. */
static void *a(void *x)
{
	int fd = open("/dev/null", O_RDONLY);
	right = wrong = 1;
	close(fd);
	wrong = 2;
	return x;
}

static void *b(void *x)
{
	int fd = open("/dev/null", O_RDONLY);
	right++;
	wrong++;
	close(fd);
	return x;
}

int main(void)
{
	two(a, b);
	return 0;
}
