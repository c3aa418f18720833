/* bench/firstpass.c -- the first pass of predict alone over a trace.
 *   firstpass TRACE        one line: events, CPU seconds, words of memory marked */
#include <stdio.h>
#include <time.h>

#include "analyses/predict/recording.h"

int main(int argc, char **argv)
{
	struct recording r = { 0 };
	struct err why = { 0 };
	if (argc != 2 || recording_open(&r, argv[1], NULL, &why) < 0) {
		fprintf(stderr, "firstpass: %s\n", argc == 2 ? why.text : "one trace, please");
		return 1;
	}
	printf("%llu %.3f %llu\n", (unsigned long long)r.events, (double)clock() / CLOCKS_PER_SEC, (unsigned long long)r.screen.marked);
	recording_close(&r);
	return 0;
}
