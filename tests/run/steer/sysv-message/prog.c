/* Messages of System V: taken by type, while others go on; a queue that is full makes the sender wait; nobody sends any more: everybody waits. */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/msg.h>

struct message { long type; char text[4]; };

static int queue;

static void *sender(void *unused)
{
	struct message one = { 1, "a" }, two = { 2, "b" }, three = { 1, "c" };
	msgsnd(queue, &one, 4, 0);
	msgsnd(queue, &two, 4, 0);
	msgsnd(queue, &three, 4, 0);            /* there is room for two */
	return unused;
}

int main(void)
{
	pthread_t a;
	struct message m;
	struct msqid_ds about;
	queue = msgget(IPC_PRIVATE, 0600);
	msgctl(queue, IPC_STAT, &about);
	about.msg_qbytes = 8;
	msgctl(queue, IPC_SET, &about);
	pthread_create(&a, NULL, sender, NULL);
	for (int i = 0; i < 3; i++) {
		long n = msgrcv(queue, &m, 4, i == 0 ? 2 : i == 1 ? -5 : 0, 0);
		printf("%ld%s", n, m.text);
	}
	pthread_join(a, NULL);
	int none = msgrcv(queue, &m, 4, 7, IPC_NOWAIT) < 0 ? errno : 0;
	printf(" %d\n", none == ENOMSG);
	msgctl(queue, IPC_RMID, NULL);
}
