/* abort ends the program by SIGABRT even when a handler returns. */
#include "../check.h"
#include <signal.h>

static void returns(int number)
{
	(void)number;
	if (write(1, "handler\n", 8) != 8)
		_exit(1);
}

int main(void)
{
	signal(SIGABRT, returns);
	abort();
}
