/* verify/main.c -- raddle-verify TWIN REFUTATION: 0 it holds, 1 it does not, 2 bad command line, 3 a file cannot be read, or is something else. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "verify/refutation.h"

static char *whole(const char *path)
{
	struct stat facts;
	FILE *in = stat(path, &facts) == 0 && S_ISREG(facts.st_mode) ? fopen(path, "r") : NULL;
	char *text = NULL;
	size_t room = 0;
	if (!in || getdelim(&text, &room, 0, in) < 0) {
		fprintf(stderr, "raddle-verify: cannot read '%s'\n", path);
		exit(3);
	}
	fclose(in);
	return text;
}

int main(int argc, char **argv)
{
	if (argc != 3) {
		fputs("usage: raddle-verify <plain twin> <refutation>\n", stderr);
		return 2;
	}
	char *twin = whole(argv[1]), *refutation = whole(argv[2]);
	const char *why = refutation_check(twin, refutation);
	free(twin);
	free(refutation);
	if (!refutation_is_legible()) {
		fprintf(stderr, "raddle-verify: cannot hold '%s' against '%s': %s\n", argv[2], argv[1], why);
		return 3;
	}
	printf("%s: %s%s\n", argv[2], why ? "does not hold: " : "holds", why ? why : "");
	return why != NULL;
}
