/* rt/queues.c -- see queues.h.  Only where races are looked for.
 *
 * Messages have types and priorities: which of those sent a receiver gets is not followed.  He comes behind all that were sent to that queue before, as
 * those who read from a loose line do (handover.c); so do semaphores of System V.  A queue of POSIX is known by its name, by whatever descriptor; one of System V by its number. */
#include "rt/queues.h"

#include <sys/sem.h>

#include "rt/segment.h"
#include "wire/line.h"

#define FDS       1024

enum queue_kind { QUEUE_SYSV, QUEUE_POSIX, QUEUE_SEMAPHORES };

static uint32_t names[FDS];                     /* of a descriptor of a queue: its name as a number */

static uint32_t name_number(const char *name)
{
	uint32_t hash = 2166136261u;
	while (*name)
		hash = (hash ^ (unsigned char)*name++) * 16777619u;
	return hash;
}

static void tell(enum event_kind kind, enum queue_kind what, uint32_t queue, uint64_t pc)
{
	uint64_t object = LINE_QUEUES | (uint64_t)what << 32 | queue;
	rt_event(kind, object, 0, rt_version(object), 0, pc);
}

static uint32_t queue_of(long fd)
{
	return fd >= 0 && fd < FDS ? names[fd] : (uint32_t)fd;
}

/* Who takes from a semaphore, or waits for it to be 0, comes behind those who gave before; of a set all are one. */
static void semaphores_after(const struct world_call *c)
{
	const struct sembuf *ops = (const struct sembuf *)c->a[1];
	bool takes = false, gives = false;
	for (long i = 0; i < c->a[2]; i++) {
		takes |= ops[i].sem_op <= 0;
		gives |= ops[i].sem_op != 0;            /* who waits for 0 waits for whoever took */
	}
	if (takes)
		tell(EV_ACQUIRE, QUEUE_SEMAPHORES, (uint32_t)c->a[0], c->pc);
	if (gives)
		tell(EV_RELEASE, QUEUE_SEMAPHORES, (uint32_t)c->a[0], c->pc);
}

void queues_after(const struct world_call *c, long result)
{
	switch (c->number) {
	case SYS_msgsnd:
		tell(EV_RELEASE, QUEUE_SYSV, (uint32_t)c->a[0], c->pc);
		break;
	case SYS_msgrcv:
		tell(EV_ACQUIRE, QUEUE_SYSV, (uint32_t)c->a[0], c->pc);
		break;
	case SYS_semop: case SYS_semtimedop:
		semaphores_after(c);
		break;
	case SYS_mq_open:
		if (result < FDS)
			names[result] = name_number((const char *)c->a[0]);
		break;
	case SYS_mq_timedsend:
		tell(EV_RELEASE, QUEUE_POSIX, queue_of(c->a[0]), c->pc);
		break;
	case SYS_mq_timedreceive:
		tell(EV_ACQUIRE, QUEUE_POSIX, queue_of(c->a[0]), c->pc);
		break;
	default:
		break;
	}
}
