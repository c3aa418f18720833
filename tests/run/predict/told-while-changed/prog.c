/* What library functions read, each inside a call that has a turn of its own for something else: a stream, output, a block. The other thread writes to it. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef OK
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
#define GUARD(how) pthread_mutex_##how(&lock)
#else
#define GUARD(how) (void)0
#endif

static char said[16] = "puts", shown[16] = "printf", sent[16] = "write", formatted[16] = "snprintf", doubled[16] = "strdup", parsed[16] = "12";
static struct { char text[24]; int number; char *copy; } made;

static void *tells(void *unused)
{
	GUARD(lock);
	puts(said);                                             /*@A*/
	printf("%s, %d\n", shown, made.number);                 /*@B*/
	if (write(1, sent, 6) != 6)                             /*@C*/
		abort();
	snprintf(made.text, sizeof made.text, "<%s>", formatted);       /*@D*/
	made.copy = strdup(doubled);                            /*@E*/
	sscanf(parsed, "%d", &made.number);                     /*@F*/
	GUARD(unlock);
	return unused;
}

static void *changes(void *unused)
{
	GUARD(lock);
	said[0] = 'P';                                          /*@G*/
	shown[0] = 'P';                                         /*@H*/
	sent[0] = 'W';                                          /*@I*/
	formatted[0] = 'S';                                     /*@J*/
	doubled[0] = 'S';                                       /*@K*/
	parsed[0] = '3';                                        /*@L*/
	GUARD(unlock);
	return unused;
}

int main(void)
{
	pthread_t telling, changing;
	pthread_create(&telling, NULL, tells, NULL);
	pthread_create(&changing, NULL, changes, NULL);
	pthread_join(telling, NULL);
	pthread_join(changing, NULL);
	free(made.copy);
	return 0;
}
