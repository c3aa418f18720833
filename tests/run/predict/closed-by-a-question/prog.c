/* x is written behind a question about a flag, or a pointer.  In the first five ways only what thread one writes behind its own x answers it so; in the last four
 * somebody else does, too, and there is a race. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int flag, other, x;
static int *slot;

static void set(int *which, int to)
{
	pthread_mutex_lock(&lock);
	*which = to;
	pthread_mutex_unlock(&lock);
}

static int get(const int *which)
{
	pthread_mutex_lock(&lock);
	int is = *which;
	pthread_mutex_unlock(&lock);
	return is;
}

static void count(int *which)
{
	pthread_mutex_lock(&lock);
	++*which;
	pthread_mutex_unlock(&lock);
}

static void put(int *pointer)
{
	pthread_mutex_lock(&lock);
	slot = pointer;
	pthread_mutex_unlock(&lock);
}

static int *take(void)
{
	pthread_mutex_lock(&lock);
	int *pointer = slot;
	pthread_mutex_unlock(&lock);
	return pointer;
}

static void *fills_and_says(void *unused) { x = 5; set(&flag, 1); return unused; }
static void *fills_and_counts(void *unused) { x = 5; count(&flag); return unused; }
static void *fills_and_puts(void *unused) { x = 5; put(&other); return unused; }
static void *asks_for_one(void *unused) { if (get(&flag) == 1) x++; return unused; }
static void *asks_for_more(void *unused) { if (get(&flag) > 0) x++; return unused; }
static void *asks_for_both(void *unused) { if (get(&flag) == 1 && get(&other) != 1) x++; return unused; }
static void *asks_twice(void *unused) { for (int i = 0; i < 2; i++) if (get(&flag)) x++; return unused; }
static void *asks_for_pointer(void *unused) { if (take()) x++; return unused; }
static void *takes_back(void *unused) { set(&flag, 0); return unused; }
static void *says_too(void *unused) { set(&flag, 1); return unused; }
static void *counts_too(void *unused) { count(&flag); return unused; }
static void *copies(void *unused) { set(&other, 1); set(&flag, get(&other)); return unused; }
static void *puts_too(void *unused) { put(&flag); return unused; }
static void *nothing(void *unused) { return unused; }

typedef void *routine(void *);
static const struct { const char *name; routine *one, *two, *three; } ways[] = {
	{ "equal", fills_and_says, asks_for_one, nothing },
	{ "back", fills_and_says, asks_for_more, takes_back },
	{ "both", fills_and_says, asks_for_both, takes_back },
	{ "count", fills_and_counts, asks_for_one, takes_back },
	{ "pointer", fills_and_puts, asks_for_pointer, nothing },
	{ "too", fills_and_says, asks_for_one, says_too },
	{ "counts-too", fills_and_counts, asks_twice, counts_too },
	{ "copies", fills_and_says, asks_for_more, copies },
	{ "puts-too", fills_and_puts, asks_for_pointer, puts_too },
};

int main(int argc, char **argv)
{
	pthread_t threads[3];
	size_t way = 0;
	while (argc > 1 && way + 1 < sizeof ways / sizeof *ways && strcmp(argv[1], ways[way].name))
		way++;
	pthread_create(&threads[0], NULL, ways[way].one, NULL);
	pthread_create(&threads[1], NULL, ways[way].two, NULL);
	pthread_create(&threads[2], NULL, ways[way].three, NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
