// A pool of workers that are handed functions: everything is done under its lock, and whoever asks the pool to stop has waited until it is idle.
#include <condition_variable>
#include <functional>
#include <mutex>
#include <queue>
#include <thread>
#include <vector>

static std::mutex lock, of_sum;
static std::condition_variable added, idle;
static std::queue<std::function<void()>> jobs;
static bool over;
static int busy;
static long sum;

static void works()
{
	for (;;) {
		std::function<void()> job;
		{
			std::unique_lock<std::mutex> held(lock);
			added.wait(held, [] { return over || !jobs.empty(); });
			if (jobs.empty())
				return;
			job = std::move(jobs.front());
			jobs.pop();
			busy++;
		}
		job();
		std::lock_guard<std::mutex> held(lock);
		if (!--busy && jobs.empty())
			idle.notify_all();
	}
}

int main()
{
	std::vector<std::thread> workers;
	for (int i = 0; i < 4; i++)
		workers.emplace_back(works);
	for (int i = 0; i < 24; i++) {
		std::lock_guard<std::mutex> held(lock);
		jobs.push([i] { std::lock_guard<std::mutex> held(of_sum); sum += i; });
		added.notify_one();
	}
	{
		std::unique_lock<std::mutex> held(lock);
		idle.wait(held, [] { return jobs.empty() && !busy; });
		over = true;
	}
	added.notify_all();
	for (auto &worker : workers)
		worker.join();
	return sum != 276;
}
