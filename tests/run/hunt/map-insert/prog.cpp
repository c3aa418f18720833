/* A map asked and filled in two sections.  Depth 2: one user is stopped between them while the other goes through both.
 * Switches: main to one, to the other, back, to main: 4. */
#include <cassert>
#include <map>
#include <memory>
#include <mutex>
#include <thread>

static std::mutex m;
static std::map<int, std::unique_ptr<int>> cache;
static int made;

static bool has(int key)
{
	std::lock_guard<std::mutex> l(m);
	return cache.count(key) != 0;
}

static void use(int key)
{
	if (has(key))
		return;
	std::lock_guard<std::mutex> l(m);
	cache[key] = std::make_unique<int>(key);
	made++;
}

int main()
{
	std::thread one(use, 7), other(use, 7);
	one.join();
	other.join();
	assert(made == 1);
	return 0;
}
