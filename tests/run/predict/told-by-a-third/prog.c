/* A box is used when it is said to be full. Who fills it says so behind it, and a third thread, the last one in the recording, says so too: if that comes first, the box
 * is used while it is filled. Each time another question is asked of what was said: a bound, bits, of a variable that does not begin with zero, of several reads. */
#include <pthread.h>
#include <stdio.h>

static int bound, box[4];
static unsigned bits;
static short from = 256;
static float several;

static void *fills(void *unused)
{
	box[0] = 1;                             /*@A*/
	bound = 1;                              /*@B*/
	box[1] = 1;                             /*@C*/
	bits = 5;                               /*@D*/
	box[2] = 1;                             /*@E*/
	from = 5;                               /*@F*/
	box[3] = 1;                             /*@G*/
	several = 5;                            /*@H*/
	return unused;
}

static void *uses(void *unused)
{
	if (bound > 0)                          /*@I*/
		box[0] += 2;                    /*@J*/
	if (bits & 4)                           /*@K*/
		box[1] += 2;                    /*@L*/
	if (from < 127)                         /*@M*/
		box[2] += 2;                    /*@N*/
	if (several * several > 3)              /*@O*/
		box[3] += 2;                    /*@P*/
	return unused;
}

static void *says(void *unused)
{
	bound = 2;                              /*@Q*/
	bits = 6;                               /*@R*/
	from = 8;                               /*@S*/
	several = 256;                          /*@T*/
	return unused;
}

int main(void)
{
	pthread_t filling, using, saying;
	pthread_create(&filling, NULL, fills, NULL);
	pthread_create(&using, NULL, uses, NULL);
	pthread_create(&saying, NULL, says, NULL);
	pthread_join(filling, NULL);
	pthread_join(using, NULL);
	pthread_join(saying, NULL);
	printf("%d %d %d %d, %d %u %d %g\n", box[0], box[1], box[2], box[3], bound, bits, from, several);
	return 0;
}
