/* Thread one fills two blocks and says so.  Thread two comes to `kept` if it did, to `data` also if thread three asked for it: of `data` every field races, though in the recorded run
 * what two read kept it behind one; of `kept` none does.  Candidates of both begin alike, and share what runs say. */
#include <pthread.h>

struct block { int f0, f1, f2, f3, f4, f5, f6, f7, f8, f9; };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int ready, asked;
struct block kept, data;

static void set(int *flag)
{
	pthread_mutex_lock(&lock);
	*flag = 1;
	pthread_mutex_unlock(&lock);
}

static int get(int *flag)
{
	pthread_mutex_lock(&lock);
	int is = *flag;
	pthread_mutex_unlock(&lock);
	return is;
}

static void *one(void *unused)
{
	kept.f0 = 1;
	kept.f1 = 1;
	kept.f2 = 1;
	kept.f3 = 1;
	kept.f4 = 1;
	kept.f5 = 1;
	kept.f6 = 1;
	kept.f7 = 1;
	kept.f8 = 1;
	kept.f9 = 1;
	data.f0 = 1;
	data.f1 = 1;
	data.f2 = 1;
	data.f3 = 1;
	data.f4 = 1;
	data.f5 = 1;
	data.f6 = 1;
	data.f7 = 1;
	data.f8 = 1;
	data.f9 = 1;
	set(&ready);
	return unused;
}

static void *two(void *unused)
{
	int a = get(&ready), b = get(&asked);
	__asm__ volatile("" : "+r"(a), "+r"(b));        /* what is asked for is not seen: no rule closes anything */
	if (a) {
		kept.f0++;
		kept.f1++;
		kept.f2++;
		kept.f3++;
		kept.f4++;
		kept.f5++;
		kept.f6++;
		kept.f7++;
		kept.f8++;
		kept.f9++;
	}
	if (a || b) {
		data.f0++;
		data.f1++;
		data.f2++;
		data.f3++;
		data.f4++;
		data.f5++;
		data.f6++;
		data.f7++;
		data.f8++;
		data.f9++;
	}
	return unused;
}

static void *three(void *unused)
{
	set(&asked);
	return unused;
}

int main(void)
{
	static void *(*const ways[3])(void *) = { one, two, three };
	pthread_t threads[3];
	for (int i = 0; i < 3; i++)
		pthread_create(&threads[i], NULL, ways[i], NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
