/* The length is asked in one section, the text copied by it in another; between them the text may be cut. */
#include <assert.h>
#include <pthread.h>
#include <string.h>

static char text[8] = "abcdef";
static int length = 6;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static int get_length(void)
{
	pthread_mutex_lock(&m);
	int n = length;
	pthread_mutex_unlock(&m);
	return n;
}

static void *first(void *unused)
{
	(void)unused;
	char copy[8] = "";
	int n = get_length();
	pthread_mutex_lock(&m);
	assert(n <= length);
	memcpy(copy, text, (size_t)n);
	pthread_mutex_unlock(&m);
	return NULL;
}

static void *second(void *unused)
{
	(void)unused;
	pthread_mutex_lock(&m);
	length = 2;
	text[2] = 0;
	pthread_mutex_unlock(&m);
	return NULL;
}

int main(void)
{
	pthread_t one, two;
	pthread_create(&one, NULL, first, NULL);
	pthread_create(&two, NULL, second, NULL);
	pthread_join(one, NULL);
	pthread_join(two, NULL);
	return 0;
}
