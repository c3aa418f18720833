/* Linked statically, libstdc++ and libc are part of the program: they start and join threads, and say that there is more than one. */
#include <atomic>
#include <cstdio>
#include <memory>
#include <string>
#include <thread>
#include <vector>

static std::atomic<int> sum;

int main()
{
	std::vector<std::thread> threads;
	auto word = std::make_shared<std::string>("abc");
	for (int i = 0; i < 4; i++)
		threads.emplace_back([word, i] { sum += i + (int)word->size(); });
	for (auto &t : threads)
		t.join();
	printf("%d\n", sum.load());
}
