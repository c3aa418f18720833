// An event loop with an event descriptor, a timer and a thread that wakes it; std::chrono and std::this_thread.
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/select.h>
#include <thread>
#include <unistd.h>

int main()
{
	int loop = epoll_create1(0), wake = eventfd(0, 0);
	epoll_event e{};
	e.events = EPOLLIN;
	epoll_ctl(loop, EPOLL_CTL_ADD, wake, &e);
	auto start = std::chrono::steady_clock::now();
	std::thread other([&] {
		for (int i = 0; i < 3; i++) {
			std::this_thread::sleep_for(std::chrono::seconds(10));
			uint64_t one = 1;
			if (write(wake, &one, sizeof one) < 0)
				return;
		}
	});
	int woken = 0, idle = 0;
	while (woken < 3) {
		epoll_event got[4];
		int n = epoll_wait(loop, got, 4, 4000);
		uint64_t count;
		if (n == 0)
			idle++;
		else if (read(wake, &count, sizeof count) == sizeof count)
			woken += (int)count;
	}
	other.join();
	fd_set set;
	FD_ZERO(&set);
	FD_SET(wake, &set);
	timeval t{ 5, 0 };
	int n = select(wake + 1, &set, nullptr, nullptr, &t);
	auto spent = std::chrono::steady_clock::now() - start;
	printf("woken %d idle %d select %d after %lld s\n", woken, idle, n, (long long)std::chrono::duration_cast<std::chrono::seconds>(spent).count());
}
