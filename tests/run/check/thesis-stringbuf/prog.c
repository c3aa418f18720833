/* StringBuf: one appends a text to another, asking for its length first and then for so many characters; the other is cut meanwhile. */
#include "../relaxed.h"
#include <assert.h>

atomic_int length = 3, appended;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static int ask_length(void)
{
	pthread_mutex_lock(&m);
	int n = LOAD(length);
	pthread_mutex_unlock(&m);
	return n;
}

static void get_characters(int upto)
{
	pthread_mutex_lock(&m);
	int now = LOAD(length);
	assert(upto <= now);
	pthread_mutex_unlock(&m);
}

THREAD(appends)
{
	int n = ask_length();
	get_characters(n);
	STORE(appended, n);
	return me;
}

THREAD(cuts)
{
	pthread_mutex_lock(&m);
	LOAD(length);
	STORE(length, 0);
	pthread_mutex_unlock(&m);
	pthread_mutex_lock(&m);
	int n = LOAD(length);
	STORE(length, n + 2);
	pthread_mutex_unlock(&m);
	return me;
}

int main(void) { RUN(appends, cuts); LOAD(appended); return 0; }
