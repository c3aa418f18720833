/* A logger nobody waits for says how far it came; main looks at that in its last line.  When main returns first the logger has not said anything. */
#include <pthread.h>
#include <stdio.h>

static int written;

static void *log_lines(void *unused)
{
	written = 1;                            /*@W*/
	return unused;
}

int main(void)
{
	pthread_t logger;
	pthread_create(&logger, NULL, log_lines, NULL);
	pthread_detach(logger);
	printf("%d\n", written);                /*@R*/
	return 0;
}
