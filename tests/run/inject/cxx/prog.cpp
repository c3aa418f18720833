/* Known numbers: atomics (1 + 2 + 3 + 4, then + 1, then 11 to 50), a vector, a call that may throw, new[]. */
#include <atomic>
#include <cstdio>
#include <memory>
#include <new>
#include <stdexcept>
#include <thread>
#include <vector>
typedef float v4 __attribute__((vector_size(16)));
static std::atomic<int> total{0};
static v4 acc = {1, 2, 3, 4};
static int risky(int x) { if (x > 100) throw std::runtime_error("too large"); return x * 2; }
struct guard { int *p; ~guard() { ++*p; } };
static int left;
static int call_it(int x) { guard g{&left}; return risky(x) + 1; }
int main()
{
	std::thread t([] { for (int i = 0; i < 4; i++) total.fetch_add(i + 1); });
	t.join();
	v4 b = {10, 20, 30, 40};
	acc = acc + b;
	int n = 0;
	try { n = call_it(5); } catch (const std::exception &e) { std::printf("caught %s\n", e.what()); n = -1; }
	int *p = new int[4]();
	p[1] = total.load();
	total.store(p[1] + 1);
	int want = 11;
	bool done = total.compare_exchange_strong(want, 50);
	std::printf("%d %d %d %d %g %g %d\n", n, left, p[1], total.load(), acc[0], acc[3], done);
	delete[] p;
}
