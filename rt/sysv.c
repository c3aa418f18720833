/* rt/sysv.c -- semaphores and message queues of System V in a steered run: whether a call would wait, asked without changing anything.
 *   (1) what is performed never waits in the kernel: it is asked not to (sysv_perform), and if somebody outside was quicker the strand
 *       waits on;
 *   (2) a set or queue this process made for itself (IPC_PRIVATE) is known to nobody else before there is another process. */
#include "rt/sysv.h"

#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/sem.h>

#include "rt/descriptors.h"

#define OPS      500                    /* what Linux allows in one call, unless told otherwise */
#define MESSAGE  8192                   /* the same for bytes of a message */
#define IDS      64
#ifndef MSG_COPY
#define MSG_COPY 040000
#endif

struct value { uint16_t number; int now; };

static struct { bool queue; int id; } private[IDS];
static unsigned private_count;

/* ---- semaphores ---- */

/* The semaphore's value, as far as the operations before it in the same call have changed it. */
static int *value_of(struct value *values, unsigned *count, long set, uint16_t number)
{
	for (unsigned i = 0; i < *count; i++)
		if (values[i].number == number)
			return &values[i].now;
	long now = sys6(SYS_semctl, set, number, GETVAL, 0, 0, 0);
	values[*count] = (struct value){ number, (int)now };
	return &values[(*count)++].now;
}

static bool set_is_ready(const struct world_call *c)
{
	const struct sembuf *ops = (const struct sembuf *)c->a[1];
	static struct value values[OPS];
	unsigned known = 0;
	uint64_t count = (uint64_t)c->a[2];
	if (!count || count > OPS || !sys_readable(ops, count * sizeof *ops))
		return true;                            /* the kernel says what it thinks of it */
	for (uint64_t i = 0; i < count; i++) {
		int *value = value_of(values, &known, c->a[0], ops[i].sem_num);
		if (*value < 0)
			return true;
		if (ops[i].sem_op == 0 ? *value != 0 : *value + ops[i].sem_op < 0)
			return ops[i].sem_flg & IPC_NOWAIT;
		*value += ops[i].sem_op;
	}
	return true;
}

static long operate_now(const struct world_call *c)
{
	static struct sembuf ops[OPS];
	struct world_call now = *c;
	uint64_t count = (uint64_t)c->a[2];
	if (!count || count > OPS || !sys_readable((const void *)c->a[1], count * sizeof *ops))
		return kernel_call(c);
	copy_bytes(ops, (const void *)c->a[1], count * sizeof *ops);
	for (uint64_t i = 0; i < count; i++)
		ops[i].sem_flg |= IPC_NOWAIT;
	now.a[1] = (long)ops;
	return kernel_call(&now);
}

/* ---- messages ---- */

static bool state_of(long queue, struct msqid_ds *state)
{
	return sys3(SYS_msgctl, queue, IPC_STAT, (long)state) == 0;
}

/* Is there one of the wanted type?  The kernel hands out copies, by their place in the queue. */
static bool message_is_there(const struct world_call *c)
{
	static struct { long type; char text[MESSAGE]; } copy;
	struct msqid_ds state;
	long type = c->a[3], result = 0;
	if (!state_of(c->a[0], &state))
		return true;
	if (type == 0 || c->a[4] & MSG_COPY)
		return state.msg_qnum > 0;
	for (long at = 0; at < (long)state.msg_qnum && result >= 0; at++) {
		result = sys6(SYS_msgrcv, c->a[0], (long)&copy, MESSAGE, at, MSG_COPY | IPC_NOWAIT, 0);
		bool wanted = type < 0 ? copy.type <= -type : (copy.type == type) == !(c->a[4] & MSG_EXCEPT);
		if (result >= 0 && wanted)
			return true;
	}
	return result < 0 && state.msg_qnum > 0;        /* no copies here: it is tried */
}

static bool queue_has_room(const struct world_call *c)
{
	struct msqid_ds state;
	if (!state_of(c->a[0], &state))
		return true;
	return (uint64_t)c->a[2] + state.__msg_cbytes <= state.msg_qbytes && 1 + state.msg_qnum <= state.msg_qbytes;
}

/* ---- both ---- */

bool sysv_is_ready(const struct world_call *c)
{
	switch (c->number) {
	case SYS_msgrcv: return message_is_there(c);
	case SYS_msgsnd: return queue_has_room(c);
	default:         return set_is_ready(c);
	}
}

bool sysv_never_waits(const struct world_call *c)
{
	switch (c->number) {
	case SYS_msgrcv: return c->a[4] & (IPC_NOWAIT | MSG_COPY);
	case SYS_msgsnd: return c->a[3] & IPC_NOWAIT;
	default:         return false;
	}
}

long sysv_perform(const struct world_call *c)
{
	struct world_call now = *c;
	switch (c->number) {
	case SYS_msgrcv: now.a[4] |= IPC_NOWAIT; break;
	case SYS_msgsnd: now.a[3] |= IPC_NOWAIT; break;
	default:         return operate_now(c);
	}
	return kernel_call(&now);
}

bool sysv_goes_on(const struct world_call *c, long result)
{
	return (result == -EAGAIN || result == -ENOMSG) && !sysv_never_waits(c) && !sysv_is_ready(c);
}

void sysv_made(const struct world_call *c, long result)
{
	if ((c->number == SYS_semget || c->number == SYS_msgget) && result >= 0 && c->a[0] == IPC_PRIVATE && private_count < IDS) {
		private[private_count].queue = c->number == SYS_msgget;
		private[private_count++].id = (int)result;
	}
}

bool sysv_is_ours(const struct world_call *c)
{
	bool queue = c->number == SYS_msgrcv || c->number == SYS_msgsnd;
	for (unsigned i = 0; !fds_are_shared() && i < private_count; i++)
		if (private[i].queue == queue && private[i].id == (int)c->a[0])
			return true;
	return false;
}
