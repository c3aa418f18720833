/* In the recorded run what thread one did was over when thread two came to it, by the value two had read.  Another value leads there as well, and thread three
 * makes it.  ./prog either: of two flags one is enough.  ./prog slot: the block lies in two slots, in one of them too early. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int ready, asked, data, which;
static int *slots[2];

static void set(int *flag)
{
	pthread_mutex_lock(&lock);
	*flag = 1;
	pthread_mutex_unlock(&lock);
}

static int get(int *flag)
{
	pthread_mutex_lock(&lock);
	int is = *flag;
	pthread_mutex_unlock(&lock);
	return is;
}

static void put(int at, int *block)
{
	pthread_mutex_lock(&lock);
	slots[at] = block;
	pthread_mutex_unlock(&lock);
}

static void *either_one(void *unused)
{
	data = 1;
	set(&ready);
	return unused;
}

static void *either_two(void *unused)
{
	int a = get(&ready), b = get(&asked);
	if (a || b)
		data++;
	return unused;
}

static void *either_three(void *unused)
{
	set(&asked);
	return unused;
}

static void *slot_one(void *unused)
{
	int *block = malloc(sizeof *block);
	put(1, block);
	*block = 1;
	put(0, block);
	return unused;
}

static void *slot_two(void *unused)
{
	pthread_mutex_lock(&lock);
	int *block = slots[which];
	pthread_mutex_unlock(&lock);
	if (block)
		++*block;
	return unused;
}

static void *slot_three(void *unused)
{
	set(&which);
	return unused;
}

int main(int argc, char **argv)
{
	static void *(*const ways[2][3])(void *) = { { either_one, either_two, either_three }, { slot_one, slot_two, slot_three } };
	pthread_t threads[3];
	int way = argc > 1 && !strcmp(argv[1], "slot");
	for (int i = 0; i < 3; i++)
		pthread_create(&threads[i], NULL, ways[way][i], NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
