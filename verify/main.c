/* verify/main.c -- raddle-verify TWIN REFUTATION: 0 it holds, 1 it does not, 2 bad command line, 3 a file cannot be read. */
#include <stdio.h>
#include <stdlib.h>

#include "verify/refutation.h"

static char *whole(const char *path, size_t *length)
{
	FILE *in = fopen(path, "r");
	char *text = NULL;
	if (!in || getdelim(&text, length, EOF, in) < 0 || ferror(in)) {
		fprintf(stderr, "raddle-verify: cannot read '%s'\n", path);
		exit(3);
	}
	*length = (size_t)ftell(in);
	fclose(in);
	return text;
}

int main(int argc, char **argv)
{
	size_t twin_length = 0, length = 0;
	if (argc != 3) {
		fputs("usage: raddle-verify <text twin> <refutation>\n", stderr);
		return 2;
	}
	char *twin = whole(argv[1], &twin_length), *text = whole(argv[2], &length);
	const char *why = refutation_check(twin, twin_length, text, length);
	printf("%s: %s%s\n", argv[2], why ? "does not hold: " : "holds", why ? why : "");
	free(twin);
	free(text);
	return why != NULL;
}
