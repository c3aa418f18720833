/* Stacks the program brings itself, as small as they may be: its frames lie there, the runtime's do not.  They are unmapped when their threads have ended. */
#define _GNU_SOURCE
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

struct stack { char *low; size_t size; };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int sum, outside, cleaned;

static pthread_t make(void *(*run)(void *), struct stack *s)
{
	pthread_attr_t attr;
	pthread_t t;
	s->low = mmap(NULL, s->size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	pthread_attr_init(&attr);
	if (pthread_attr_setstack(&attr, s->low, s->size) || pthread_create(&t, &attr, run, s))
		exit(2);
	pthread_attr_destroy(&attr);
	return t;
}

static void look(const struct stack *s)
{
	char here;
	pthread_attr_t attr;
	void *low;
	size_t size;
	if (pthread_getattr_np(pthread_self(), &attr) || pthread_attr_getstack(&attr, &low, &size))
		exit(2);
	pthread_attr_destroy(&attr);
	pthread_mutex_lock(&lock);
	outside += &here < s->low || &here >= s->low + s->size || (char *)low != s->low || size != s->size;
	sum++;
	pthread_mutex_unlock(&lock);
}

static void *leaf(void *stack)
{
	look(stack);
	return stack;
}

static void clean(void *unused)
{
	(void)unused;
	pthread_mutex_lock(&lock);
	cleaned++;
	pthread_mutex_unlock(&lock);
}

/* A good part of the least stack is its own. */
static void *node(void *stack)
{
	char room[PTHREAD_STACK_MIN / 8], *all = room;
	struct stack s = { .size = PTHREAD_STACK_MIN };
	memset(all, 1, sizeof room);
	look(stack);
	void *value;
	pthread_join(make(leaf, &s), &value);
	munmap(s.low, s.size);
	free(malloc(100));
	usleep(1);
	pthread_cleanup_push(clean, NULL);
	if (value == &s && all[sizeof room - 1] == 1)
		pthread_exit(stack);
	pthread_cleanup_pop(0);
	return NULL;
}

int main(void)
{
	struct stack a = { .size = PTHREAD_STACK_MIN }, b = { .size = 64 << 10 };
	pthread_t t = make(node, &a), u = make(node, &b);
	void *value;
	pthread_join(t, &value);
	int wrong = value != &a;
	pthread_join(u, &value);
	wrong += value != &b;
	munmap(a.low, a.size);
	munmap(b.low, b.size);
	printf("%d seen, %d outside, %d cleaned, %d wrong\n", sum, outside, cleaned, wrong);
	return 0;
}
