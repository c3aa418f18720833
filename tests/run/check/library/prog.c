/* Library functions access what threads share.  1: under a lock, so both words are the same; 2: the lock is left out where it is written, so the second word races;
 * 3: the block is freed by another thread, and copied; 4: a text that is compared while another thread may have put another there, both under the lock. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct { long one, other; } pair, ones = { 1, 1 };
static char text[16] = "old";
static long *block;
static int which;
static __attribute__((noinline)) void write_pair(void) { memcpy(&pair, &ones, sizeof pair); }
static __attribute__((noinline)) void read_block(void *to) { memcpy(to, block, sizeof *block); }
static void *copies(void *a)
{
	long seen;
	if (which != 2)
		pthread_mutex_lock(&lock);
	if (which <= 2)
		write_pair();
	else if (which == 3)
		read_block(&seen);
	else
		assert(strcmp(text, "old") == 0);
	if (which != 2)
		pthread_mutex_unlock(&lock);
	return a;
}
static void *changes(void *a)
{
	pthread_mutex_lock(&lock);
	if (which == 1)
		assert(pair.one == pair.other);
	else if (which == 2)
		pair.other = 2;
	else if (which == 3)
		free(block);
	else
		strcpy(text, "another");
	pthread_mutex_unlock(&lock);
	return a;
}
int main(int count, char **arguments)
{
	pthread_t t[2];
	which = arguments[count - 1][0] - '0';
	block = calloc(1, sizeof *block);
	pthread_create(&t[0], 0, copies, 0);
	pthread_create(&t[1], 0, changes, 0);
	pthread_join(t[0], 0);
	pthread_join(t[1], 0);
	return 0;
}
