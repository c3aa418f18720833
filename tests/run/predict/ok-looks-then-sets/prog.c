/* What was there is printed, and something else is put there that has nothing to do with it: whoever sets it in between has set it before. So is a flag
 * whose old state goes to a log in memory, and a counter of what was seen. */
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int level, flag, history[4], seen;

static int get(const int *from)
{
	pthread_mutex_lock(&m);
	int v = *from;
	pthread_mutex_unlock(&m);
	return v;
}

static void set(int *to, int v)
{
	pthread_mutex_lock(&m);
	*to = v;
	pthread_mutex_unlock(&m);
}

static void *other(void *u)
{
	set(&level, 7);
	set(&flag, 2);
	return u;
}

int main(void)
{
	pthread_t t;
	pthread_create(&t, NULL, other, NULL);
	int was = get(&level);
	printf("level was %d\n", was);
	if (was > 6)
		puts("which is much");
	set(&level, 5);
	history[0] = get(&flag);
	seen += history[0] != 0;
	set(&flag, 1);
	pthread_join(t, NULL);
	printf("level is %d, flag %d after %d, seen %d\n", get(&level), get(&flag), history[0], seen);
	return 0;
}
