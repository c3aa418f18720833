/* x is written behind a question with several answers, or one that is put in several steps.  Where the third thread does nothing, only what thread one writes behind its own x answers it
 * so; where it says two there is a race. */
#include <pthread.h>
#include <stdbool.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int state, x;
static struct { long before; int state; } *box, boxes[2];

static void *fills(void *unused)
{
	x = 5;
	pthread_mutex_lock(&lock);
	state = 1;
	box->state = 1;
	pthread_mutex_unlock(&lock);
	return unused;
}

static void *as_a_truth(void *unused)
{
	pthread_mutex_lock(&lock);
	bool go = state == 1 || state == 2;
	pthread_mutex_unlock(&lock);
	if (go)
		x++;
	return unused;
}

static void *as_it_stands(void *unused)
{
	pthread_mutex_lock(&lock);
	if (state == 1 || state == 2)
		x++;
	pthread_mutex_unlock(&lock);
	return unused;
}

static void *by_a_switch(void *unused)
{
	pthread_mutex_lock(&lock);
	int is = state;
	pthread_mutex_unlock(&lock);
	switch (is) {
	case 0: return unused;
	case 1: case 2: x++; break;
	default: return NULL;
	}
	return unused;
}

static void *by_a_choice(void *unused)
{
	pthread_mutex_lock(&lock);
	int is = state;
	pthread_mutex_unlock(&lock);
	int go = is > 0 ? is < 3 : 0;
	if (!go)
		return unused;
	x++;
	return unused;
}

static void *in_steps(void *unused)
{
	pthread_mutex_lock(&lock);
	int is = state;
	pthread_mutex_unlock(&lock);
	if (is == 1)
		goto in;
	if (is == 2)
		goto in;
	return unused;
in:
	x++;
	return unused;
}

static void *of_a_field(void *unused)
{
	pthread_mutex_lock(&lock);
	bool go = box->state == 1 || box->state == 2;
	pthread_mutex_unlock(&lock);
	if (go)
		x++;
	return unused;
}

static void *nothing(void *unused) { return unused; }

static void *says_two(void *unused)
{
	pthread_mutex_lock(&lock);
	state = 2;
	box->state = 2;
	pthread_mutex_unlock(&lock);
	return unused;
}

typedef void *routine(void *);
static const struct { const char *name; routine *asks; } ways[] = {
	{ "truth", as_a_truth }, { "stands", as_it_stands }, { "switch", by_a_switch }, { "choice", by_a_choice }, { "steps", in_steps }, { "field", of_a_field },
};

int main(int argc, char **argv)
{
	pthread_t threads[3];
	size_t way = 0;
	box = boxes;
	while (argc > 1 && way + 1 < sizeof ways / sizeof *ways && strcmp(argv[1], ways[way].name))
		way++;
	pthread_create(&threads[0], NULL, fills, NULL);
	pthread_create(&threads[1], NULL, ways[way].asks, NULL);
	pthread_create(&threads[2], NULL, argc > 2 ? says_two : nothing, NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
