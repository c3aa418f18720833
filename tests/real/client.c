/* tests/real/client.c -- a bounded load for memcached and redis, with its answers checked.
 *
 *   client memcached|redis PORT CONNECTIONS REQUESTS        on 127.0.0.1; requests a connection
 *
 * One thread a connection, one request at a time: of four requests one sets a key of the thread's own and three get one
 * it set before, every answer compared with what it must be.  Every 16th request counts up a key all threads share; at the
 * end that count must be exact.  Prints one line: requests, wrong answers, requests/s, p50 and p99 in microseconds.
 * Exit 0; 1 an answer was wrong; 2 bad command line; 3 no server (waited for up to 30 s) or a connection was lost. */
#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define KEYS 64
#define SHARED_EVERY 16

struct job {
	pthread_t thread;
	unsigned number;
	int socket;
	unsigned *micros;                       /* one per request */
	unsigned version[KEYS];                 /* of the value last set, 0 never */
	unsigned wrong, shared;
	bool lost;
	char in[4096], out[4096];
};

static bool is_redis;
static unsigned port, requests;

static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int connect_once(void)
{
	struct sockaddr_in to = { .sin_family = AF_INET, .sin_port = htons((uint16_t)port), .sin_addr = { htonl(INADDR_LOOPBACK) } };
	int one = 1, s = socket(AF_INET, SOCK_STREAM, 0);
	if (s >= 0 && connect(s, (struct sockaddr *)&to, sizeof to) == 0) {
		setsockopt(s, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
		return s;
	}
	if (s >= 0)
		close(s);
	return -1;
}

static int connect_patiently(void)
{
	double until = now() + 30;
	int s;
	while ((s = connect_once()) < 0 && now() < until)
		usleep(50000);
	return s;
}

static bool send_all(struct job *j, size_t bytes)
{
	for (size_t at = 0; at < bytes;) {
		ssize_t n = write(j->socket, j->out + at, bytes - at);
		if (n <= 0)
			return false;
		at += (size_t)n;
	}
	return true;
}

/* Reads until the answer ends with `end`; false: the connection was lost. */
static bool read_until(struct job *j, const char *end)
{
	size_t have = 0, tail = strlen(end);
	while (have < tail || memcmp(j->in + have - tail, end, tail) != 0) {
		ssize_t n = have < sizeof j->in - 1 ? read(j->socket, j->in + have, sizeof j->in - 1 - have) : 0;
		if (n <= 0)
			return false;
		have += (size_t)n;
		if (j->in[0] == '-' || strncmp(j->in, "ERROR", 5) == 0)
			break;
	}
	j->in[have] = 0;
	return true;
}

/* Sends what is in out, expects exactly `answer`. */
static void ask(struct job *j, size_t bytes, const char *answer)
{
	size_t length = strlen(answer);
	const char *end = length > 7 ? answer + length - 7 : answer;
	if (!send_all(j, bytes) || !read_until(j, end)) {
		j->lost = true;
		return;
	}
	if (strcmp(j->in, answer) != 0 && j->wrong++ == 0)
		fprintf(stderr, "client: expected '%.80s', got '%.80s'\n", answer, j->in);
}

static int make_value(char *value, unsigned thread, unsigned key, unsigned version)
{
	return sprintf(value, "value-%u-%u-%u-%0*u", thread, key, version, (int)(8 + key), version);
}

static void set(struct job *j, unsigned key)
{
	char value[160];
	int length = make_value(value, j->number, key, ++j->version[key]), bytes;
	if (is_redis)
		bytes = sprintf(j->out, "SET k%u-%u %s\r\n", j->number, key, value);
	else
		bytes = sprintf(j->out, "set k%u-%u 0 0 %d\r\n%s\r\n", j->number, key, length, value);
	ask(j, (size_t)bytes, is_redis ? "+OK\r\n" : "STORED\r\n");
}

static void get(struct job *j, unsigned key)
{
	char value[160], answer[256];
	int length = make_value(value, j->number, key, j->version[key]);
	if (is_redis)
		sprintf(answer, "$%d\r\n%s\r\n", length, value);
	else
		sprintf(answer, "VALUE k%u-%u 0 %d\r\n%s\r\nEND\r\n", j->number, key, length, value);
	int bytes = sprintf(j->out, "%s k%u-%u\r\n", is_redis ? "GET" : "get", j->number, key);
	ask(j, (size_t)bytes, answer);
}

/* Its answer depends on the other threads: any number will do here. */
static void count_up(struct job *j)
{
	int bytes = sprintf(j->out, is_redis ? "INCR shared\r\n" : "incr shared 1\r\n");
	const char *digits = j->in + is_redis;
	if (!send_all(j, (size_t)bytes) || !read_until(j, "\r\n")) {
		j->lost = true;
		return;
	}
	j->shared++;
	if ((is_redis && j->in[0] != ':') || strspn(digits, "0123456789") + 2 != strlen(digits))
		j->wrong++;
}

static void *work(void *argument)
{
	struct job *j = argument;
	for (unsigned i = 0; i < requests && !j->lost; i++) {
		unsigned key = i / 4 % KEYS;
		double start = now();
		if (i % SHARED_EVERY == SHARED_EVERY - 1)
			count_up(j);
		else if (i % 4 == 0)
			set(j, key);
		else
			get(j, key);
		j->micros[i] = (unsigned)(1e6 * (now() - start));
	}
	return NULL;
}

static void set_up(struct job *j)
{
	int bytes = sprintf(j->out, is_redis ? "SET shared 0\r\n" : "set shared 0 0 1\r\n0\r\n");
	ask(j, (size_t)bytes, is_redis ? "+OK\r\n" : "STORED\r\n");
}

/* The shared count, by adding nothing to it. */
static void check_shared(struct job *j, unsigned expected)
{
	char answer[40];
	int bytes = sprintf(j->out, is_redis ? "INCRBY shared 0\r\n" : "incr shared 0\r\n");
	sprintf(answer, is_redis ? ":%u\r\n" : "%u\r\n", expected);
	ask(j, (size_t)bytes, answer);
}

static int compare(const void *a, const void *b)
{
	unsigned x = *(const unsigned *)a, y = *(const unsigned *)b;
	return x < y ? -1 : x > y;
}

int main(int argc, char **argv)
{
	if (argc != 5 || (strcmp(argv[1], "redis") != 0 && strcmp(argv[1], "memcached") != 0)) {
		fprintf(stderr, "usage: client memcached|redis PORT CONNECTIONS REQUESTS\n");
		return 2;
	}
	is_redis = strcmp(argv[1], "redis") == 0;
	port = (unsigned)atoi(argv[2]);
	requests = (unsigned)atoi(argv[4]);
	unsigned connections = (unsigned)atoi(argv[3]), wrong = 0, shared = 0;
	size_t total = (size_t)connections * requests;
	struct job *job = calloc(connections, sizeof *job);
	unsigned *micros = calloc(total ? total : 1, sizeof *micros);
	bool lost = false;
	for (unsigned i = 0; i < connections; i++) {
		job[i] = (struct job){ .number = i, .socket = connect_patiently(), .micros = micros + (size_t)i * requests };
		if (job[i].socket < 0) {
			fprintf(stderr, "client: nobody answers at port %u\n", port);
			return 3;
		}
	}
	set_up(&job[0]);
	double start = now();
	for (unsigned i = 0; i < connections; i++)
		pthread_create(&job[i].thread, NULL, work, &job[i]);
	for (unsigned i = 0; i < connections; i++)
		pthread_join(job[i].thread, NULL);
	double seconds = now() - start;
	for (unsigned i = 0; i < connections; i++)
		shared += job[i].shared, lost |= job[i].lost;
	if (!lost)
		check_shared(&job[0], shared);
	for (unsigned i = 0; i < connections; i++)
		wrong += job[i].wrong, lost |= job[i].lost, close(job[i].socket);
	qsort(micros, total, sizeof *micros, compare);
	printf("%zu %u %.0f %u %u\n", total, wrong, (double)total / seconds, micros[total / 2], micros[total * 99 / 100]);
	free(micros);
	free(job);
	return lost ? 3 : wrong ? 1 : 0;
}
