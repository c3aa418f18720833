/* With an argument it counts its runs in a file beside it; how that shows is the argument. */
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static volatile int number, seen;

static void *look(void *arg)
{
	seen = number;
	return arg;
}

static int count(void)
{
	FILE *file = fopen("count", "r+");
	if (!file)
		return 99;
	int before = fgetc(file) - '0';
	rewind(file);
	fputc('0' + before + 1, file);
	fclose(file);
	return before;
}

int main(int argc, char **argv)
{
	pthread_t thread;
	int before = argc > 1 ? count() : 0;
	if (argc > 1 && !strcmp(argv[1], "events"))
		number = before;
	pthread_create(&thread, NULL, look, NULL);
	pthread_join(thread, NULL);
	printf("ran\n%d\n", argc > 1 && !strcmp(argv[1], "output") ? before : 0);
	return argc > 1 && !strcmp(argv[1], "exit") ? before : 0;
}
