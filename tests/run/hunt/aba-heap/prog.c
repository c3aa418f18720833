/* The same address is taken for the same thing: a block was freed and another one was given its place.  Only with --heap=reuse: the length
 * is set behind the text, so whoever still finds the old text there has the old length.
 * Depth 2: the reader is stopped between its looks while the writer puts another text there.
 * Switches: main to reader, to writer, back: 3. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static _Atomic(char *) text;
static atomic_int length = 5;

static void *reader(void *x)
{
	char *p = text;
	int before = length;
	int now = length;
	if (text == p)
		assert(before == now);
	return x;
}

static void *writer(void *x)
{
	free(text);
	text = malloc(64);
	length = 7;
	return x;
}

int main(void)
{
	pthread_t t[2];
	text = malloc(64);
	pthread_create(&t[0], NULL, reader, NULL);
	pthread_create(&t[1], NULL, writer, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	return 0;
}
