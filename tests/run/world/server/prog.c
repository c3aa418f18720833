/* A server with two workers: the main thread accepts, a worker answers.  It ends when a client says so. */
#include <arpa/inet.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int queue[64], head, tail, answered, ends;

static void *worker(void *name)
{
	char line[128];
	for (;;) {
		pthread_mutex_lock(&m);
		while (head == tail && !ends)
			pthread_cond_wait(&c, &m);
		if (head == tail) {
			pthread_mutex_unlock(&m);
			return NULL;
		}
		int fd = queue[head++ % 64];
		pthread_mutex_unlock(&m);
		ssize_t n = read(fd, line, sizeof line - 1);
		if (n > 0) {
			line[n] = 0;
			pthread_mutex_lock(&m);
			int number = ++answered;
			ends |= strncmp(line, "end", 3) == 0;
			pthread_cond_broadcast(&c);
			pthread_mutex_unlock(&m);
			printf("%d: %s got %s", number, (char *)name, line);
			dprintf(fd, "%d: hello %s", number, line);
		}
		close(fd);
	}
}

int main(void)
{
	struct sockaddr_in address = { .sin_family = AF_INET, .sin_addr = { htonl(INADDR_LOOPBACK) } };
	socklen_t length = sizeof address;
	pthread_t t[2];
	int listening = socket(AF_INET, SOCK_STREAM, 0);
	if (bind(listening, (struct sockaddr *)&address, sizeof address) || listen(listening, 16) ||
		getsockname(listening, (struct sockaddr *)&address, &length))
		return 1;
	FILE *f = fopen("port.new", "w");
	fprintf(f, "%d\n", ntohs(address.sin_port));
	fclose(f);
	rename("port.new", "port");
	pthread_create(&t[0], NULL, worker, "one");
	pthread_create(&t[1], NULL, worker, "two");
	for (int i = 0; i < 8; i++) {
		int fd = accept(listening, NULL, NULL);
		pthread_mutex_lock(&m);
		queue[tail++ % 64] = fd;
		pthread_cond_signal(&c);
		pthread_mutex_unlock(&m);
	}
	pthread_join(t[0], NULL);
	pthread_join(t[1], NULL);
	return 0;
}
