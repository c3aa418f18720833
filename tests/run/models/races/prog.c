/* Races of runs in which stores wait.  Who writes `data` hands it over by `flag`, in the way the argument says; who reads it has seen
 * what it waited for, by the same way.  Prints what `flag` was. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

static int data, seen;
static atomic_int flag;
static const char *how;

static int is(const char *word)
{
	return strcmp(how, word) == 0;
}

static void *writer(void *nothing)
{
	data = 42;
	if (is("fences"))
		atomic_thread_fence(memory_order_release);
	if (is("relaxed") || is("fences"))
		atomic_store_explicit(&flag, 1, memory_order_relaxed);
	else if (is("added"))
		atomic_fetch_add_explicit(&flag, 1, memory_order_release);
	else
		atomic_store_explicit(&flag, 1, memory_order_release);
	if (is("sequence"))                             /* of the same thread: what it read is still what was released */
		atomic_store_explicit(&flag, 3, memory_order_relaxed);
	return nothing;
}

static void *reader(void *nothing)
{
	if (is("own"))
		atomic_store_explicit(&flag, 2, memory_order_relaxed);
	if (is("fences")) {
		seen = atomic_load_explicit(&flag, memory_order_relaxed);
		atomic_thread_fence(memory_order_acquire);
	} else {
		seen = atomic_load_explicit(&flag, memory_order_acquire);
	}
	if (seen)
		data++;
	return nothing;
}

int main(int argc, char **argv)
{
	pthread_t a, b;
	how = argc > 1 ? argv[1] : "";
	pthread_create(&a, NULL, writer, NULL);
	pthread_create(&b, NULL, reader, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	printf("%d", seen);
	return 0;
}
