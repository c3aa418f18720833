/* Structures handed over by value on the stack: their fields are told, not what lies between. */
#include <stdio.h>

struct gap { int x, y, z; long w; double d; };                                  /* 12 bytes of fields, 4 nobody's, 16 */
union either { struct { char c; long l; } one; long both[2]; };
struct has_union { short s; union either u; };                                  /* 2, 6 nobody's, 16: what is a gap in `one` is a part of `both` */
struct has_rows { struct { char c; short s; } row[2]; long l, m; };             /* 1, 1 nobody's, 3 with the next row's first, 1 nobody's, 18 */
struct wide { char c; long double v; };                                         /* 1, 15 nobody's, 10, 6 nobody's */
struct many { struct { char c; short s; } row[20]; };                           /* too many: as a whole */

__attribute__((noinline)) static int of_gap(struct gap g) { return g.x + (int)g.d; }
__attribute__((noinline)) static int of_union(struct has_union g) { return g.s + (int)g.u.both[1]; }
__attribute__((noinline)) static int of_rows(struct has_rows g) { return g.row[1].c + (int)g.l; }
__attribute__((noinline)) static int of_wide(struct wide g) { return g.c + (int)g.v; }
__attribute__((noinline)) static int of_many(struct many g) { return g.row[19].c; }

int main(int argc, char **argv)
{
	static struct many m;
	struct gap g = { argc, 2, 3, 4, 5 };
	struct has_union u;
	struct has_rows r = { { { 1, 2 }, { 3, 4 } }, 5, 6 };
	struct wide w = { 1, 2.5l };
	(void)argv;
	u.s = 1;
	u.u.both[0] = 0x1234567812345678;
	u.u.both[1] = 2;
	printf("%d\n", of_gap(g));
	printf("%d\n", of_union(u));
	printf("%d\n", of_rows(r));
	printf("%d\n", of_wide(w));
	printf("%d\n", of_many(m));
	return 0;
}
