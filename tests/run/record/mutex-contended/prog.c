/* Four threads, 4000 sections: the recorded order of one lock must alternate. */
#include "../check.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int shared;

static void *adds(void *unused)
{
	for (int i = 0; i < 1000; i++) {
		pthread_mutex_lock(&m);
		shared++;
		pthread_mutex_unlock(&m);
	}
	return unused;
}

int main(void)
{
	pthread_t t[4];
	for (int i = 0; i < 4; i++)
		IS(pthread_create(&t[i], NULL, adds, NULL), 0);
	for (int i = 0; i < 4; i++)
		IS(pthread_join(t[i], NULL), 0);
	CHECK(shared == 4000);
	return done();
}
