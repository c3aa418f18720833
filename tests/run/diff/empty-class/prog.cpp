// Comparisons without anything in them are copied from call to call: the one byte each has is nobody's, and copying it is no access.
#include <cstdio>

struct falling {
	bool operator()(int a, int b) const { return a > b; }
};

struct tagged { falling order; int value; };

template <class C> __attribute__((noinline)) static int third(C order, int a, int b)
{
	return order(a, b) ? a : b;
}

template <class C> __attribute__((noinline)) static int second(C order, int a, int b)
{
	C own = order, *volatile kept = &own;
	return third(*kept, a, b);
}

__attribute__((noinline)) static int beside(int value)
{
	tagged one = { {}, value }, *volatile kept = &one;
	tagged two = *kept;
	kept = &two;
	return kept->value;
}

int main(int argc, char **)
{
	int more = second(falling(), argc, 3);
	std::printf("%d\n", beside(more));
	return 0;
}
