/* Each process lives until it has made the next one, one stays. */
#include <sys/prctl.h>
#include <unistd.h>

int main(void)
{
	if (fork() == 0) {
		prctl(PR_SET_NAME, "hostile");
		for (;;)
			pause();
	}
	for (;;) {
		if (fork() > 0)
			_exit(0);
		setsid();
	}
}
