/* What memcpy, memset and strcpy write waits in the buffer too, word by word: a reader that sees the flag need not see all of it, nor
 * the first part first. */
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static char text[16] __attribute__((aligned(8))) = "------- -------";
static volatile int ready;

static void *send(void *how)
{
	if (how)
		strcpy(text, "the message, ok");
	ready = 1;
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t sender;
	(void)argv;
	pthread_create(&sender, NULL, send, argc == 1 ? text : NULL);
	int came = ready;
	char first = *(volatile char *)&text[0], second = *(volatile char *)&text[8];
	pthread_join(sender, NULL);
	if (came)
		printf("%c%c\n", first, second);
	return 0;
}
