/* An exception nobody catches: it ends in libraries, and is told at the function it was thrown from. */
#include <stdexcept>
#include <thread>

static int tries;

static void careless()
{
	if (tries++ == 0)
		throw std::runtime_error("never caught");
}

int main()
{
	std::thread t(careless);
	t.join();
	return 0;
}
