/* A deque others steal from: for the last item its owner has to compete with them, and does not.  In the recorded run nobody steals. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_long top, bottom;
static atomic_int items[4], done;

static void push(int item)
{
	long b = bottom;
	items[b % 4] = item;
	bottom = b + 1;
}

static int take(void)
{
	long b = bottom - 1;
	bottom = b;
	long t = top; /*@A*/
	int item = t <= b ? items[b % 4] : -1;
	if (t == b)
		top = t + 1; /*@C*/
	if (t >= b)
		bottom = b + 1;
	return item;
}

static int steal(void)
{
	long t = top, b = bottom;
	if (t >= b)
		return -1;
	int item = items[t % 4];
	return atomic_compare_exchange_strong(&top, &t, t + 1) ? item : -1; /*@B*/
}

static void *owner(void *unused)
{
	push(1);
	if (take() >= 0)
		done++;
	return unused;
}

static void *thief(void *unused)
{
	if (steal() >= 0)
		done++;
	return unused;
}

int main(void)
{
	pthread_t owning, stealing;
	pthread_create(&owning, NULL, owner, NULL);
	pthread_create(&stealing, NULL, thief, NULL);
	pthread_join(owning, NULL);
	pthread_join(stealing, NULL);
	assert(done == 1);
	return 0;
}
