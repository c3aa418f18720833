/* Built once for each way.  x is written behind a question about a flag.  In the recorded run only thread one answers it, behind its own x; in another order a third thread does: what it
 * writes there, or whether, or where, then is another one. */
#define _GNU_SOURCE
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER, tried = PTHREAD_MUTEX_INITIALIZER;
static sem_t posts;
int flags[4], where = 1, other, go, stop, x;
static char text[8] = "0";
static volatile int mine;

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

static int get_both(void)
{
	pthread_mutex_lock(&lock);
	int is = go & stop;
	pthread_mutex_unlock(&lock);
	return is;
}

static __attribute__((noinline)) void say(void) { set(&flags[0], 1); }

static void *fills(void *unused) { x = 5; set(&flags[0], 1); return unused; }
static void *fills_and_says(void *unused) { x = 5; say(); return unused; }
static void *asks(void *unused) { if (get(&flags[0])) x = 6; return unused; }

static void *fills_in_rounds(void *unused)
{
	for (int i = 0; i < 2; i++) {
		int both = get_both();
		set(both | i ? &flags[0] : &other, 1);
		if (!i)
			x = 5;
	}
	return unused;
}

static void *tries(void *unused)
{
	int answer = pthread_mutex_trylock(&tried);
	set(&flags[0], answer);
	if (!answer)
		pthread_mutex_unlock(&tried);
	return unused;
}

static void *holds(void *unused)
{
	pthread_mutex_lock(&tried);
	get(&other);
	pthread_mutex_unlock(&tried);
	return unused;
}

static void *counts_posts(void *unused)
{
	int value;
	sem_getvalue(&posts, &value);
	set(&flags[0], value);
	return unused;
}

static void *posts_one(void *unused) { sem_post(&posts); return unused; }

static void *reads_text(void *unused)
{
	pthread_mutex_lock(&lock);
	int is = atoi(text);
	pthread_mutex_unlock(&lock);
	set(&flags[0], is);
	return unused;
}

static void *writes_text(void *unused)
{
	pthread_mutex_lock(&lock);
	strcpy(text, "1");
	pthread_mutex_unlock(&lock);
	return unused;
}

static void *returns(void *unused) { (void)unused; return (void *)(long)get(&go); }

static void *joins(void *unused)
{
	pthread_t thread;
	void *is;
	pthread_create(&thread, NULL, returns, NULL);
	pthread_join(thread, &is);
	set(&flags[0], (int)(long)is);
	return unused;
}

static void *keeps(void *unused) { mine = get(&go); set(&flags[0], mine); return unused; }
static void *at_an_index(void *unused) { set(&flags[get(&where)], 1); return unused; }
static void *behind_two(void *unused) { if (get_both()) set(&flags[0], 1); return unused; }
static void *fills_behind_two(void *unused)
{
	if (!get_both())
		return unused;
	pthread_mutex_lock(&lock);
	memset(&flags[0], 1, sizeof flags[0]);
	pthread_mutex_unlock(&lock);
	return unused;
}
static void *says_behind_two(void *unused) { if (get_both()) say(); return unused; }
static void *sets_go(void *unused) { set(&go, 1); return unused; }
static void *sets_both(void *unused) { set(&go, 1); set(&stop, 1); return unused; }
static void *sets_where(void *unused) { set(&where, 0); return unused; }
static void *nothing(void *unused) { return unused; }

#ifndef WAY
#define WAY fills, tries, holds
#endif

static void make(pthread_t threads[4], void *one(void *), void *three(void *), void *four(void *))
{
	pthread_create(&threads[0], NULL, one, NULL);
	pthread_create(&threads[1], NULL, asks, NULL);
	pthread_create(&threads[2], NULL, three, NULL);
	pthread_create(&threads[3], NULL, four, NULL);
}

int main(void)
{
	pthread_t threads[4];
	sem_init(&posts, 0, 0);
	make(threads, WAY);
	for (int i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
