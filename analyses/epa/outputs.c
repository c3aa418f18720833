/* analyses/epa/outputs.c -- see outputs.h. */
#include "analyses/epa/outputs.h"

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/str.h"

/* All of a file with a zero behind it; false: it is not there. */
static bool whole(struct buffer *b, const char *folder, const char *file)
{
	char path[8192], part[16384];
	size_t got;
	snprintf(path, sizeof path, "%s/%s", folder, file);
	FILE *in = fopen(path, "rb");
	if (!in)
		return false;
	while ((got = fread(part, 1, sizeof part, in)) > 0)
		buffer_add(b, part, got);
	fclose(in);
	buffer_add(b, "", 1);
	return true;
}

static bool is_close(double a, double b, double tolerance)
{
	double larger = fabs(a) > fabs(b) ? fabs(a) : fabs(b);
	return a == b || (isnan(a) && isnan(b)) || fabs(a - b) <= tolerance * larger;
}

/* The same bytes, but that a number may differ a little. */
static bool same_about(const char *a, const char *b, double tolerance)
{
	while (*a && *b) {
		char *a_end, *b_end;
		double x = strtod(a, &a_end), y = strtod(b, &b_end);
		if (a_end != a && b_end != b) {
			if (!is_close(x, y, tolerance))
				return false;
			a = a_end;
			b = b_end;
		} else if (*a++ != *b++) {
			return false;
		}
	}
	return *a == *b;
}

static bool same_file(const struct campaign_config *c, const char *golden, const char *other, const char *file)
{
	struct buffer a = { 0 }, b = { 0 };
	bool there = whole(&a, golden, file), too = whole(&b, other, file);
	bool same = there == too && (!there || (a.count == b.count && !memcmp(a.at, b.at, a.count)));
	if (!same && there && too && c->tolerance > 0 && strlen((char *)a.at) + 1 == a.count && strlen((char *)b.at) + 1 == b.count)
		same = same_about((char *)a.at, (char *)b.at, c->tolerance);
	buffer_release(&a);
	buffer_release(&b);
	return same;
}

bool outputs_same(const struct campaign_config *c, const char *golden, const char *other)
{
	bool same = !c->output_stdout || same_file(c, golden, other, OUTPUT_STDOUT);
	for (size_t i = 0; i < c->outputs.count && same; i++)
		same = same_file(c, golden, other, c->outputs.at[i]);
	return same;
}

bool outputs_match(const char *folder, const char *file, const char *regex)
{
	struct buffer text = { 0 };
	regex_t r;
	if (!whole(&text, folder, file))
		return false;
	check(regcomp(&r, regex, REG_EXTENDED | REG_NOSUB | REG_NEWLINE) == 0);
	bool is = regexec(&r, (char *)text.at, 0, NULL, 0) == 0;
	regfree(&r);
	buffer_release(&text);
	return is;
}

int outputs_copy(const char *folder, const char *file, const char *to, struct err *why)
{
	struct buffer bytes = { 0 };
	struct stat s;
	char path[8192];
	const char *slash = strrchr(file, '/');
	bool absolute = *file == '/';
	if (!whole(&bytes, absolute ? "/" : folder, file)) {
		err_set(why, "cannot open '%.200s': %s", file, str_error(errno));
		why->code = 2;
		return -1;
	}
	snprintf(path, sizeof path, "%s/%s", absolute ? "/" : folder, file);
	mode_t mode = stat(path, &s) == 0 ? s.st_mode & 0777 : 0600;
	snprintf(path, sizeof path, "%s/%s", to, slash ? slash + 1 : file);
	FILE *out = fopen(path, "wb");
	bool good = out && fwrite(bytes.at, 1, bytes.count - 1, out) == bytes.count - 1;
	good = out && fclose(out) == 0 && good;
	buffer_release(&bytes);
	if (!good)
		return err_set(why, "cannot write '%.200s': %s", path, str_error(errno));
	chmod(path, mode | 0200);
	return 0;
}

int outputs_copy_all(const char *folder, const char *to, struct err *why)
{
	char from[4400], into[4400];
	struct stat s;
	DIR *d = opendir(folder);
	int got = d ? 0 : err_set(why, "cannot open '%.200s': %s", folder, str_error(errno));
	for (struct dirent *e; d && got == 0 && (e = readdir(d)); ) {
		if (!strcmp(e->d_name, ".") || !strcmp(e->d_name, ".."))
			continue;
		snprintf(from, sizeof from, "%s/%s", folder, e->d_name);
		snprintf(into, sizeof into, "%s/%s", to, e->d_name);
		if (lstat(from, &s) < 0 || !(S_ISDIR(s.st_mode) || S_ISREG(s.st_mode)))
			got = err_set(why, "cannot copy '%.200s'", from);
		else if (S_ISREG(s.st_mode))
			got = outputs_copy(folder, e->d_name, to, why);
		else if (mkdir(into, 0700) < 0)
			got = err_set(why, "cannot make folder '%.200s': %s", into, str_error(errno));
		else
			got = outputs_copy_all(from, into, why);
	}
	if (d)
		closedir(d);
	return got;
}

void outputs_move(const char *from, const char *to)
{
	struct buffer bytes = { 0 };
	if (rename(from, to) == 0 || !whole(&bytes, "", from))
		return;
	FILE *out = fopen(to, "wb");
	if (out) {
		fwrite(bytes.at, 1, bytes.count - 1, out);
		fclose(out);
	}
	buffer_release(&bytes);
}
