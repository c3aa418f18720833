/* Pointers copied with the struct they are in, into memory that had others before; kept in integers and unions; memory of every kind, given out again. */
#define _GNU_SOURCE
#include <alloca.h>
#include <malloc.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
static __thread int local; static __thread char *tls_p;
struct mixed { char c; void *p; short s; double d; };
union u { void *p; uint64_t n; char b[8]; };
struct node { struct node *next; int key; char pad[3]; };
static struct node *heads[4];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int by_value(const void *a, const void *b) { const int *x = *(int *const *)a, *y = *(int *const *)b; return *x - *y; }
struct two { void *a, *b; };
typedef unsigned __int128 both __attribute__((may_alias));
static struct two pair(char *x, char *y) { struct two t = { y, x }; return t; }
static int at_times(int c, int *q) { int *p; if (c > 1) p = &q[c]; return c > 1 ? *p : c; }    /* else p is nothing */
static int vla(int n) { int a[n]; int *q = a; for (int i = 0; i < n; i++) q[i] = i * n; return a[n - 1]; }
static void *leaf(void *x) { local = (int)(long)x; tls_p = (char *)&local; char *s = malloc(10 + local); s[0] = 1; char *r = s; free(s); return r ? (void *)(long)local : 0; }
static void *work(void *x)
{
	long t = (long)x;
	local += (int)t;
	tls_p = (char *)&local;
	char *a = calloc(3, 40), *b = realloc(a, 4000); b = realloc(b, 100000); b = realloc(b, 10);
	void *c = aligned_alloc(256, 512), *d = NULL;
	if (posix_memalign(&d, 64, 300)) return NULL;
	memset(c, 1, 512);
	memset(d, 2, 300);
	struct mixed m; memset(&m, 0, sizeof m); m.c = 'x'; m.p = c; m.s = 3; m.d = 4;
	struct mixed n; memcpy(&n, &m, sizeof n);
	struct mixed arr[3] = { m, n, m }; struct mixed *copy = malloc(sizeof arr); memcpy(copy, arr, sizeof arr); memmove(copy, copy + 1, 2 * sizeof *copy);
	union u u; u.p = copy; union u v; v.n = u.n; char *back = v.p; back[0]++;
	uintptr_t num = (uintptr_t)d; void *again = (void *)(num + 8); *(char *)again = 5;
	char *map = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	map[10] = 1; *(void **)(map + 16) = c;
	char *moved = mremap(map, 8192, 65536, MREMAP_MAYMOVE);
	moved[30000] = 2; void *fetched = *(void **)(moved + 16); *(char *)fetched = 9;
	munmap(moved, 65536);
	char *st = alloca(64 + t); st[0] = 1; tls_p = st; tls_p[1] = 2;
	int *values[8]; for (int i = 0; i < 8; i++) { values[i] = malloc(sizeof(int)); *values[i] = (i * 5 + (int)t) % 8; }
	qsort(values, 8, sizeof *values, by_value);
	int sum = 0; for (int i = 0; i < 8; i++) { sum = sum * 3 + *values[i]; free(values[i]); }
	for (int i = 0; i < 3; i++) { struct node *k = malloc(sizeof *k); *k = (struct node){ heads[t], i, "" }; heads[t] = k; }
	for (struct node *k = heads[t], *next; k; k = next) { next = k->next; sum += k->key; free(k); }
	heads[t] = NULL;
	pthread_t th[2]; for (long i = 0; i < 2; i++) pthread_create(&th[i], NULL, leaf, (void *)(i + t)); for (int i = 0; i < 2; i++) { void *r; pthread_join(th[i], &r); sum += (int)(long)r; }
	struct two t2 = pair(b, c), *kept = malloc(sizeof *kept);
	*kept = t2;
	both twice = *(both *)kept;                     /* two pointers in one value */
	*(both *)kept = twice;
	t2 = *kept;
	sum += *(char *)t2.b + at_times((int)t, (int *)d) + at_times(2, (int *)d);
	free(kept);
	sum += vla(5) + vla(9);
	free(b); free(c); free(d); free(copy);
	return (void *)(long)sum;
}
int main(int argc, char **argv)
{
	pthread_t th[3]; long all = 0;
	char *s = strdup(argv[0]), *line = NULL; size_t room = 0;
	printf("%c %d\n", s[0], argc); free(s);
	FILE *f = tmpfile(); fprintf(f, "one\ntwo\nthree %d\n", 3); rewind(f);
	while (getline(&line, &room, f) > 0) all += line[0];
	free(line); fclose(f);
	char *env = getenv("PATH"); if (env) all += env[0] == '/';
	for (int round = 0; round < 2; round++) {
		for (long i = 0; i < 3; i++) pthread_create(&th[i], NULL, work, (void *)i);
		for (int i = 0; i < 3; i++) { void *r; pthread_join(th[i], &r); all += (long)r; }
	}
	printf("%ld %zu\n", all, malloc_usable_size(NULL));
	return 0;
}
