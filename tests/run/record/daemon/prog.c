/* A daemon writes to a pipe after its parents are gone. */
#include "../check.h"
#include <sys/wait.h>

int main(void)
{
	int ends[2], status;
	char word[8] = "";
	IS(pipe(ends), 0);
	pid_t pid = fork();
	if (pid == 0) {
		IS(daemon(0, 0), 0);
		IS(write(ends[1], "daemon", 6), 6);
		_exit(3);
	}
	close(ends[1]);
	IS(waitpid(pid, &status, 0), pid);
	IS(status, 0);
	IS(read(ends[0], word, sizeof word), 6);
	CHECK(!__builtin_memcmp(word, "daemon", 6));
	IS(read(ends[0], word, sizeof word), 0);
	return done();
}
