/* Vectors a group cannot describe as they are: longer than 64 bytes, and masked ones; each lane touched is an event. */
#include <stdio.h>

enum { N = 64 };
typedef int very_wide __attribute__((vector_size(128)));

static struct { float x, y, z, w; } points[N];
static float sum[N];
static int from[N], to[N], odd[N];
static very_wide wide;

__attribute__((noinline)) static void interleaved(int n)
{
	for (int i = 0; i < n; i++)
		sum[i] = points[i].x + points[i].y + points[i].z + points[i].w;
}

__attribute__((noinline)) static void masked(int n, const int *source)
{
	for (int i = 0; i < n; i++)
		if (odd[i])
			to[i] = source[i] + 1;
}

__attribute__((noinline)) static void whole(int n)
{
	wide += n;
}

int main(int argc, char **argv)
{
	(void)argv;
	for (int i = 0; i < N; i++) {
		points[i].x = points[i].y = points[i].z = points[i].w = (float)i;
		from[i] = 3 * i;
		odd[i] = i & 1;
	}
	interleaved(N);
	masked(argc * N, from);
	whole(argc);
	printf("%g %d %d %d\n", sum[N - 1], to[N - 1], to[N - 2], wide[31]);
}
