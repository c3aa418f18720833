/* Timers of every kind, hours apart: on virtual time they come at once, in the order and number they should. */
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

static volatile sig_atomic_t alarms, timed, value;
static time_t began;

static long hours(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (now.tv_sec - began + 1800) / 3600;
}

static void on_alarm(int number) { (void)number; alarms++; }

static void on_timer(int number, siginfo_t *info, void *unused)
{
	(void)number, (void)unused;
	timed++;
	value = info->si_code == SI_TIMER ? info->si_value.sival_int : -1;
}

static void by_alarm(void)
{
	alarm(3600);
	unsigned before = alarm(7200);
	int result = pause();
	printf("alarm: %u s were left, pause %d %s, %d came, hour %ld\n", before, result, errno == EINTR ? "EINTR" : "?", alarms, hours());
	struct itimerval each = { .it_interval.tv_sec = 3600, .it_value.tv_sec = 3600 }, old;
	setitimer(ITIMER_REAL, &each, NULL);
	for (int i = 0; i < 3; i++)
		pause();
	setitimer(ITIMER_REAL, &(struct itimerval){ 0 }, &old);
	printf("setitimer: %d came, hour %ld, every %ld s\n", alarms - 1, hours(), (long)old.it_interval.tv_sec);
}

static void by_timer(void)
{
	timer_t id;
	struct sigevent event = { .sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGRTMIN, .sigev_value.sival_int = 42 };
	struct itimerspec each = { .it_interval.tv_sec = 3600, .it_value.tv_sec = 3600 }, left;
	sigaction(SIGRTMIN, &(struct sigaction){ .sa_sigaction = on_timer, .sa_flags = SA_SIGINFO }, NULL);
	if (timer_create(CLOCK_MONOTONIC, &event, &id) || timer_settime(id, 0, &each, NULL))
		perror("timer");
	pause();
	pause();
	timer_gettime(id, &left);
	printf("timer: %d came with %d, hour %ld, next in %ld s\n", timed, value, hours(), (long)left.it_value.tv_sec + 1);
	sigset_t set;
	sigemptyset(&set);
	sigaddset(&set, SIGRTMIN);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
	sleep(4 * 3600 + 60);
	siginfo_t info;
	int got = sigwaitinfo(&set, &info);
	printf("timer, blocked: %s, %d overruns\n", got == SIGRTMIN ? "came once" : "?", timer_getoverrun(id));
	timer_delete(id);
	printf("timer, deleted: %s\n", timer_settime(id, 0, &each, NULL) && errno == EINVAL ? "EINVAL" : "?");
	printf("bad clock: %s\n", timer_create(77, &event, &id) && errno == EINVAL ? "EINVAL" : "?");
}

static void by_descriptor(void)
{
	int fd = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK), set = epoll_create1(0);
	struct epoll_event event = { .events = EPOLLIN };
	struct itimerspec each = { .it_interval.tv_sec = 3600, .it_value.tv_sec = 3600 };
	uint64_t times = 0;
	long early = read(fd, &times, 8);
	printf("descriptor: early %s\n", early < 0 && errno == EAGAIN ? "EAGAIN" : "?");
	timerfd_settime(fd, 0, &each, NULL);
	epoll_ctl(set, EPOLL_CTL_ADD, fd, &event);
	int ready = epoll_wait(set, &event, 1, -1);
	long got = read(fd, &times, 8);
	printf("descriptor: %d ready, %ld bytes, %lu times\n", ready, got, (unsigned long)times);
	sleep(3 * 3600 + 60);
	got = read(fd, &times, 8);
	printf("descriptor: %lu times meanwhile\n", (unsigned long)times);
	ready = poll(&(struct pollfd){ fd, POLLIN, 0 }, 1, 60 * 1000);
	printf("descriptor: %d ready within a minute\n", ready);
	close(fd);
	close(set);
}

static void *waits(void *fd)
{
	uint64_t times;
	long got = read((int)(long)fd, &times, 8);
	printf("thread: %ld bytes, %lu times, hour %ld\n", got, (unsigned long)times, hours());
	return NULL;
}

int main(void)
{
	pthread_t thread;
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	began = now.tv_sec;
	sigaction(SIGALRM, &(struct sigaction){ .sa_handler = on_alarm }, NULL);
	by_alarm();
	by_timer();
	by_descriptor();
	int fd = timerfd_create(CLOCK_REALTIME, TFD_CLOEXEC);
	pthread_create(&thread, NULL, waits, (void *)(long)fd);
	timerfd_settime(fd, 0, &(struct itimerspec){ .it_value.tv_sec = 3600 }, NULL);
	pthread_join(thread, NULL);
	return 0;
}
