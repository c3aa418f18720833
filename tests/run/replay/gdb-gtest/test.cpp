// A test of GoogleTest, Catch2 or doctest that fails when two threads read before either writes.
#include <atomic>
#include <thread>
#if defined(BY_GTEST)
#include <gtest/gtest.h>
#define CASE TEST(count, two)
#define SAME(a, b) EXPECT_EQ(a, b)
#elif defined(BY_CATCH)
#define CATCH_CONFIG_MAIN
#include <catch2/catch.hpp>
#define CASE TEST_CASE("two")
#define SAME(a, b) CHECK((a) == (b))
#else
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>
#define CASE TEST_CASE("two")
#define SAME(a, b) CHECK((a) == (b))
#endif

static std::atomic<int> number;

static void add()
{
	int seen = number.load();
	number.store(seen + 1);
}

CASE
{
	number = 0;
	std::thread a(add), b(add);
	a.join();
	b.join();
	SAME(number.load(), 2);
}
