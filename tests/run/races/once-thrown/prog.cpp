/* The first thread is thrown out of a routine, and out of the one that called it; the second runs both again, after it. */
#include <mutex>
#include <thread>

static std::once_flag outer, inner;
static int right, wrong;

static void make()
{
	if (right++ == 0)
		throw 1;
}

static void use()
{
	try {
		std::call_once(outer, [] { std::call_once(inner, make); });
	} catch (int) {
	}
	wrong++;
}

int main()
{
	std::thread a(use), b(use);
	a.join();
	b.join();
	return right + wrong - 4;
}
