// thread_local objects are destroyed before the thread's END; pthread_exit unwinds C++ frames.
#include "../check.h"
#include <mutex>
#include <thread>

std::mutex m;
static int destroyed;

struct counted {
	int value = 0;
	~counted()
	{
		std::lock_guard<std::mutex> hold(m);
		destroyed++;
	}
};

static thread_local counted mine;

static void *leaves(void *)
{
	counted on_stack;
	mine.value = on_stack.value + 1;
	pthread_exit(nullptr);
}

int main()
{
	pthread_t t;
	std::thread([] { mine.value = 1; }).join();
	CHECK(destroyed == 1);
	IS(pthread_create(&t, nullptr, leaves, nullptr), 0);
	IS(pthread_join(t, nullptr), 0);
	CHECK(destroyed == 3);
	return done();
}
