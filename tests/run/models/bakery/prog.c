/* Lamport's bakery for two, without fences: both take the same number unseen, or go in before the other's number is there. */
#include <pthread.h>
#include <stdatomic.h>

static volatile int choosing[2], number[2], both;
static atomic_int inside;

static void *enter(void *which)
{
	int self = which != NULL, other = !self;
	choosing[self] = 1;
	number[self] = 1 + number[other];
	choosing[self] = 0;
	if (choosing[other])
		return NULL;                            /* would wait: that is of no interest here */
	int theirs = number[other];
	if (theirs && (theirs < number[self] || (theirs == number[self] && other < self)))
		return NULL;
	if (atomic_fetch_add(&inside, 1))
		both = 1;
	atomic_fetch_sub(&inside, 1);
	number[self] = 0;
	return NULL;
}

int main(void)
{
	pthread_t other;
	pthread_create(&other, NULL, enter, (void *)number);
	enter(NULL);
	pthread_join(other, NULL);
	return both;
}
