/* A thread sends two messages through a queue of System V; they are read with their type. */
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/msg.h>

struct message { long type; char text[16]; };

static int queue;

static void *sends(void *nothing)
{
	struct message m = { 2, "" };
	strcpy(m.text, "first");
	msgsnd(queue, &m, 6, 0);
	m.type = 7;
	strcpy(m.text, "second");
	msgsnd(queue, &m, 7, 0);
	return nothing;
}

int main(void)
{
	pthread_t t;
	struct message m;
	queue = msgget(IPC_PRIVATE, 0600);
	if (queue < 0)
		return 77;
	pthread_create(&t, NULL, sends, NULL);
	pthread_join(t, NULL);
	for (int i = 0; i < 2; i++) {
		memset(&m, 0, sizeof m);
		long bytes = msgrcv(queue, &m, sizeof m.text, 0, 0);
		printf("%ld bytes of type %ld: %s\n", bytes, m.type, m.text);
	}
	msgctl(queue, IPC_RMID, NULL);
	return 0;
}
