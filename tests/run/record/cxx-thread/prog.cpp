// std::thread: join, detach, arguments, an exception caught inside.
#include "../check.h"
#include <stdexcept>
#include <string>
#include <thread>

int main()
{
	std::string text;
	std::thread one([&text](int n) { text = std::string(n, 'x'); }, 40);
	CHECK(one.joinable());
	one.join();
	CHECK(text.size() == 40 && !one.joinable());
	std::thread two([&text] {
		try {
			throw std::runtime_error("inside");
		} catch (const std::exception &e) {
			text = e.what();
		}
	});
	two.join();
	CHECK(text == "inside");
	bool refused = false;
	try {
		two.join();
	} catch (const std::system_error &) {
		refused = true;
	}
	CHECK(refused);
	return done();
}
