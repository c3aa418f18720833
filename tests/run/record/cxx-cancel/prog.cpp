// A cancelled C++ thread unwinds: destructors run, locks are given back, the wait is over.
#include "../check.h"
#include <condition_variable>
#include <mutex>

std::mutex m;
std::condition_variable c;
static volatile pid_t tid;
static int destroyed;

struct counted {
	~counted() { destroyed++; }
};

static void *waits(void *)
{
	counted here_too;
	std::unique_lock<std::mutex> hold(m);
	here(&tid);
	pthread_cond_wait(c.native_handle(), m.native_handle());
	return nullptr;
}

int main()
{
	pthread_t t;
	void *value;
	IS(pthread_create(&t, nullptr, waits, nullptr), 0);
	asleep(&tid);
	IS(pthread_cancel(t), 0);
	IS(pthread_join(t, &value), 0);
	CHECK(value == PTHREAD_CANCELED && destroyed == 1);
	CHECK(m.try_lock());
	m.unlock();
	return done();
}
