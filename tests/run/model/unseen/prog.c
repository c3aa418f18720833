#include <pthread.h>
#include <wchar.h>

int a, b, c, d, e, flag;
wchar_t text[4];

static void *work(void *arg)
{
	int v = flag;
	__asm__("" : "+r"(v));
	a = v;                                  /* line 11: through inline assembly */
	b = (int)wcslen(text);                  /* line 12: a function not known by name */
	return arg;
}

static void *other(void *arg)
{
	c = 1;                                  /* line 18: nothing decides about it */
	d = flag + 1;                           /* line 19: flag */
	return arg;
}

int main(void)
{
	pthread_t t, u;
	pthread_create(&t, NULL, work, NULL);
	pthread_create(&u, NULL, other, NULL);
	flag = 1;
	pthread_join(t, NULL);
	pthread_join(u, NULL);
	return 0;
}
