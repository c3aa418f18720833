/* Two semaphores of one unit each, taken in both orders.  One of them was used up before, and made again where it was. */
#include <pthread.h>
#include <semaphore.h>

static sem_t seats, menus;
static int served;

static void *sit_down(void *unused)
{
	sem_wait(&seats);
	sem_wait(&menus); /*@A*/
	served++;
	sem_post(&menus);
	sem_post(&seats);
	return unused;
}

static void *look_first(void *unused)
{
	sem_wait(&menus);
	sem_wait(&seats); /*@B*/
	served++;
	sem_post(&seats);
	sem_post(&menus);
	return unused;
}

int main(void)
{
	pthread_t one, two;
	sem_init(&menus, 0, 1);
	sem_init(&seats, 0, 1);
	sem_wait(&seats);
	sem_destroy(&seats);
	sem_init(&seats, 0, 1);
	pthread_create(&one, NULL, sit_down, NULL);
	pthread_create(&two, NULL, look_first, NULL);
	pthread_join(one, NULL);
	pthread_join(two, NULL);
	return 0;
}
