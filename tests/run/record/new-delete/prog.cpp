// Memory of C++ objects belongs to the line that says new.
#include <cstdio>
#include <new>
#include <stdexcept>

struct alignas(128) wide { int x[40]; };

int main()
{
	int *volatile one = new int(5);
	int *volatile many = new int[100];
	wide *volatile aligned = new wide;
	int *volatile perhaps = new (std::nothrow) int;
	if (reinterpret_cast<unsigned long>(aligned) % 128)
		return 1;
	delete one;
	delete[] many;
	delete aligned;
	delete perhaps;
	try {
		volatile unsigned long huge = 1ul << 60;
		char *volatile none = new char[huge];
		delete[] none;
	} catch (const std::bad_alloc &) {
		std::puts("caught");
	}
	one = new int(6);
	delete one;
	return 0;
}
