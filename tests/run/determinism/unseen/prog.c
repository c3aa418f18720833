/* Two threads in no certain order, each calls one function.  What main reads in the end hangs on who came last, but for those called `ok-...`. */
#include <fcntl.h>
#include <math.h>
#include <pthread.h>
#include <search.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static struct item { struct item *next, *before; int number; } head, items[2];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static volatile double numbers[2] = { 8, 64 };
static int exponent, results[2], file;
static unsigned short seed[3] = { 1, 2, 3 };
static double drawn[2];
static pthread_key_t keys[2];
static sem_t posted;
static const char *what;

static void first(void) { results[0]++; }
static void second(void) { results[1]++; }

static void *call(void *which)
{
	long me = (long)which;
	int mine;
	if (!strcmp(what, "frexp"))
		frexp(numbers[me], &exponent);
	else if (!strcmp(what, "ok-frexp"))
		results[me] = (frexp(numbers[me], &mine), mine);
	else if (!strcmp(what, "erand48")) {
		pthread_mutex_lock(&lock);
		drawn[me] = erand48(seed);
		pthread_mutex_unlock(&lock);
	} else if (!strcmp(what, "lcong48") && me) {
		unsigned short own[3] = { 1, 2, 3 };
		drawn[me] = erand48(own);                /* by the multiplier all of them share */
	} else if (!strcmp(what, "lcong48")) {
		unsigned short all[7] = { 1, 2, 3, 4, 5, 6, 7 };
		lcong48(all);
	} else if (!strcmp(what, "insque")) {
		pthread_mutex_lock(&lock);
		insque(&items[me], &head);
		pthread_mutex_unlock(&lock);
	} else if (!strcmp(what, "open"))
		results[me] = open("/dev/null", O_RDONLY);
	else if (!strcmp(what, "access") && me)
		results[me] = access("made", F_OK);
	else if (!strcmp(what, "access"))
		results[me] = mkdir("made", 0700);
	else if (!strcmp(what, "lseek") && me)
		lseek(file, 0, SEEK_SET);
	else if (!strcmp(what, "lseek"))
		results[me] = (int)read(file, drawn, 4);
	else if (!strcmp(what, "key"))
		pthread_key_create(&keys[me], NULL);
	else if (!strcmp(what, "atexit"))
		atexit(me ? second : first);
	else if (!strcmp(what, "value") && me)
		sem_getvalue(&posted, &results[me]);
	else if (!strcmp(what, "value"))
		sem_post(&posted);
	else if (!strcmp(what, "pointer")) {
		double (*volatile function)(double, int *) = frexp;
		function(numbers[me], &exponent);
	}
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t threads[2];
	what = argc > 1 ? argv[1] : "";
	file = open(argv[0], O_RDONLY);
	sem_init(&posted, 0, 0);
	for (long i = 0; i < 2; i++) {
		items[i].number = (int)i;
		pthread_create(&threads[i], NULL, call, (void *)i);
	}
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	frexp(numbers[0], &exponent);           /* nobody else is there */
	printf("%d\n", exponent + results[0] + results[1] + (head.next ? head.next->number : 0) + (drawn[0] < drawn[1]));
	return 0;
}
