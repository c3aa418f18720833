/* Reads inside of reading: a writer that came to wait in between is waited for by the reader it waits for, if writers go first. */
#include <pthread.h>

static pthread_rwlock_t table;
static int entries;

static int count(void)
{
	pthread_rwlock_rdlock(&table);          /*@A*/
	int n = entries;
	pthread_rwlock_unlock(&table);
	return n;
}

static void *reader(void *out)
{
	pthread_rwlock_rdlock(&table);
	*(int *)out = entries ? count() : 0;
	pthread_rwlock_unlock(&table);
	return NULL;
}

static void *writer(void *unused)
{
	pthread_rwlock_wrlock(&table);          /*@B*/
	entries++;
	pthread_rwlock_unlock(&table);
	return unused;
}

int main(void)
{
	pthread_rwlockattr_t how;
	pthread_t one, two;
	int out;
	pthread_rwlockattr_init(&how);
#ifndef OK
	pthread_rwlockattr_setkind_np(&how, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
#endif
	pthread_rwlock_init(&table, &how);
	entries = 1;
	pthread_create(&one, NULL, reader, &out);
	pthread_create(&two, NULL, writer, NULL);
	pthread_join(one, NULL);
	pthread_join(two, NULL);
	return 0;
}
