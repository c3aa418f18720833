/* Streams: what goes in and out, and what the calls return. */
#include "../check.h"
#include <string.h>

int main(void)
{
	FILE *f = tmpfile();
	char word[16], line[32], *grown = NULL;
	size_t room = 0;
	int number, letter;
	double real;
	CHECK(f);
	IS(fprintf(f, "%s %d %.2f\n", "first", 42, 2.5), 14);
	IS(fputs("second line\n", f) >= 0, 1);
	IS(fwrite("third\n", 1, 6, f), 6);
	IS(fputc('x', f), 'x');
	IS(putc('\n', f), '\n');
	rewind(f);
	IS(fscanf(f, "%15s %d %lf%*c", word, &number, &real), 3);
	CHECK(!strcmp(word, "first") && number == 42 && real == 2.5);
	CHECK(fgets(line, sizeof line, f) && !strcmp(line, "second line\n"));
	IS(getline(&grown, &room, f), 6);
	CHECK(!strcmp(grown, "third\n"));
	letter = fgetc(f);
	IS(letter, 'x');
	IS(getc(f), '\n');
	IS(getc(f), EOF);
	IS(fseek(f, 0, SEEK_SET), 0);
	IS(fread(line, 1, 5, f), 5);
	CHECK(!memcmp(line, "first", 5));
	free(grown);
	fclose(f);
	printf("%s %ld %g\n", "formatted", 1234567890123l, 0.5);
	dprintf(1, "%c%c\n", 'o', 'k');
	return 0;
}
