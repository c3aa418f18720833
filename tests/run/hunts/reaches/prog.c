/* Does what others can notice, as its argument says. */
#include <arpa/inet.h>
#include <pthread.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static void *nothing(void *unused)
{
	return unused;
}

int main(int argc, char **argv)
{
	struct sockaddr_in far = { .sin_family = AF_INET, .sin_port = htons(1), .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	struct sockaddr_un near = { .sun_family = AF_UNIX, .sun_path = "socket" };
	pthread_t other;
	pthread_create(&other, NULL, nothing, NULL);
	pthread_join(other, NULL);
	switch (argc > 1 ? *argv[1] : 0) {
	case 'c': connect(socket(AF_INET, SOCK_STREAM, 0), (void *)&far, sizeof far); break;
	case 'b': return bind(socket(AF_UNIX, SOCK_DGRAM, 0), (void *)&near, sizeof near) != 0;
	case 'p': if (fork() == 0) pause(); break;
	default: break;
	}
	return 0;
}
