/* Java's StringBuffer.append, written afresh: each method takes the lock, append calls two of them.  Depth 2: the other text is cut
 * between its length and its letters.  Switches: main to append, to cut, back: 3. */
#include <assert.h>
#include <pthread.h>
#include <string.h>

struct text { pthread_mutex_t lock; char letters[32]; int length; };

static struct text other = { PTHREAD_MUTEX_INITIALIZER, "warp and weft", 13 };

static int length_of(struct text *t)
{
	pthread_mutex_lock(&t->lock);
	int length = t->length;
	pthread_mutex_unlock(&t->lock);
	return length;
}

static void copy(char *to, const struct text *from, int length)
{
	assert(length <= from->length);
	memcpy(to, from->letters, (size_t)length);
}

static void *append(void *x)
{
	static char mine[32];
	int length = length_of(&other);
	pthread_mutex_lock(&other.lock);
	copy(mine, &other, length);
	pthread_mutex_unlock(&other.lock);
	return x;
}

static void *cut(void *x)
{
	pthread_mutex_lock(&other.lock);
	other.length = 0;
	pthread_mutex_unlock(&other.lock);
	return x;
}

int main(void)
{
	pthread_t t[2];
	pthread_create(&t[0], NULL, append, NULL);
	pthread_create(&t[1], NULL, cut, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	return 0;
}
