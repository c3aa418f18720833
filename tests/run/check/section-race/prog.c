/* Who writes gives up its turn without a section: a race with the section of the other.  An assumption ends the run in which the section is first. */
#include <pthread.h>
#include <raddle.h>
static int taken, data;
static void *write_it(void *a)
{
	raddle_atomic_begin();
	raddle_assume(!taken);
	taken = 1;
	raddle_atomic_end();
	data = 1;
	taken = 0;
	return a;
}
int main(void)
{
	pthread_t t;
	pthread_create(&t, 0, write_it, 0);
	raddle_atomic_begin();
	raddle_assume(!taken);
	data++;
	raddle_atomic_end();
	pthread_join(t, 0);
	return 0;
}
