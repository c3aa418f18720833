/* Destructors run when a thread ends: in the order of the keys, again while values come back, at most four rounds; and before
 * the thread can be joined.  Key 1's destructor sets key 1 again each time, key 2's does not. */
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static pthread_key_t one, two;
static char order[32];

static void first(void *value)
{
	strcat(order, "1");
	pthread_setspecific(one, value);
}

static void second(void *value)
{
	(void)value;
	strcat(order, "2");
}

static void *thread(void *unused)
{
	pthread_setspecific(one, order);
	pthread_setspecific(two, order);
	return unused;
}

int main(void)
{
	pthread_t t;
	pthread_key_create(&one, first);
	pthread_key_create(&two, second);
	pthread_create(&t, NULL, thread, NULL);
	pthread_join(t, NULL);
	puts(order);
}
