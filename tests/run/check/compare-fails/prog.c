/* A compare-exchange that fails reads.  `never`: it cannot succeed, so the plain read beside it is no race.  `locked`: it succeeds only where the reader is
 * kept out.  `sometimes`: a third thread lets it succeed, a race.  `same`: it writes what was there, a race.  `writer`: a plain write beside one that fails, a race. */
#include <pthread.h>
#include <string.h>

static int x;
static const char *how;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void swap(int from, int to) { __atomic_compare_exchange_n(&x, &from, to, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); }

static void *reader(void *unused)
{
	int v = 0;
	if (!strcmp(how, "locked")) {
		pthread_mutex_lock(&m);
		v = x;
		pthread_mutex_unlock(&m);
	} else if (!strcmp(how, "writer"))
		x = 7;
	else
		v = x;
	return v == 99 ? unused : NULL;
}

static void *tries(void *unused)
{
	swap(!strcmp(how, "same") ? 1 : 5, !strcmp(how, "same") ? 1 : 6);
	if (!strcmp(how, "locked")) {
		pthread_mutex_lock(&m);
		swap(1, 2);
		pthread_mutex_unlock(&m);
	}
	return unused;
}

static void *sets(void *unused)
{
	if (!strcmp(how, "sometimes"))
		__atomic_store_n(&x, 5, __ATOMIC_SEQ_CST);
	return unused;
}

int main(int argc, char **argv)
{
	pthread_t t[3];
	how = argc > 1 ? argv[1] : "never";
	x = 1;
	pthread_create(&t[0], NULL, reader, NULL);
	pthread_create(&t[1], NULL, tries, NULL);
	pthread_create(&t[2], NULL, sets, NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	return 0;
}
