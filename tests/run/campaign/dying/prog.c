/* Whoever watches it (tracer.c) keeps it from being gone for a while once a signal of its own has ended it. */
#include <spawn.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <unistd.h>

extern char **environ;
static int *volatile nowhere;

int main(int argc, char **argv)
{
	int tell[2];
	char byte = 0, *words[] = { argv[argc - 1], NULL };
	posix_spawn_file_actions_t to;
	prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0);
	int failed = pipe(tell);
	failed |= posix_spawn_file_actions_init(&to);
	failed |= posix_spawn_file_actions_adddup2(&to, tell[1], 1);
	failed |= posix_spawn(NULL, words[0], &to, NULL, words, environ);
	close(tell[1]);
	failed |= (int)read(tell[0], &byte, 1) ^ 1;
	if (argc > 2)                   /* the fault: it goes the other way */
		*nowhere = 1;
	printf("%d\n", failed);
	return 0;
}
