/* It locks as often as memory says that nobody gave a value: what a function left behind there, with the number, another one in each
 * process, by which the compiler knows that its stack is whole.  Runs of one server have the same one. */
#include <pthread.h>
#include <stdint.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static __attribute__((noinline)) void leaves(void)
{
	char used[512];
	memset(used, 0, sizeof used);
	__asm__ volatile("" : : "r"(used) : "memory");
}

static __attribute__((noinline)) uint32_t finds(void)
{
	uint32_t never_set[192], *at = never_set, sum = 0;
	__asm__ volatile("" : "+r"(at));
	for (int i = 0; i < 192; i++)
		sum = (sum ^ at[i]) * 2654435761u;
	return sum >> 22;
}

static uint32_t left_over(void)
{
	leaves();
	return finds();
}

static void *nothing(void *unused)
{
	return unused;
}

int main(void)
{
	pthread_t other;                                /* a step of the schedule, for a checkpoint behind it */
	pthread_create(&other, NULL, nothing, NULL);
	pthread_join(other, NULL);
	pthread_mutex_lock(&lock);
	uint32_t left = left_over();
	pthread_mutex_unlock(&lock);
	for (; left; left--) {
		pthread_mutex_lock(&lock);              /* a run that does not come here any more ends */
		pthread_mutex_unlock(&lock);
	}
	return 0;
}
