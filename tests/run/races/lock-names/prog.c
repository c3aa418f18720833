/* Locks that are part of something: of a block, of a variable. */
#include "../two.h"

struct box { long size; pthread_mutex_t lock; };
static struct box *made, kept = { 0, PTHREAD_MUTEX_INITIALIZER };
static long shared;

static void *one(void *x)
{
	pthread_mutex_lock(&made->lock);
	shared++;
	pthread_mutex_unlock(&made->lock);
	return x;
}

static void *other(void *x)
{
	pthread_mutex_lock(&kept.lock);
	shared++;
	pthread_mutex_unlock(&kept.lock);
	return x;
}

int main(int argc, char **argv)
{
	(void)argv;
	made = calloc((size_t)argc, sizeof *made);
	two(one, other);
	return shared != 2;
}
