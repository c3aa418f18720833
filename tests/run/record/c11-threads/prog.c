/* thrd_create, join, detach, exit, sleep, yield. */
#include "../check.h"
#include <threads.h>

static int value_of(void *value)
{
	return (int)(long)value;
}

static int exits(void *unused)
{
	(void)unused;
	thrd_exit(-5);
}

int main(void)
{
	thrd_t t;
	int value;
	struct timespec little = { 0, 1000 }, bad = { 0, -1 };
	IS(thrd_create(&t, value_of, (void *)12), thrd_success);
	IS(thrd_join(t, &value), thrd_success);
	IS(value, 12);
	IS(thrd_create(&t, exits, NULL), thrd_success);
	IS(thrd_join(t, &value), thrd_success);
	IS(value, -5);
	IS(thrd_create(&t, value_of, NULL), thrd_success);
	IS(thrd_detach(t), thrd_success);
	IS(thrd_sleep(&little, NULL), 0);
	IS(thrd_sleep(&bad, NULL), -2);
	thrd_yield();
	thrd_exit(0);
}
