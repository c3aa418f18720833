// Two locks taken in both orders: a deadlock, whose stacks are of the program's functions alone.
#include <mutex>
#include <thread>
static std::mutex a, b;
static void one()
{
	std::lock_guard<std::mutex> first(a);
	std::lock_guard<std::mutex> second(b);
}
static void two()
{
	std::lock_guard<std::mutex> first(b);
	std::lock_guard<std::mutex> second(a);
}
static void both() { one(); two(); }
int main()
{
	std::thread t(one), u(both);
	t.join();
	u.join();
}
