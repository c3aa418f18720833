#include <memory>
#include <thread>

struct made { int value = 1; };
static int wrong;

static made &one()
{
	static made m;
	return m;
}

static void use() { one().value == 1 ? wrong++ : 0; }

int main()
{
	std::thread a(use), b(use);
	a.join();
	b.join();
	return wrong - 2;
}
