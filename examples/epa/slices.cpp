// examples/epa/slices.cpp -- C++: each thread sorts a slice of a vector, and the first merges them.
// Slices do not overlap and threads are joined before their slices are read: deterministic.
#include <algorithm>
#include <cstdio>
#include <thread>
#include <vector>

int main()
{
	constexpr int threads = 4, slice = 16;
	std::vector<int> values(threads * slice);
	unsigned random = 1;
	for (int &v : values) {
		random = random * 1103515245u + 12345u;
		v = static_cast<int>(random >> 16 & 0xfff);
	}
	std::vector<std::thread> all;
	for (int t = 0; t < threads; t++)
		all.emplace_back([&values, t] { std::sort(values.begin() + t * slice, values.begin() + (t + 1) * slice); });
	for (std::thread &t : all)
		t.join();
	std::vector<int> merged;
	for (int t = 0; t < threads; t++) {
		std::vector<int> both(merged.size() + slice);
		std::merge(merged.begin(), merged.end(), values.begin() + t * slice, values.begin() + (t + 1) * slice, both.begin());
		merged.swap(both);
	}
	long sum = 0;
	for (size_t i = 0; i < merged.size(); i++)
		sum += static_cast<long>(i) * merged[i];
	std::printf("%ld\n", sum);
}
