/* tests/check/varied.h -- what the programs of varied.c are written in: the same words for C and C++. */
#ifndef RADDLE_TESTS_CHECK_VARIED_H
#define RADDLE_TESTS_CHECK_VARIED_H
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* So large that nobody but the library copies it: the compiler does not know it. */
static volatile size_t whole;

/* What was read has been read: the compiler may not take that away. */
#define KEEP(r) do { volatile int kept_ = (r); (void)kept_; } while (0)

#ifdef __cplusplus
#include <atomic>
#include <mutex>
#include <thread>
typedef std::atomic<int> word_t;
#define STORE(x, v, order)  (x).store(v, std::memory_order_##order)
#define LOAD(x)             (x).load(std::memory_order_relaxed)
#define ADD(x, v)           (x).fetch_add(v)
#define SWAP(x, v)          (x).exchange(v)
#define CAS(x, was, v)      (x).compare_exchange_strong(was, v)
#define FENCE(order)        std::atomic_thread_fence(std::memory_order_##order)
#define MUTEX(l)            static std::mutex l
#define LOCK(l)             (l).lock()
#define UNLOCK(l)           (l).unlock()
#define TRYLOCK(l)          (l).try_lock()
#define ONCE(o)             static std::once_flag o
#define DO_ONCE(o, what)    std::call_once(o, what)
#define THREAD(name)        static void name(void)
#define END_THREAD          return
#define NEW(type)           new type()
#define GONE(p)             delete (p)
static inline void run_all(int count, void (*const *body)(void))
{
	std::thread t[8];
	for (int i = 0; i < count; i++)
		t[i] = std::thread(body[i]);
	for (int i = 0; i < count; i++)
		t[i].join();
}
#define RUN(...) do { void (*const all_[])(void) = { __VA_ARGS__ }; run_all((int)(sizeof all_ / sizeof *all_), all_); } while (0)
#else
#include <stdatomic.h>
typedef atomic_int word_t;
#define STORE(x, v, order)  atomic_store_explicit(&(x), v, memory_order_##order)
#define LOAD(x)             atomic_load_explicit(&(x), memory_order_relaxed)
#define ADD(x, v)           atomic_fetch_add(&(x), v)
#define SWAP(x, v)          atomic_exchange(&(x), v)
#define CAS(x, was, v)      atomic_compare_exchange_strong(&(x), &(was), v)
#define FENCE(order)        atomic_thread_fence(memory_order_##order)
#define MUTEX(l)            static pthread_mutex_t l = PTHREAD_MUTEX_INITIALIZER
#define LOCK(l)             pthread_mutex_lock(&(l))
#define UNLOCK(l)           pthread_mutex_unlock(&(l))
#define TRYLOCK(l)          (pthread_mutex_trylock(&(l)) == 0)
#define ONCE(o)             static pthread_once_t o = PTHREAD_ONCE_INIT
#define DO_ONCE(o, what)    pthread_once(&(o), what)
#define THREAD(name)        static void *name(void *nothing)
#define END_THREAD          return nothing
#define NEW(type)           ((type *)calloc(1, sizeof(type)))
#define GONE(p)             free(p)
static inline void run_all(int count, void *(*const *body)(void *))
{
	pthread_t t[8];
	for (int i = 0; i < count; i++)
		pthread_create(&t[i], NULL, body[i], NULL);
	for (int i = 0; i < count; i++)
		pthread_join(t[i], NULL);
}
#define RUN(...) do { void *(*const all_[])(void *) = { __VA_ARGS__ }; run_all((int)(sizeof all_ / sizeof *all_), all_); } while (0)
#endif
#endif
