// A thread waits for a condition nobody signals, and the program waits for the thread ("hang") gives up ("abort") or does nothing else for ever ("spin").
#include <pthread.h>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <thread>

namespace shop {
pthread_mutex_t door = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t closed = PTHREAD_COND_INITIALIZER;
std::atomic<bool> inside;

static void stay()
{
	pthread_mutex_lock(&door);
	inside = true;
	pthread_cond_wait(&closed, &door);
	pthread_mutex_unlock(&door);
}
}

int main(int, char **argv)
{
	std::thread guest(shop::stay);
	if (strcmp(argv[1], "hang") != 0) {
		while (!shop::inside)
			std::this_thread::yield();
		pthread_mutex_lock(&shop::door);        // had only when the guest waits
		while (strcmp(argv[1], "spin") == 0)
			std::this_thread::yield();
		abort();
	}
	guest.join();
}
