/* Data that a spin lock, a once, a recursive mutex and a release of a spin lock protect: safe under every model, though these calls leave stores in the buffer. */
#include <assert.h>
#include <pthread.h>

static pthread_spinlock_t spin;
static pthread_mutex_t again;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static int count, flag, data, made, inner;

static void make(void) { made = 42; }

static void *work(void *unused)
{
	pthread_spin_lock(&spin);
	count++;
	pthread_spin_unlock(&spin);
	pthread_once(&once, make);
	assert(made == 42);
	pthread_mutex_lock(&again);
	pthread_mutex_lock(&again);
	inner++;
	pthread_mutex_unlock(&again);
	inner++;
	pthread_mutex_unlock(&again);
	return unused;
}

static void *writer(void *unused)
{
	pthread_spin_lock(&spin);
	data = 1;
	flag = 1;
	pthread_spin_unlock(&spin);
	return work(unused);
}

static void *reader(void *unused)
{
	pthread_spin_lock(&spin);
	if (flag)
		assert(data == 1);
	pthread_spin_unlock(&spin);
	return work(unused);
}

int main(void)
{
	static pthread_mutexattr_t attr;
	pthread_t a, b;
	pthread_mutexattr_init(&attr);
	pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_RECURSIVE);
	pthread_mutex_init(&again, &attr);
	pthread_spin_init(&spin, 0);
	pthread_create(&a, NULL, writer, NULL);
	pthread_create(&b, NULL, reader, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	assert(count == 2 && inner == 4);
	return 0;
}
