/* Scribbles over the memory it shares with raddle, differently for each number given; a thread has left something there first. */
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static uint64_t state;

static uint64_t draw(void)
{
	state = state * 6364136223846793005u + 1442695040888963407u;
	return state >> 16;
}

static uint64_t odd_number(void)
{
	static const uint64_t numbers[] = { 0, 1, 2, 63, 4095, 4096, 4097, 0x7fffffff, 0x80000000, 0xffffffff, UINT64_MAX, 1ull << 47, 1ull << 63 };
	return draw() % 3 ? numbers[draw() % (sizeof numbers / sizeof *numbers)] : draw() << 20 ^ draw();
}

static void *work(void *x)
{
	pthread_mutex_lock(&m);
	pthread_mutex_unlock(&m);
	return x;
}

static volatile uint64_t *map_of(const char *variable, size_t *bytes)
{
	int fd = atoi(getenv(variable));
	struct stat facts;
	fstat(fd, &facts);
	*bytes = 4u << 20;                               /* where most of what matters is */
	return mmap(NULL, (size_t)facts.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
}

int main(int argc, char **argv)
{
	pthread_t t;
	size_t bytes, ring_bytes;
	state = (uint64_t)atoi(argv[argc - 1]);
	volatile uint64_t *steer = map_of("RADDLE_STEER", &bytes), *ring = map_of("RADDLE_RING", &ring_bytes);
	uint64_t log_at = 4096 + 4096 * 112 + (8u << 20) * 40ull;
	pthread_create(&t, NULL, work, NULL);
	pthread_join(t, NULL);
	for (int i = 0; i < 40; i++) {
		uint64_t zone = draw() % 4;
		if (zone == 0)
			steer[1 + draw() % 60] = odd_number();                         /* the head */
		else if (zone == 1)
			steer[512 + draw() % 80] = odd_number();                       /* the first strands */
		else if (zone == 2)
			steer[log_at / 8 + draw() % 60] = odd_number();   /* the log */
		else
			ring[draw() % (ring_bytes / 8)] = odd_number();                /* processes, modules, thread areas */
	}
	syscall(SYS_exit_group, 0);
}
