/* Two threads in no certain order, each uses the library.  What is printed in the end hangs on who came first, but for cases called `ok_...`. */
#define _GNU_SOURCE
#include <ctype.h>
#include <fcntl.h>
#include <locale.h>
#include <math.h>
#include <pthread.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

extern char **environ;
static char *own[] = { "KIND=mine", NULL }, put[] = "PUT=1", path[20] = "data.txt", texts[2][200];
static long numbers[2];
static int in, copy, waiting;
static FILE *reads, *writes;
static void *tree;
static struct iovec vector = { path, 3 };

static void keep(int me, const char *text) { snprintf(texts[me], sizeof texts[me], "%s", text ? text : "-"); }
static int compare(const void *a, const void *b) { return strcmp(a, b); }
static struct tm broken(void) { return (struct tm){ .tm_year = 90, .tm_mday = 1 }; }
static int hour(void) { time_t t = 5; struct tm m; return localtime_r(&t, &m)->tm_hour; }

#define ONE(name, ...) static void name##_one(void) { __VA_ARGS__; }
#define TWO(name, ...) static void name##_two(void) { __VA_ARGS__; }
/* the environment, by hand too */
ONE(environ_nothing, environ = NULL)                   TWO(environ_nothing, keep(1, getenv("KIND")))
ONE(environ_own, environ = own)                        TWO(environ_own, keep(1, getenv("KIND")))
ONE(environ_entry, environ[0] = "KIND=other")          TWO(environ_entry, keep(1, getenv("KIND")))
ONE(environ_letter, environ[0][0] = 'L')               TWO(environ_letter, keep(1, getenv("KIND")))
ONE(environ_set, environ = own)                        TWO(environ_set, setenv("KIND", "set", 1))
ONE(environ_read, setenv("KIND", "set", 1))            TWO(environ_read, keep(1, environ[0]))
ONE(put_letter, put[0] = 'N')                          TWO(put_letter, numbers[1] = getenv("PUT") != NULL)
ONE(ok_getenv, keep(0, getenv("KIND")))                TWO(ok_getenv, keep(1, getenv("KIND")))
/* the locale, by tables and by functions */
ONE(ctype, setlocale(LC_ALL, ""))                      TWO(ctype, numbers[1] = isalpha(0xe4))
ONE(upper, setlocale(LC_ALL, ""))                      TWO(upper, numbers[1] = toupper(0xe4 + (int)numbers[1]))
ONE(collate, setlocale(LC_ALL, ""))                    TWO(collate, numbers[1] = strcoll(texts[0], path))
ONE(digits, setlocale(LC_ALL, ""))                     TWO(digits, snprintf(texts[1], 20, "%f", 1.5))
ONE(scanned, setlocale(LC_ALL, ""))                    TWO(scanned, numbers[1] = (long)strtod(path, NULL))
ONE(ok_ctype, numbers[0] = isalpha(path[0]))           TWO(ok_ctype, numbers[1] = toupper(path[1]))
/* the time zone */
ONE(zone_set, setenv("TZ", "EST5", 1))                 TWO(zone_set, numbers[1] = hour())
ONE(zone_made, setenv("TZ", "EST5", 1))                TWO(zone_made, struct tm m = broken(); numbers[1] = mktime(&m))
ONE(zone_name, tzset())                                TWO(zone_name, keep(1, tzname[0]))
ONE(zone_seconds, struct tm m = broken(); mktime(&m))  TWO(zone_seconds, numbers[1] = timezone)
ONE(zone_left, time_t t = 9; ctime(&t))                TWO(zone_left, numbers[1] = hour())
ONE(ok_zone, struct tm m = broken(); numbers[0] = mktime(&m))  TWO(ok_zone, numbers[1] = hour())
/* what functions keep */
ONE(state, static char more[64]; initstate(1, more, 64))  TWO(state, numbers[1] = random())
ONE(sign, numbers[0] = (long)lgamma(0.5))              TWO(sign, numbers[1] = (long)lgamma(-0.5))
ONE(sign_read, numbers[0] = (long)lgammaf(-0.5f))      TWO(sign_read, numbers[1] = signgam)
ONE(ok_generators, numbers[0] = rand())                TWO(ok_generators, numbers[1] = lrand48())
ONE(table, tsearch("a", &tree, compare))               TWO(table, void *root = tree; numbers[1] = tfind("a", &root, compare) != NULL)
/* files and descriptors */
ONE(copies, numbers[0] = read(in, texts[0], 2))        TWO(copies, numbers[1] = read(copy, texts[1], 2))
ONE(ok_placed, numbers[0] = pread(in, texts[0], 2, 0)) TWO(ok_placed, numbers[1] = pread(in, texts[1], 2, 1))
ONE(flushed, fflush(writes))                           TWO(flushed, fputs("more", writes))
ONE(size, fputs("more", writes); fflush(writes))       TWO(size, struct stat s; numbers[1] = stat("out.txt", &s) ? 0 : s.st_size)
ONE(read_back, fputs("more", writes); fflush(writes))  TWO(read_back, numbers[1] = pread(in, texts[1], 9, 0))
ONE(cut, creat("data.txt", 0600))                      TWO(cut, numbers[1] = pread(in, texts[1], 9, 0))
ONE(named, path[0] = 'n')                              TWO(named, numbers[1] = open(path, O_RDONLY) < 0)
ONE(waits, numbers[0] = ioctl(in, FIONREAD, &waiting)) TWO(waits, numbers[1] = waiting)
ONE(printed, path[1] = 'x')                            TWO(printed, snprintf(texts[1], 20, "%d %s", 1, path))
ONE(counted, printf("%d%n\n", 5, &waiting))             TWO(counted, numbers[1] = waiting)
ONE(ok_printed, snprintf(texts[0], 20, "%d %s", 1, path)) \
	TWO(ok_printed, snprintf(texts[1], 20, "%d %s", 2, path))
