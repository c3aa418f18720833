/* A library function reads out of a block that was freed, or writes into it: each by itself ends the run. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char into[64];
static void *result;

static FILE *something(void)
{
	static char text[] = "one\ntwo\n";
	return fmemopen(text, sizeof text, "r");
}

int main(int count, char **words)
{
	char *volatile block = malloc(16);
	const char *what = count > 1 ? words[1] : "";
	size_t bytes = 3u + (size_t)count;
	if (!block)
		return 1;
	strcpy(block, "/dev/null");
	if (strcmp(what, "nothing"))
		free(block);
	char *p = block;
	if (!strcmp(what, "strcpy")) result = strcpy(into, p);
	if (!strcmp(what, "stpcpy")) result = stpcpy(into, p);
	if (!strcmp(what, "strncpy")) result = strncpy(into, p, bytes);
	if (!strcmp(what, "strcat")) result = strcat(into, p);
	if (!strcmp(what, "strncat")) result = strncat(into, p, bytes);
	if (!strcmp(what, "memcpy")) result = memcpy(into, p, bytes);
	if (!strcmp(what, "memmove")) result = memmove(into, p, bytes);
	if (!strcmp(what, "mempcpy")) result = mempcpy(into, p, bytes);
	if (!strcmp(what, "memccpy")) result = memccpy(into, p, 'd', bytes);
	if (!strcmp(what, "strdup")) result = strdup(p);
	if (!strcmp(what, "strndup")) result = strndup(p, bytes);
	if (!strcmp(what, "strxfrm")) bytes = strxfrm(into, p, sizeof into);
	if (!strcmp(what, "open")) close(open(p, O_RDONLY));
	if (!strcmp(what, "fopen")) result = fopen(p, "r");
	if (!strcmp(what, "getenv")) result = getenv(p);
	if (!strcmp(what, "fgets")) result = fgets(p, (int)bytes, something());
	if (!strcmp(what, "fread")) bytes = fread(p, 1, bytes, something());
	if (!strcmp(what, "nothing")) result = strcpy(into, strdup(p));
	puts("went on");
	return 0;
}
