/* The first thread is thrown out of the initialiser of a static variable; the second initialises it, after it. */
#include <thread>

static int right, wrong;

static int make()
{
	return right++ ? 7 : throw 1;
}

static void use()
{
	try {
		static int made = make();
		wrong += made;
	} catch (int) {
		wrong++;
	}
}

int main()
{
	std::thread a(use), b(use);
	a.join();
	b.join();
	return right + wrong - 10;
}