ONE(vectors, vector.iov_len = 2)                       TWO(vectors, numbers[1] = writev(1, &vector, 1))
ONE(stream, stdout = stderr)                           TWO(stream, puts("here"))
ONE(locked, flockfile(reads))                          TWO(locked, numbers[1] = ftrylockfile(reads); if (!numbers[1]) funlockfile(reads))
ONE(timer, numbers[0] = alarm(100))                    TWO(timer, numbers[1] = alarm(200))
ONE(interval, setitimer(ITIMER_VIRTUAL, &(struct itimerval){ { 0, 0 }, { 900, 0 } }, NULL)) \
	TWO(interval, struct itimerval v; numbers[1] = getitimer(ITIMER_VIRTUAL, &v) ? 0 : v.it_value.tv_sec > 0)

#define ALL(X) X(environ_nothing) X(environ_own) X(environ_entry) X(environ_letter) X(environ_set) X(environ_read) X(put_letter) X(ok_getenv) X(ctype) \
	X(upper) X(collate) X(digits) X(scanned) X(ok_ctype) X(zone_set) X(zone_made) X(zone_name) X(zone_seconds) X(zone_left) X(ok_zone) X(state) X(sign) \
	X(sign_read) X(ok_generators) X(table) X(copies) X(ok_placed) X(flushed) X(size) X(read_back) X(cut) X(named) X(waits) X(printed) X(counted) X(ok_printed) X(vectors) X(stream) X(locked) X(timer) \
	X(interval)
static const struct { const char *name; void (*one)(void), (*two)(void); } all[] = {
#define X(name) { #name, name##_one, name##_two },
	ALL(X)
};
static int at;
static void *first(void *unused) { all[at].one(); return unused; }
static void *second(void *unused) { all[at].two(); return unused; }

static void prepare(const char *what)
{
	if (!strcmp(what, "put_letter"))
		putenv(put);
	if (!strcmp(what, "zone_left"))                  /* the zone is made, then the environment says another */
		numbers[0] = hour(), setenv("TZ", "EST5", 1);
	in = open("data.txt", O_RDONLY);
	if (!strcmp(what, "copies"))
		copy = dup(in);
	reads = fopen("data.txt", "r");
	writes = fopen("out.txt", "w");
}

int main(int argc, char **argv)
{
	pthread_t threads[2];
	for (unsigned i = 0; argc < 2 && i < sizeof all / sizeof *all; i++)
		puts(all[i].name);
	if (argc < 2)
		return 0;
	while (strcmp(all[at].name, argv[1]))
		at++;
	prepare(argv[1]);
	pthread_create(&threads[0], NULL, first, NULL);
	pthread_create(&threads[1], NULL, second, NULL);
	pthread_join(threads[0], NULL);
	pthread_join(threads[1], NULL);
	printf("%s %s %ld %ld %d\n", texts[0], texts[1], numbers[0], numbers[1], signgam);
	return 0;
}
