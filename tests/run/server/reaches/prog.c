/* Reaches outside in the way its argument names: others could notice. */
#include <arpa/inet.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static void *nothing(void *unused)
{
	return unused;
}

static int binds(void)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };         /* whatever name the kernel gives it */
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);
	return bind(fd, (struct sockaddr *)&address, sizeof address.sun_family);
}

static int sends(void)
{
	struct sockaddr_in address = { .sin_family = AF_INET, .sin_port = htons(9), .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	int fd = socket(AF_INET, SOCK_DGRAM, 0);
	sendto(fd, "x", 1, 0, (struct sockaddr *)&address, sizeof address);
	return 0;
}

static int starts(void)
{
	FILE *f;
	char line[8] = "";
	if (system("echo child >> log") != 0)
		return 1;
	f = popen("cat log", "r");
	char *got = fgets(line, sizeof line, f);
	pclose(f);
	return !got || strcmp(line, "child\n");
}

int main(int argc, char **argv)
{
	pthread_t thread;
	pthread_create(&thread, NULL, nothing, NULL);
	pthread_join(thread, NULL);
	if (argc < 2)
		return 2;
	return !strcmp(argv[1], "bind") ? binds() : !strcmp(argv[1], "send") ? sends() : starts();
}
