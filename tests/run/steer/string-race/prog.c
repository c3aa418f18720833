/* A modelled library call reads shared memory as one event: the string before or after it was extended. */
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static char text[16] = "abc";

static void *extend(void *unused)
{
	strcat(text, "def");
	return unused;
}

int main(void)
{
	pthread_t t;
	pthread_create(&t, NULL, extend, NULL);
	size_t length = strlen(text);
	pthread_join(t, NULL);
	printf("%zu\n", length);
}
