/* One thread runs the routine, either; the other waits until it is through: nobody sees it half done. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static pthread_once_t control = PTHREAD_ONCE_INIT;
static _Thread_local char me;
static atomic_int half, done;
static char by;

static void routine(void)
{
	half = 1;
	by = me;
	done++;
}

static void *go(void *name)
{
	me = *(char *)name;
	pthread_once(&control, routine);
	if (!half || done != 1)
		puts("half done");
	return NULL;
}

int main(void)
{
	pthread_t t;
	pthread_create(&t, NULL, go, "b");
	go("a");
	pthread_join(t, NULL);
	printf("ran by %c\n", by);
}
