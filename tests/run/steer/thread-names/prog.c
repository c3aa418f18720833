/* A thread's name is its own: a new one is called as its creator, naming one renames no other, by pthread_setname_np as by prctl, and whoever
 * asks is told the name of the thread meant.  16 letters are too many, room for 15 bytes is too little. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>

static pthread_barrier_t named, asked;
static int wrong;

static void is(const char *got, const char *expected)
{
	if (strcmp(got, expected) != 0)
		wrong++, printf("'%s' is not '%s'\n", got, expected);
}

static void *work(void *unused)
{
	char name[16] = "";
	pthread_getname_np(pthread_self(), name, sizeof name);
	is(name, "maker");
	prctl(PR_SET_NAME, "a worker with a long name");
	pthread_barrier_wait(&named);
	pthread_barrier_wait(&asked);
	prctl(PR_GET_NAME, name);
	is(name, "renamed");
	return unused;
}

int main(void)
{
	pthread_t t;
	char name[16] = "";
	pthread_barrier_init(&named, NULL, 2);
	pthread_barrier_init(&asked, NULL, 2);
	pthread_getname_np(pthread_self(), name, sizeof name);
	is(name, "prog");
	wrong += pthread_setname_np(pthread_self(), "maker") != 0;
	pthread_create(&t, NULL, work, NULL);
	pthread_barrier_wait(&named);
	pthread_getname_np(t, name, sizeof name);
	is(name, "a worker with a");
	pthread_getname_np(pthread_self(), name, sizeof name);
	is(name, "maker");
	wrong += pthread_setname_np(t, "sixteen letters!") != ERANGE;
	wrong += pthread_getname_np(t, name, 15) != ERANGE;
	wrong += pthread_setname_np(t, "renamed") != 0;
	pthread_barrier_wait(&asked);
	pthread_join(t, NULL);
	puts(wrong ? "wrong" : "names kept");
	return wrong != 0;
}
