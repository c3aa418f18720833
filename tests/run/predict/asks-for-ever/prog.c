/* Who begins says that nothing is there yet.  If that comes late what was put there is forgotten, and who asks for it, counting how often, asks for ever. */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int there, asked;

static void *begins(void *u)
{
	atomic_store(&there, 0);       /*@A*/
	return u;
}

static void *puts_it(void *u)
{
	atomic_store(&there, 1);       /*@B*/
	return u;
}

int main(void)
{
	pthread_t threads[2];
	pthread_create(&threads[0], NULL, begins, NULL);
	pthread_create(&threads[1], NULL, puts_it, NULL);
	pthread_join(threads[0], NULL);
	pthread_join(threads[1], NULL);
	while (!atomic_load(&there))
		atomic_fetch_add(&asked, 1);
	return 0;
}
