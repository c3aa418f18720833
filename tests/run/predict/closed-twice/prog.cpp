/* Looked whether it is closed, then said so: two can come through. */
#include <atomic>
#include <thread>

struct file { int number = 3; };
static std::atomic<bool> closed{false};
static file *open_file = new file;

static void close_file()
{
	if (!closed.load()) {
		closed.store(true);
		delete open_file; /*@A*/
	}
}

int main()
{
	std::thread a(close_file), b(close_file);
	a.join();
	b.join();
	return 0;
}
