/* call_once and tss: the routine runs once, the key's destructor once per thread that set it. */
#include <stdatomic.h>
#include <stdio.h>
#include <threads.h>

static once_flag once = ONCE_FLAG_INIT;
static tss_t key;
static atomic_int made, destroyed;

static void destroy(void *value)
{
	(void)value;
	destroyed++;
}

static void make(void)
{
	tss_create(&key, destroy);
	made++;
}

static int thread(void *unused)
{
	(void)unused;
	call_once(&once, make);
	tss_set(key, &key);
	return 0;
}

int main(void)
{
	thrd_t t;
	thrd_create(&t, thread, NULL);
	call_once(&once, make);
	thrd_join(t, NULL);
	printf("made %d, destroyed %d\n", made, destroyed);
}
