/* Updates of shared integers by three threads; which ones is the argument.  What main prints is read when all are joined. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static pthread_mutex_t one = PTHREAD_MUTEX_INITIALIZER, other = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t shared = PTHREAD_RWLOCK_INITIALIZER;
static int counter, data, flags = -1;
static _Atomic int atomic;
static _Atomic unsigned highest;
static union { uint32_t all; uint16_t half[2]; uint8_t byte[4]; } parts;
static double sum;
static int seen[4], table[16];
static const char *how;

static int is(const char *name) { return !strcmp(how, name); }

__attribute__((noinline)) static void saturate(int *at) { *at = *at > 100 ? 127 : *at + 40; }
__attribute__((noinline)) static void twice(int *at) { *at = *at + *at; }
__attribute__((noinline)) static void from(int *at, int n) { *at = n - *at; }
__attribute__((noinline)) static int next(int *at) { return ++*at; }
__attribute__((noinline)) static void leave(int *at) { int was = *at; pthread_mutex_unlock(&one); pthread_mutex_lock(&one); *at = was + 1; }
__attribute__((noinline)) static void two_steps(int *at) { int was = *at; *(volatile int *)at = 7; *at = was + 1; }

static void locked(long n)
{
	pthread_mutex_lock(&one);
	if (is("add")) counter += (int)n;
	if (is("subtract")) counter -= (int)n;
	if (is("bits")) flags &= ~(1 << n);
	if (is("table")) table[n % 2]++, table[2 + n % 3] += 5;
	if (is("loop")) for (int i = 0; i < 4; i++) counter += i;
	if (is("bytes")) parts.byte[1] += (uint8_t)n;
	if (is("add-multiply") && n) counter = counter * 3; else if (is("add-multiply")) counter += 1;
	if (is("saturating")) saturate(&counter);
	if (is("doubled")) twice(&counter);
	if (is("taken-from")) from(&counter, (int)n);
	if (is("next")) seen[n] = next(&counter);
	if (is("overlap") && n) parts.half[0] += 200; else if (is("overlap")) parts.byte[0] += 100;
	if (is("float")) sum += 0.1 * (double)(n + 1);
	if (is("left")) leave(&counter);
	if (is("two-steps")) two_steps(&counter);
	if (is("read-between") && n == 2) seen[n] = counter; else if (is("read-between")) counter++;
	if (is("branched") && ++counter == 2) seen[0] = (int)n + 1;
	if (is("address")) seen[counter++ & 3] = (int)n;
	if (is("mixed-atomic") && n) counter++;
	pthread_mutex_unlock(&one);
	if (is("mixed-atomic") && !n) __atomic_fetch_add(&counter, 1, __ATOMIC_SEQ_CST);
}

static void unlocked(long n)
{
	if (is("two-locks")) {
		pthread_mutex_t *lock = n ? &one : &other;
		pthread_mutex_lock(lock);
		counter++;
		pthread_mutex_unlock(lock);
	}
	if (is("for-reading")) {
		pthread_rwlock_rdlock(&shared);
		counter++;
		pthread_rwlock_unlock(&shared);
	}
	if (is("for-writing")) {
		pthread_rwlock_wrlock(&shared);
		counter++;
		pthread_rwlock_unlock(&shared);
	}
	if (is("bare")) counter++;
	if (is("atomic")) atomic += (int)n, atomic_fetch_sub_explicit(&atomic, 3, memory_order_relaxed);
	if (is("atomic-kept")) seen[n] = atomic++;
	if (is("exchanged")) atomic_exchange(&atomic, (int)n);
	if (is("atomic-xor-or") && n) atomic_fetch_xor(&atomic, 5); else if (is("atomic-xor-or")) atomic_fetch_or(&atomic, 3);
	if (is("handed-on") && !n) data = 1, atomic_fetch_add(&atomic, 1);
	if (is("handed-on") && n == 1) atomic_fetch_add(&atomic, 1), seen[1] = data;
	if (is("fence") && !n) data = 1, atomic_fetch_add(&atomic, 1);
	if (is("fence") && n == 1) {
		atomic_fetch_add_explicit(&atomic, 1, memory_order_relaxed);
		atomic_thread_fence(memory_order_acquire);
		seen[1] = data;
	}
}

static void *work(void *number)
{
	locked((long)number);
	unlocked((long)number);
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t id[3];
	how = argc > 1 ? argv[1] : "add";
	for (long i = 0; i < 3; i++)
		pthread_create(&id[i], NULL, work, (void *)i);
	for (int i = 0; i < 3; i++)
		pthread_join(id[i], NULL);
	counter += 10;                  /* nobody else is there, so no lock is needed */
	printf("%d %d %d %u %g %d %d %d %d %d\n", counter, flags, atomic, parts.all, sum, seen[0], seen[1], seen[2], seen[3], data + table[0] + (int)highest);
	return 0;
}
