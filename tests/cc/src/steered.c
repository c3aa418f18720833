/* tests/cc/src/steered.c -- under `raddle record`, starts a command so that it is steered instead and takes its steered bodies:
 * one thread at a time, drawn anew at every event.   raddle record -- steered <seed> <command>... */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "wire/steer.h"
#include "wire/tls.h"
#include "wire/version.h"

#define LOG_STEPS 1000000u

int main(int argc, char **argv)
{
	struct steer_head head = { .magic = STEER_MAGIC, .version = WIRE_STEER_VERSION, .policy = STEER_RANDOM,
		.strands_at = (sizeof head + 63) / 64 * 64, .log_room = LOG_STEPS };
	char where[64], ring[64], *old = getenv(RING_ENV);
	int fd = memfd_create("steer", 0);
	if (argc < 3 || fd < 0 || !old || !strrchr(old, ':'))
		return 2;
	head.seed = strtoull(argv[1], NULL, 10);
	head.script_at = head.log_at = head.strands_at + STEER_STRANDS * sizeof(struct steer_strand);
	head.bytes = head.log_at + LOG_STEPS * sizeof(uint64_t);
	if (ftruncate(fd, (off_t)head.bytes) != 0 || pwrite(fd, &head, sizeof head, 0) != sizeof head)
		return 2;
	snprintf(where, sizeof where, "%d:%d", fd, (int)getpid());
	setenv(STEER_ENV, where, 1);
	snprintf(ring, sizeof ring, "%.*s:%d", (int)(strrchr(old, ':') - old), old, MODE_STEER);
	setenv(RING_ENV, ring, 1);
	execvp(argv[2], argv + 2);
	return 127;
}
