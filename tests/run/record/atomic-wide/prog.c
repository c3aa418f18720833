/* Atomics of 16 bytes, on floating point, minimum and maximum: both halves of what was read and written. */
#include "../check.h"
#include <stdint.h>

typedef unsigned __int128 wide;

static wide pair = (wide)5 << 64 | 7;
static double real;
static float small = 2;
static int low = 40;
static unsigned high = 3;

int main(void)
{
	wide expected = (wide)5 << 64 | 7, wrong = 1;
	CHECK(__atomic_load_n(&pair, __ATOMIC_SEQ_CST) == expected);
	CHECK(__atomic_compare_exchange_n(&pair, &expected, (wide)6 << 64 | 8, 0, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED));
	CHECK(!__atomic_compare_exchange_n(&pair, &wrong, 2, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE));
	CHECK(wrong == ((wide)6 << 64 | 8));
	__atomic_store_n(&pair, (wide)9 << 64 | UINT64_MAX, __ATOMIC_RELEASE);
	CHECK(__atomic_fetch_add(&pair, 1, __ATOMIC_SEQ_CST) >> 64 == 9);
	CHECK(__atomic_exchange_n(&pair, 3, __ATOMIC_SEQ_CST) == (wide)10 << 64);
	__atomic_fetch_add(&real, 1.5, __ATOMIC_SEQ_CST);
	__atomic_fetch_sub(&small, 0.5f, __ATOMIC_RELAXED);
	CHECK(real == 1.5 && small == 1.5f);
	CHECK(__atomic_fetch_min(&low, -2, __ATOMIC_SEQ_CST) == 40 && __atomic_fetch_max(&high, 4000000000u, __ATOMIC_SEQ_CST) == 3);
	CHECK(low == -2 && high == 4000000000u);
	return done();
}
