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
#include "base/file.h"
#include "base/str.h"

#define NUMBER_MOST 512u                        /* characters of a number written out, more than there are of a double */

/* To be read, if it is a file: a program may have left something else by that name. */
static FILE *read_file(const char *path)
{
	struct err ignored;
	return file_stream(path, &ignored);
}

static FILE *new_file(const char *path)
{
	struct err ignored;
	int fd = file_create(path, FILE_OURS, &ignored);
	return fd < 0 ? NULL : fdopen(fd, "w");
}

/* All of a file with a zero behind it; false: it is not there. */
static bool whole(struct buffer *b, const char *folder, const char *file)
{
	char path[8192], part[16384];
	size_t got;
	snprintf(path, sizeof path, "%s/%s", folder, file);
	FILE *in = read_file(path);
	if (!in)
		return false;
	while ((got = fread(part, 1, sizeof part, in)) > 0)
		buffer_add(b, part, got);
	fclose(in);
	buffer_add(b, "", 1);
	return true;
}

/* Infinite and not-a-number are near nothing but themselves. */
static bool is_close(double a, double b, double tolerance)
{
	double larger = fabs(a) > fabs(b) ? fabs(a) : fabs(b);
	if (!isfinite(a) || !isfinite(b))
		return a == b || (isnan(a) && isnan(b));
	return a == b || fabs(a - b) <= tolerance * larger;
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* How many characters a number has that begins here, a sign in front being one: 0: there is none.  inf and nan are words. */
static size_t number_length(const char *text)
{
	const char *at = text;
	at += *at == '-' || *at == '+';
	const char *digits = at;
	while (is_digit(*at))
		at++;
	size_t count = (size_t)(at - digits);
	if (count > 1 && *digits == '0')
		return 0;                               /* 007 is no number, but what stands there */
	if (*at == '.' && (count || is_digit(at[1])))
		for (at++; is_digit(*at); at++)
			count++;
	if (!count)
		return 0;
	if (*at == 'e' || *at == 'E') {
		const char *exponent = at + 1;
		exponent += *exponent == '-' || *exponent == '+';
		if (is_digit(*exponent))
			for (at = exponent; is_digit(*at); )
				at++;
	}
	return (size_t)(at - text);
}

/* The same bytes, but that a number may differ a little; what stands behind a digit or a point is no new one. */
static bool same_about(const char *a, const char *b, double tolerance)
{
	for (char last = 0; *a && *b; last = a[-1]) {
		bool begins = !is_digit(last) && last != '.';
		size_t a_length = begins ? number_length(a) : 0, b_length = begins ? number_length(b) : 0;
		if (a_length && b_length) {
			if (!is_close(strtod(a, NULL), strtod(b, NULL), tolerance))
				return false;
			a += a_length;
			b += b_length;
		} else if (*a++ != *b++) {
			return false;
		}
	}
	return *a == *b;
}

/* Both byte for byte, a piece at a time. */
static bool same_bytes(FILE *a, FILE *b)
{
	char x[16384], y[16384];
	size_t got;
	while ((got = fread(x, 1, sizeof x, a)) > 0)
		if (fread(y, 1, sizeof y, b) != got || memcmp(x, y, got))
			return false;
	return fread(y, 1, 1, b) == 0;
}

static bool same_text(const char *golden, const char *other, const char *file, double tolerance)
{
	struct buffer a = { 0 }, b = { 0 };
	bool same = whole(&a, golden, file) && whole(&b, other, file) && strlen((char *)a.at) + 1 == a.count && strlen((char *)b.at) + 1 == b.count
		&& same_about((char *)a.at, (char *)b.at, tolerance);
	buffer_release(&a);
	buffer_release(&b);
	return same;
}

static FILE *opened(const char *folder, const char *file, uint64_t *bytes)
{
	char path[8192];
	struct stat s;
	snprintf(path, sizeof path, "%s/%s", folder, file);
	FILE *f = read_file(path);
	*bytes = f && fstat(fileno(f), &s) == 0 ? (uint64_t)s.st_size : 0;
	return f;
}

/* A file a fault made huge is another one at once, and is not read: numbers take no more than NUMBER_MOST times the room. */
static bool same_file(const struct campaign_config *c, const char *golden, const char *other, const char *file)
{
	uint64_t a_bytes, b_bytes;
	FILE *a = opened(golden, file, &a_bytes), *b = opened(other, file, &b_bytes);
	bool same = !a && !b;
	if (a && b)
		same = a_bytes == b_bytes && same_bytes(a, b);
	if (!same && a && b && c->tolerance > 0 && b_bytes / NUMBER_MOST <= a_bytes)
		same = same_text(golden, other, file, c->tolerance);
	if (a)
		fclose(a);
	if (b)
		fclose(b);
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
	FILE *out = new_file(path);
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
	FILE *out = new_file(to);
	if (out) {
		fwrite(bytes.at, 1, bytes.count - 1, out);
		fclose(out);
	}
	buffer_release(&bytes);
}
