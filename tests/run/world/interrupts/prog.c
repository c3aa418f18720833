/* A handler runs while the first thread waits in a call: does the call go on?  As signal(7) says it, without SA_RESTART and with; one with a time limit
 * is never begun again. */
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static pthread_t first;
static volatile sig_atomic_t handled;
static sem_t sem;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int empty[2], full[2], pair[2], set, listener, word, done;

static void on_first(int number) { (void)number; handled++; }
static void on_second(int number) { (void)number; }

static void nap(long ms)
{
	struct timespec t = { 0, ms * 1000000 };
	nanosleep(&t, NULL);
}

/* The signal; after a while what the first thread waits for; after another, for pause, a signal of another kind. */
static void *wake(void *unused)
{
	char room[65536];
	struct sockaddr_un address;
	socklen_t length = sizeof address;
	nap(50);
	pthread_kill(first, SIGUSR1);
	nap(200);
	sem_post(&sem);
	if (write(empty[1], "x", 1) < 0 || write(pair[1], "x", 1) < 0 || read(full[0], room, sizeof room) < 0)
		abort();
	word = 1;
	syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
	getsockname(listener, (struct sockaddr *)&address, &length);
	connect(socket(AF_UNIX, SOCK_STREAM, 0), (struct sockaddr *)&address, length);
	pthread_mutex_lock(&lock);
	done = 1;
	pthread_cond_signal(&changed);
	pthread_mutex_unlock(&lock);
	nap(100);
	pthread_kill(first, SIGUSR2);
	return unused;
}

static void set_up(void)
{
	static const char page[4096];
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	struct epoll_event event = { .events = EPOLLIN };
	handled = word = done = 0;
	sem_init(&sem, 0, 0);
	if (pipe(empty) || pipe(full) || socketpair(AF_UNIX, SOCK_STREAM, 0, pair))
		abort();
	fcntl(full[1], F_SETFL, O_NONBLOCK);
	while (write(full[1], page, sizeof page) > 0)
		;
	fcntl(full[1], F_SETFL, 0);
	set = epoll_create1(0);
	epoll_ctl(set, EPOLL_CTL_ADD, empty[0], &event);
	listener = socket(AF_UNIX, SOCK_STREAM, 0);
	bind(listener, (struct sockaddr *)&address, sizeof(sa_family_t));
	listen(listener, 5);
}

static void tear_down(void)
{
	int fds[] = { empty[0], empty[1], full[0], full[1], pair[0], pair[1], set, listener };
	for (size_t i = 0; i < sizeof fds / sizeof *fds; i++)
		close(fds[i]);
}

#define TRY(name, call) do { \
	pthread_t t; \
	set_up(); \
	pthread_create(&t, NULL, wake, NULL); \
	long result = (call); \
	int error = result < 0 ? errno : 0; \
	pthread_join(t, NULL); \
	printf("  %s: %s, handler %d\n", name, error ? strerrorname_np(error) : "went on", handled); \
	tear_down(); \
} while (0)

static long wait_changed(void)
{
	pthread_mutex_lock(&lock);
	while (!done)
		pthread_cond_wait(&changed, &lock);
	pthread_mutex_unlock(&lock);
	return 0;
}

static long wait_readable(void)
{
	fd_set wanted;
	FD_ZERO(&wanted);
	FD_SET(empty[0], &wanted);
	return select(empty[0] + 1, &wanted, NULL, NULL, NULL);
}

static long wait_until(void)
{
	struct timespec t;
	clock_gettime(CLOCK_REALTIME, &t);
	t.tv_sec += 5;
	return sem_timedwait(&sem, &t);
}

static long wait_signal(void)
{
	sigset_t wanted;
	sigemptyset(&wanted);
	sigaddset(&wanted, SIGURG);
	return sigtimedwait(&wanted, NULL, &(struct timespec){ 0, 300000000 });
}

static long wait_child(void)
{
	pid_t child = fork();
	if (!child) {                           /* it ends when wake() writes, however long that takes */
		char byte;
		_exit(read(empty[0], &byte, 1) != 1);
	}
	long result = waitpid(child, NULL, 0);
	int error = errno;
	if (result < 0)
		waitpid(child, NULL, 0);
	errno = error;
	return result;
}

static void try_all(void)
{
	char byte = 0;
	struct timespec span = { 0, 300000000 }, left;
	struct epoll_event event;
	TRY("read", read(empty[0], &byte, 1));
	TRY("recv", recv(pair[0], &byte, 1, 0));
	TRY("write", write(full[1], &byte, 1));
	TRY("accept", accept(listener, NULL, NULL));
	TRY("poll", poll(&(struct pollfd){ empty[0], POLLIN, 0 }, 1, -1));
	TRY("poll of nothing", poll(NULL, 0, 300));
	TRY("select", wait_readable());
	TRY("epoll_wait", epoll_wait(set, &event, 1, -1));
	TRY("nanosleep", nanosleep(&span, &left));
	TRY("usleep", usleep(300000));
	TRY("clock_nanosleep", -(errno = clock_nanosleep(CLOCK_MONOTONIC, 0, &span, &left)));
	TRY("sem_wait", sem_wait(&sem));
	TRY("sem_timedwait", wait_until());
	TRY("pthread_cond_wait", wait_changed());
	TRY("futex", syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, NULL, NULL, 0));
	TRY("pause", pause());
	TRY("sigtimedwait", wait_signal());
	TRY("waitpid", wait_child());
}

int main(void)
{
	first = pthread_self();
	sigaction(SIGUSR2, &(struct sigaction){ .sa_handler = on_second, .sa_flags = SA_RESTART }, NULL);
	for (int restart = 0; restart < 2; restart++) {
		puts(restart ? "SA_RESTART" : "without");
		sigaction(SIGUSR1, &(struct sigaction){ .sa_handler = on_first, .sa_flags = restart ? SA_RESTART : 0 }, NULL);
		try_all();
	}
	return 0;
}
