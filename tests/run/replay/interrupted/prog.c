/* Never ends, and has a child that does not either. */
#include <unistd.h>

int main(void)
{
	if (fork() == 0)
		for (;;)
			pause();
	for (volatile unsigned i = 0;; i++)
		;
}
