/* Semaphores of System V: who waits stops nobody else; several at once, for zero, in vain, too long, and one that is removed meanwhile. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/sem.h>
#include <time.h>

static int set, inside, most, removed;

static int change(int number, int by, int flags)
{
	struct sembuf op = { (unsigned short)number, (short)by, (short)flags };
	return semop(set, &op, 1) ? errno : 0;
}

static void section(void)
{
	struct sembuf both[2] = { { 0, -1, 0 }, { 1, -1, 0 } };
	semop(set, both, 2);
	most = ++inside > most ? inside : most;
	inside--;
	change(0, 1, 0);
	change(1, 1, 0);
}

static void *thread(void *unused)
{
	section();
	change(2, -1, 0);                       /* lets the wait for zero through */
	removed = change(3, -1, 0);             /* nobody ever raises it: it waits until the set is gone */
	return unused;
}

int main(void)
{
	pthread_t a;
	struct timespec second = { 1, 0 };
	struct sembuf wanted = { 3, -1, 0 };
	set = semget(IPC_PRIVATE, 4, 0600);
	unsigned short first[4] = { 1, 1, 1, 0 }, last[4];
	semctl(set, 0, SETALL, first);
	pthread_create(&a, NULL, thread, NULL);
	section();
	int zero = change(2, 0, 0), at_once = change(3, -1, IPC_NOWAIT), late = semtimedop(set, &wanted, 1, &second) ? errno : 0;
	semctl(set, 0, GETALL, last);
	semctl(set, 0, IPC_RMID);
	pthread_join(a, NULL);
	printf("most %d; %d %d %d; %d%d%d%d; %d\n", most, zero, at_once == EAGAIN, late == EAGAIN, last[0], last[1], last[2], last[3],
		removed == EIDRM);
}
