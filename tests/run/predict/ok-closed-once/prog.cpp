/* The twin of closed-twice: looked and said in one step. */
#include <atomic>
#include <thread>

struct file { int number = 3; };
static std::atomic<bool> closed{false};
static file *open_file = new file;

static void close_file()
{
	if (!closed.exchange(true))
		delete open_file;
}

int main()
{
	std::thread a(close_file), b(close_file);
	a.join();
	b.join();
	return 0;
}
