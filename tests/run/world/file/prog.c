/* Reads a file, a directory, a link and a mapping; writes a file. */
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

int main(void)
{
	char line[100], link[100] = "";
	struct stat about;
	int entries = 0, fd;
	FILE *f = fopen("in/data", "r");
	if (!f || !fgets(line, sizeof line, f))
		return 1;
	fclose(f);
	DIR *d = opendir("in");
	for (struct dirent *e; d && (e = readdir(d));)
		entries += e->d_name[0] != '.';
	closedir(d);
	ssize_t n = readlink("in/link", link, sizeof link - 1);
	stat("in/data", &about);
	fd = open("in/data", O_RDONLY);
	const char *map = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, fd, 0);
	printf("%s%d entries, link %.*s, %ld bytes, mapped %.5s\n", line, entries, (int)n, link, (long)about.st_size, map);
	f = fopen("out", "w");
	fprintf(f, "written from %s", line);
	fclose(f);
	printf("written %d\n", access("out", F_OK) == 0);
	return 0;
}
