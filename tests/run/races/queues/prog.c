#include "../two.h"
#include <fcntl.h>
#include <mqueue.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <unistd.h>

struct message { long type; char text; };

static int queue, set, by_queue, by_name, by_semaphore, wrong;
static mqd_t sends, receives;

/* A message sent happens before it is received, a semaphore raised before it is lowered; what follows the last does not. */
static void *a(void *x)
{
	struct message m = { 1, 'm' };
	struct sembuf up = { 0, 1, 0 };
	by_queue = 1;
	msgsnd(queue, &m, 1, 0);
	by_name = 1;
	mq_send(sends, "m", 1, 0);
	by_semaphore = 1;
	semop(set, &up, 1);
	wrong = 1;
	return x;
}

static void *b(void *x)
{
	struct message m;
	struct sembuf down = { 0, -1, 0 };
	char text[8];
	if (msgrcv(queue, &m, 1, 0, 0) != 1)
		abort();
	by_queue++;
	if (mq_receive(receives, text, sizeof text, NULL) != 1)
		abort();
	by_name++;
	if (semop(set, &down, 1))
		abort();
	by_semaphore++;
	wrong++;
	return x;
}

int main(void)
{
	char name[40];
	struct mq_attr room = { .mq_maxmsg = 2, .mq_msgsize = 8 };
	snprintf(name, sizeof name, "/raddle-test-%d", (int)getpid());
	queue = msgget(IPC_PRIVATE, 0600);
	set = semget(IPC_PRIVATE, 1, 0600);
	sends = mq_open(name, O_CREAT | O_WRONLY, 0600, &room);
	receives = mq_open(name, O_RDONLY);
	mq_unlink(name);
	if (queue < 0 || set < 0 || sends == (mqd_t)-1 || receives == (mqd_t)-1)
		return 77;
	two(a, b);
	msgctl(queue, IPC_RMID, NULL);
	semctl(set, 0, IPC_RMID);
	return 0;
}
