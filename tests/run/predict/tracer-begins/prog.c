/* ctrace: a table is made by whoever needs it first, and nobody asks whether another is at it. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static int *table;
static int made;

static void *use(void *unused)
{
	(void)unused;
	if (!table) {                           /*@A*/
		made++;                         /*@B*/
		table = calloc(4, sizeof *table);       /*@C*/
	}
	return &table[0];                       /*@D*/
}

int main(void)
{
	pthread_t one, two;
	pthread_create(&one, NULL, use, NULL);
	pthread_create(&two, NULL, use, NULL);
	pthread_join(one, NULL);
	pthread_join(two, NULL);
	printf("%d %d\n", table[0], made);
	return 0;
}
