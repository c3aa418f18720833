/* Children that are forked, spawned and piped, while a thread of ours goes on. */
#include <pthread.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static int steps;
extern char **environ;

static void *works(void *x)
{
	for (int i = 0; i < 10; i++) {
		usleep(100);
		steps++;
	}
	return x;
}

int main(void)
{
	pthread_t t;
	int status, fd[2];
	char text[64] = "";
	pid_t pid;
	if (pipe(fd))
		return 1;
	pthread_create(&t, NULL, works, NULL);
	if (!(pid = fork())) {
		usleep(50000);
		_exit(write(fd[1], "child", 5) == 5 ? 3 : 4);
	}
	ssize_t n = read(fd[0], text, sizeof text);
	waitpid(pid, &status, 0);
	printf("%.*s %d\n", (int)n, text, WEXITSTATUS(status));
	char *words[] = { "sh", "-c", "exit 5", NULL };
	posix_spawn(&pid, "/bin/sh", NULL, NULL, words, environ);
	waitpid(pid, &status, 0);
	printf("spawned %d\n", WEXITSTATUS(status));
	if (!(pid = vfork())) {
		execl("/bin/sh", "sh", "-c", "exit 6", NULL);
		_exit(127);
	}
	waitpid(pid, &status, 0);
	printf("vforked %d\n", WEXITSTATUS(status));
	FILE *f = popen("echo piped; touch here", "r");
	if (fgets(text, sizeof text, f))
		printf("%s", text);
	printf("closed %d, system %d\n", pclose(f), WEXITSTATUS(system("exit 7")));
	pthread_join(t, NULL);
	printf("steps %d\n", steps);
	return 0;
}
