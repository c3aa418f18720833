/* Scribbles over the memory it shares with raddle, differently for each number given; a thread has left something there first. */
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define BYTES (1u << 20)

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

static volatile uint64_t *map_of(const char *variable, off_t offset)
{
	return mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, atoi(getenv(variable)), offset);
}

int main(int argc, char **argv)
{
	pthread_t t;
	state = (uint64_t)atoi(argv[argc - 1]);
	volatile uint64_t *steer = map_of("RADDLE_STEER", 0), *ring = map_of("RADDLE_RING", 0);
	volatile uint64_t *log = map_of("RADDLE_STEER", 4096 + 4096 * 112 + (8u << 20) * 40ll);
	pthread_create(&t, NULL, work, NULL);
	pthread_join(t, NULL);
	for (int i = 0; i < 40; i++) {
		uint64_t zone = draw() % 4;
		if (zone == 0)
			steer[1 + draw() % 60] = odd_number();                         /* the head */
		else if (zone == 1)
			steer[512 + draw() % 80] = odd_number();                       /* the first strands */
		else if (zone == 2)
			log[draw() % 60] = odd_number();                               /* the log */
		else
			ring[draw() % (BYTES / 8)] = odd_number();                /* processes, modules, thread areas */
	}
	syscall(SYS_exit_group, 0);
}
