#include "../two.h"

struct item { long key, value; };
static struct item *item;
static pthread_rwlock_t table = PTHREAD_RWLOCK_INITIALIZER;
static pthread_mutex_t log_lock = PTHREAD_MUTEX_INITIALIZER;

__attribute__((noinline)) static void put(long value)
{
	item->value = value;
}

__attribute__((noinline)) static void update(void)
{
	pthread_rwlock_rdlock(&table);
	put(7);
	pthread_rwlock_unlock(&table);
}

static void *writer(void *x)
{
	update();
	return x;
}

static void *reader(void *x)
{
	pthread_mutex_lock(&log_lock);
	pthread_rwlock_rdlock(&table);
	long value = item->value;
	pthread_rwlock_unlock(&table);
	pthread_mutex_unlock(&log_lock);
	return (void *)value;
}

int main(void)
{
	item = calloc(3, sizeof *item);
	two(writer, reader);
	return 0;
}
