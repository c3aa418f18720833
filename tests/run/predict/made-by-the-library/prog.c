/* A stream a library function makes, closed while somebody writes to it: its block is called by that function, for there is no line. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static FILE *stream;

static void *writes(void *unused)
{
	fputs("a line\n", stream);
	return unused;
}

int main(void)
{
	pthread_t writing;
	char *text;
	size_t bytes;
	stream = open_memstream(&text, &bytes);
	pthread_create(&writing, NULL, writes, NULL);
	usleep(1000);
	fclose(stream);
	pthread_join(writing, NULL);
	free(text);
	return 0;
}
