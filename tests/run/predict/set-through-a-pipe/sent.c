/* The reader looks at 'data' only if 'job' is ready, which its writer says behind the write: no race, as far as the recording shows.  But if the late
 * thread finds things otherwise, it sends TO to the worker, which makes that one ready: of 'job', before 'data' is there. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

struct job { int ready; };
struct order { int number; struct job *job; };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct job job, other;
static int gone, extra, data, ends[2], watch;

#ifdef BY_STREAM
static FILE *in, *out;
static void prepare(void) { if (pipe(ends) || !(in = fdopen(ends[0], "r")) || !(out = fdopen(ends[1], "w"))) abort(); }
static void hand(struct job *j) { if (fwrite(&j, sizeof j, 1, out) != 1 || fflush(out)) abort(); }
static struct job *take(void) { struct job *j; if (fread(&j, sizeof j, 1, in) != 1) abort(); return j; }
#elif defined BY_WRITEV
static void prepare(void) { if (pipe(ends)) abort(); }
static void hand(struct job *j) { struct iovec part = { &j, sizeof j }; if (writev(ends[1], &part, 1) != sizeof j) abort(); }
static struct job *take(void) { struct job *j; if (read(ends[0], &j, sizeof j) != sizeof j) abort(); return j; }
#elif defined BY_BLOCK
static void prepare(void) { if (pipe(ends)) abort(); }
static void hand(struct job *j) { struct order o = { 1, j }; if (write(ends[1], &o, sizeof o) != sizeof o) abort(); }
static struct job *take(void) { struct order o; if (read(ends[0], &o, sizeof o) != sizeof o) abort(); return o.job; }
#elif defined BY_SOCKET
static void prepare(void) { if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends)) abort(); }
static void hand(struct job *j) { if (send(ends[1], &j, sizeof j, 0) != sizeof j) abort(); }
static struct job *take(void) { struct job *j; if (recv(ends[0], &j, sizeof j, 0) != sizeof j) abort(); return j; }
#elif defined BY_EPOLL
static void prepare(void) { if ((watch = epoll_create1(0)) < 0) abort(); }
static void hand(struct job *j)
{
	struct epoll_event wanted = { .events = EPOLLIN, .data.ptr = j };
	int fd = eventfd(1, 0);
	if (fd < 0 || epoll_ctl(watch, EPOLL_CTL_ADD, fd, &wanted)) abort();
}
static struct job *take(void) { struct epoll_event came[1]; if (epoll_wait(watch, came, 1, -1) != 1) abort(); return came[0].data.ptr; }
#elif defined BY_NUMBER
static void prepare(void) { if ((ends[0] = eventfd(0, 0)) < 0) abort(); }
static void hand(struct job *j) { if (eventfd_write(ends[0], j ? (uintptr_t)j : 1)) abort(); }
static struct job *take(void) { eventfd_t v; if (eventfd_read(ends[0], &v)) abort(); return v == 1 ? NULL : (struct job *)v; }
#else
static void prepare(void) { int made = pipe(ends); (void)made; }        /* nothing asks about it: what is behind such a question is not known to be in every run */
static void hand(struct job *j) { if (write(ends[1], &j, sizeof j) != sizeof j) abort(); }
static struct job *take(void) { struct job *j; if (read(ends[0], &j, sizeof j) != sizeof j) abort(); return j; }
#endif

static void *worker(void *none)
{
	for (struct job *j; (j = take());) {
		pthread_mutex_lock(&lock);
		j->ready = 1;
		pthread_mutex_unlock(&lock);
	}
	return none;
}

static void *writer(void *none)
{
	data = 1;
	pthread_mutex_lock(&lock);
	job.ready = 1;
	gone = 1;
	pthread_mutex_unlock(&lock);
	return none;
}

static void *reader(void *none)
{
	pthread_mutex_lock(&lock);
	int ready = job.ready;
	pthread_mutex_unlock(&lock);
	if (ready && data != 1)
		puts("too early");
	return none;
}

static void *late(void *none)
{
	usleep(30000);
	pthread_mutex_lock(&lock);
	int sends = !gone && extra;
	pthread_mutex_unlock(&lock);
	if (sends)
		hand(&TO);
	return none;
}

static void *asks(void *none)
{
	usleep(60000);
	pthread_mutex_lock(&lock);
	extra = 1;
	pthread_mutex_unlock(&lock);
	return none;
}

int main(void)
{
	static void *(*const does[])(void *) = { writer, reader, late, asks, worker };
	pthread_t threads[5];
	prepare();
	for (int i = 0; i < 5; i++)
		pthread_create(&threads[i], NULL, does[i], NULL);
	for (int i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
	hand(NULL);
	pthread_join(threads[4], NULL);
	printf("%d\n", data);
	return 0;
}
