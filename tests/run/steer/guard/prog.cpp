/* A static local is made once, by either thread; the other waits.  The first initialiser to run throws: it is run again, by
 * the same thread when it tries again or by the other one. */
#include <atomic>
#include <cstdio>
#include <pthread.h>

static std::atomic<int> made;

static int make()
{
	if (made++ == 0)
		throw 1;
	return 7;
}

static int value()
{
	static int v = make();
	return v;
}

static std::atomic<char> thrown_to;
static std::atomic<int> sum;

static void *go(void *name)
{
	for (;;) {
		try {
			sum += value();
			return nullptr;
		} catch (int) {
			thrown_to = *static_cast<const char *>(name);
		}
	}
}

int main()
{
	pthread_t t;
	static char a = 'a', b = 'b';
	pthread_create(&t, nullptr, go, &b);
	go(&a);
	pthread_join(t, nullptr);
	std::printf("made %d times, value %d, thrown to %c\n", made.load(), sum.load() / 2, thrown_to.load());
}
