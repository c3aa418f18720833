/* A handle is a number, and numbers are given again.  Depth 2: the handle is closed and given to somebody else between the look and the
 * use.  Switches: main to writer, to the other, back: 3. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { FREE, LOG, DATABASE };
static atomic_int owner[2] = { LOG, FREE }, log_handle;

static int open_handle(int who)
{
	for (int i = 0; i < 2; i++) {
		int none = FREE;
		if (atomic_compare_exchange_strong(&owner[i], &none, who))
			return i;
	}
	return -1;
}

static void *writer(void *x)
{
	int mine = log_handle;
	if (mine >= 0)
		assert(owner[mine] == LOG);
	return x;
}

static void *other(void *x)
{
	int old = log_handle;
	log_handle = -1;
	owner[old] = FREE;
	open_handle(DATABASE);
	return x;
}

int main(void)
{
	pthread_t t[2];
	pthread_create(&t[0], NULL, writer, NULL);
	pthread_create(&t[1], NULL, other, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	return 0;
}
