/* tests/cc/src/shapes.c -- every shape of access and of function a body can have, on memory others can see; prints what it finds. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef float four __attribute__((vector_size(16)));
typedef int16_t three __attribute__((ext_vector_type(3)));
typedef struct { char bytes[200]; } big;
typedef struct { double x, y; int32_t n; } middle;
typedef struct { int a : 3, b : 7; unsigned c : 13; } fields;
#pragma pack(push, 1)
typedef struct { char c; int16_t s; int32_t i; int64_t l; double d; void *p; } packed;
#pragma pack(pop)

int8_t i8 = -3; uint16_t u16 = 65535; int32_t i32 = -70000; int64_t i64 = -5000000000; bool flag = true;
float f32 = 1.25f; double f64 = -2.5; long double f80 = 3.75L; _Float16 f16 = 0.5; __int128 i128 = -1;
four vector = { 1, 2, 3, 4 }; three odd = { 7, 8, 9 };
packed tight = { 'a', -2, -3, -4, 5.5, &tight }; fields bits = { -2, 33, 4097 };
volatile int vint = 4; volatile double vdouble = 8; volatile four vvector = { 9, 8, 7, 6 };
int *pointer = &i32; int (*function)(int); _Atomic int aint; _Atomic double adouble;
int array[64]; char text[100]; big one, two; middle small = { 1, 2, 3 };
static jmp_buf back;
int depth;

#define SEEN(format, ...) printf("%d: " format "\n", __LINE__, __VA_ARGS__)

__attribute__((noinline)) void scalars(int k)
{
	i8 = (int8_t)(i8 * 3 + k); u16 = (uint16_t)(u16 + k); i32 += k; i64 *= k; flag = !flag;
	f32 = f32 * 3 + (float)k; f64 = f64 / k; f80 = f80 * f80; f16 = (_Float16)(f16 + 1); i128 = i128 * k - i64;
	tight.s += 1; tight.i ^= k; tight.l -= tight.i; tight.d *= 2; tight.p = (char *)tight.p + 1; tight.c++;
	bits.a++; bits.b += 9; bits.c *= 3;
	vint += k; vdouble -= k; vvector = vvector + (four){ 1, 1, 1, 1 };
	*pointer += 1; pointer = pointer == &i32 ? array : &i32;
	SEEN("%d %u %d %ld %d", i8, u16, i32, (long)i64, flag);
	SEEN("%g %g %Lg %g %ld %ld", f32, f64, f80, (double)f16, (long)(i128 >> 64), (long)i128);
	SEEN("%c %d %d %ld %g %d", tight.c, tight.s, tight.i, (long)tight.l, tight.d, (int)((char *)tight.p - (char *)&tight));
	SEEN("%d %d %u %d %g %g", bits.a, bits.b, bits.c, vint, vdouble, vvector[2]);
}

__attribute__((noinline)) void vectors(int k)
{
	vector = vector * vector + (four){ 0, 1, 2, 3 };
	odd = odd + (three){ (int16_t)k, 1, 2 };
	for (int i = 0; i < 64; i++)
		array[i] = array[i] * 3 + i + k;
	int sum = 0;
	for (int i = 0; i < 64; i++)
		sum += array[i] > 50 ? array[i] : 1;
	for (int i = 0; i < 64; i++)
		if (array[i] & 1)
			array[i] /= 2;
	SEEN("%g %g %d %d %d %d", vector[0], vector[3], odd[0], odd[2], sum, array[40]);
}

__attribute__((noinline)) void moves(int k)
{
	memset(one.bytes, k, sizeof one);
	two = one;
	memcpy(text, two.bytes, (size_t)k + 20);
	memmove(text + 3, text, 40);
	text[99] = 0;
	strcpy(text + 50, "end");
	middle copy = small;
	small = (middle){ copy.y, copy.x, copy.n + k };
	SEEN("%d %d %s %g %g %d", two.bytes[150], text[4], text + 50, small.x, small.y, small.n);
}

__attribute__((noinline)) big gives_big(big by_value, int k) { by_value.bytes[k]++; one.bytes[k] += 2; return by_value; }
__attribute__((noinline)) middle gives_middle(middle m, int k) { m.n += k + i32; f64 += m.x; return m; }

__attribute__((noinline)) double adds(int count, ...)
{
	va_list list;
	double sum = f64;
	va_start(list, count);
	for (int i = 0; i < count; i++)
		sum += i % 2 ? va_arg(list, double) : va_arg(list, int);
	va_end(list);
	return sum;
}

__attribute__((noinline)) long many(int a, double b, long c, float d, short e, char f, void *g, long h, long i, double j, big *k)
{
	return a + (long)b + c + (long)d + e + f + (g == &tight) + h + i + (long)j + k->bytes[3] + i32;
}

__attribute__((noinline)) int leaf(int k) { return i32 = k ^ i32; }
__attribute__((noinline)) int tail(int k) { array[1] = k; return leaf(k + 1); }
__attribute__((noinline)) int down(int k) { depth++; if (k == 0) { depth = 0; return i32; } return down(k - 1); }

__attribute__((noinline)) void jumps(int k) { array[3] = k; longjmp(back, k); }
__attribute__((noinline)) void lands(void)
{
	volatile int tries = 0;
	int got = setjmp(back);
	tries++;
	if (got < 3)
		jumps(got + 1);
	SEEN("%d %d %d", got, tries, array[3]);
}

__attribute__((noinline)) int computed(const char *program)
{
	static const void *const ways[] = { &&add, &&twice, &&minus, &&stop };
	int value = i32 & 15;
	goto *ways[*program++ - '0'];
add:
	value += array[2] & 7;
	goto *ways[*program++ - '0'];
twice:
	value = array[5] = value * 2;
	goto *ways[*program++ - '0'];
minus:
	value -= 3;
	goto *ways[*program++ - '0'];
stop:
	return value;
}

__attribute__((noinline)) int switches(int k)
{
	switch (array[k] & 7) {
	case 0: return i32 + 1;
	case 1: array[7] = 3; return leaf(4);
	case 2: case 3: return (int)adds(2, 3, 4.5);
	case 5: abort();
	default: return k;
	}
}

__attribute__((noinline)) void atomics(int k)
{
	int expected = 0;
	atomic_fetch_add(&aint, k);
	bool swapped = atomic_compare_exchange_strong(&aint, &expected, 9);
	adouble += 1.5;
	atomic_thread_fence(memory_order_seq_cst);
	SEEN("%d %d %d %g", aint, swapped, expected, adouble);
}

__attribute__((noinline)) int local(int n)
{
	int *v = __builtin_alloca((size_t)n * sizeof *v), sum = 0, given[8] = { 1, 2, 3 };
	for (int i = 0; i < n; i++)
		v[i] = i * i + given[i & 7];
	qsort(given, 8, sizeof *given, (int (*)(const void *, const void *))(void *)strcmp);
	for (int i = 0; i < n; i++)
		sum += v[i] + given[i & 7];
	return sum;
}

int main(void)
{
	for (int k = 1; k < 6; k++) {
		scalars(k);
		vectors(k);
		moves(k);
		big b = gives_big(one, k);
		middle m = gives_middle(small, k);
		SEEN("%d %d %d %g", b.bytes[k], one.bytes[k], m.n, m.y);
		SEEN("%g %ld", adds(5, 1, 2.5, 3, 4.5, k), many(k, 2.5, 3, 4.5f, 5, 6, &tight, 7, 8, 9.5, &two));
		function = k & 1 ? leaf : tail;
		SEEN("%d %d %d %d", function(k), tail(k), down(k * 1000), depth);
		SEEN("%d %d", computed("0120123"), switches(k));
		lands();
		atomics(k);
		SEEN("%d", local(9 + k));
	}
	return i32 & 63;
}
