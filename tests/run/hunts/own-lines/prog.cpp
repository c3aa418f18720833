// The main thread looks at `busy` when two are in the list, which need not have been counted yet: exit 1.
#include <cstdlib>
#include <mutex>
#include <thread>
#include <vector>
#include <condition_variable>
static std::mutex m;
static std::condition_variable cv;
static std::vector<int> list;
static int busy;
static void work(int n)
{
	for (int i = 0; i < 3; i++) {
		{ std::lock_guard<std::mutex> hold(m); list.push_back(n * 10 + i); }
		busy++;
	}
	cv.notify_all();
}
int main()
{
	std::thread a(work, 1), b(work, 2);
	{ std::unique_lock<std::mutex> hold(m); cv.wait(hold, [] { return list.size() >= 2; }); }
	bool bad = busy < 3;
	a.join(); b.join();
	return bad;
}
