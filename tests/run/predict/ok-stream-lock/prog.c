/* The lock of a stream guards what is counted beside what is printed. */
#include <pthread.h>
#include <stdio.h>

static int lines;

static void *log_line(void *text)
{
	flockfile(stdout);
	lines++;
#ifndef BUG
	flockfile(stdout);              /* it may be taken again */
	funlockfile(stdout);
#endif
	fputs(text, stdout);
#ifdef BUG
	funlockfile(stdout);
	lines++;                        /*@A*/
#else
	funlockfile(stdout);
	while (ftrylockfile(stdout))
		;
	lines++;
	funlockfile(stdout);
#endif
	return NULL;
}

int main(void)
{
	pthread_t t[2];
	pthread_create(&t[0], NULL, log_line, "a\n");
	pthread_create(&t[1], NULL, log_line, "b\n");
	pthread_join(t[0], NULL);
	pthread_join(t[1], NULL);
	return lines != 4;
}
