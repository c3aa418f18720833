/* A mutex and a rwlock that is read-locked are held while the process forks; the child gives them back. */
#include "../check.h"
#include <sys/wait.h>

static pthread_mutex_t plain = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t shared = PTHREAD_RWLOCK_INITIALIZER;

static void take(void)
{
	IS(pthread_mutex_lock(&plain), 0);
	IS(pthread_rwlock_rdlock(&shared), 0);
}

static void give(void)
{
	IS(pthread_rwlock_unlock(&shared), 0);
	IS(pthread_mutex_unlock(&plain), 0);
}

int main(void)
{
	pthread_atfork(take, give, give);
	pid_t child = fork();
	CHECK(child >= 0);
	take();
	give();
	if (child == 0)
		_exit(3);
	int status = 0;
	IS(waitpid(child, &status, 0), child);
	IS(WEXITSTATUS(status), 3);
	return done();
}
