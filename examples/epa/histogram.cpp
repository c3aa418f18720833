// examples/epa/histogram.cpp -- C++: threads count letters in a shared map under a mutex.
// The counts are always the same, in which order the map comes to be is not: order-dependent.
#include <cstdio>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

int main()
{
	const std::string text = "the threads of a loom are kept in order by a comb";
	constexpr int threads = 3;
	std::map<char, int> counts;
	std::mutex lock;
	std::vector<std::thread> all;
	for (int t = 0; t < threads; t++)
		all.emplace_back([&, t] {
			for (size_t i = static_cast<size_t>(t); i < text.size(); i += threads) {
				std::lock_guard<std::mutex> held(lock);
				counts[text[i]]++;
			}
		});
	for (std::thread &t : all)
		t.join();
	int sum = 0;
	for (const auto &[letter, count] : counts)
		sum += letter * count;
	std::printf("%d\n", sum);
}
