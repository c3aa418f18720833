/* As told-while-changed, with a lock around what is read and what is written. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char said[16] = "puts", shown[16] = "printf", sent[16] = "write", formatted[16] = "snprintf", doubled[16] = "strdup", parsed[16] = "12";
static struct { char text[24]; int number; char *copy; } made;

static void *tells(void *unused)
{
	pthread_mutex_lock(&lock);
	puts(said);
	printf("%s, %d\n", shown, made.number);
	if (write(1, sent, 6) != 6)
		abort();
	snprintf(made.text, sizeof made.text, "<%s>", formatted);
	made.copy = strdup(doubled);
	sscanf(parsed, "%d", &made.number);
	pthread_mutex_unlock(&lock);
	return unused;
}

static void *changes(void *unused)
{
	pthread_mutex_lock(&lock);
	said[0] = 'P';
	shown[0] = 'P';
	sent[0] = 'W';
	formatted[0] = 'S';
	doubled[0] = 'S';
	parsed[0] = '3';
	pthread_mutex_unlock(&lock);
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
