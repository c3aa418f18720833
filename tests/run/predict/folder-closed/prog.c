/* One thread reads the names in a folder, the other closes it when it believes that the first has begun and will not need it. */
#include <dirent.h>
#include <pthread.h>
#include <stdatomic.h>

static DIR *folder;
static atomic_int seen;

static void *reads(void *unused)
{
	seen++;
	if (readdir(folder)) /*@A*/
		seen++;
	return unused;
}

static void *closes(void *unused)
{
	if (seen)
		closedir(folder); /*@B*/
	return unused;
}

int main(void)
{
	pthread_t reading, closing;
	folder = opendir("/");
	pthread_create(&reading, NULL, reads, NULL);
	pthread_create(&closing, NULL, closes, NULL);
	pthread_join(reading, NULL);
	pthread_join(closing, NULL);
	return 0;
}
