// Static local variables: one thread initialises, one waits; an initialiser that throws is tried again.
#include "../check.h"
#include <stdexcept>
#include <thread>

static volatile pid_t tid;
static int made, entered, tries;

struct slow {
	slow()
	{
		__atomic_store_n(&entered, 1, __ATOMIC_SEQ_CST);
		asleep(&tid);
		made++;
	}
};

static slow &instance()
{
	static slow one;
	return one;
}

static int number()
{
	static int n = tries++ ? 5 : throw std::runtime_error("first time");
	return n;
}

int main()
{
	std::thread second([] {
		while (!__atomic_load_n(&entered, __ATOMIC_SEQ_CST))
			;
		here(&tid);
		instance();
		CHECK(made == 1);
	});
	instance();
	second.join();
	CHECK(made == 1);
	try {
		number();
		CHECK(false);
	} catch (const std::runtime_error &) {
	}
	CHECK(number() == 5 && number() == 5);
	return done();
}
