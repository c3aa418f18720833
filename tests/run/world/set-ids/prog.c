/* The user and groups of a process with several threads, changed by one of them while others wait, sleep or do the same: libc tells every
 * thread by a signal, and waits for all. */
#define _GNU_SOURCE
#include <assert.h>
#include <grp.h>
#include <pthread.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int go;
static uid_t seen[2];

static void *waits(void *where)
{
	pthread_mutex_lock(&lock);
	while (!go)
		pthread_cond_wait(&changed, &lock);
	pthread_mutex_unlock(&lock);
	*(uid_t *)where = geteuid();
	return NULL;
}

static void *sleeps(void *unused)
{
	usleep(1000);
	return unused;
}

static void *changes(void *unused)
{
	assert(!seteuid(geteuid()));
	return unused;
}

static void to_what_it_is(uid_t user, gid_t group)
{
	assert(!setgid(group) && !setregid(group, group) && !setresgid(group, group, group) && !setegid(group));
	assert(!setuid(user) && !setreuid(user, user) && !setresuid(user, user, user) && !seteuid(user));
	if (user == 0)
		assert(!setgroups(1, &group) && !initgroups("root", 0));
}

int main(void)
{
	pthread_t threads[4];
	uid_t user = getuid();
	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, waits, &seen[i]);
	pthread_create(&threads[2], NULL, sleeps, NULL);
	pthread_create(&threads[3], NULL, changes, NULL);
	to_what_it_is(user, getgid());
	pthread_join(threads[3], NULL);
	if (user == 0)
		assert(!setegid(7) && !seteuid(12) && geteuid() == 12 && getegid() == 7);
	pthread_mutex_lock(&lock);
	go = 1;
	pthread_cond_broadcast(&changed);
	pthread_mutex_unlock(&lock);
	for (int i = 0; i < 3; i++)
		pthread_join(threads[i], NULL);
	for (int i = 0; i < 2; i++)
		assert(seen[i] == (user == 0 ? 12 : user));
	if (user == 0)
		assert(!seteuid(0) && !setuid(99) && geteuid() == 99 && setuid(0) == -1);
	return 0;
}
