/* base/ini.c -- see ini.h.  The text is cut up in place. */
#include "base/ini.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/file.h"
#include "base/str.h"

static char *trimmed(char *text)
{
	while (isspace((unsigned char)*text))
		text++;
	char *end = text + strlen(text);
	while (end > text && isspace((unsigned char)end[-1]))
		*--end = 0;
	return text;
}

static void cut_comment(char *line)
{
	for (char *c = line; *c; c++)
		if ((*c == '#' || *c == ';') && (c == line || isspace((unsigned char)c[-1]))) {
			*c = 0;
			return;
		}
}

static int bad_line(const char *path, unsigned number, const char *what, struct err *why)
{
	err_set(why, "'%.200s', line %u: %s", path, number, what);
	why->code = 3;
	return -1;
}

static int take_line(struct ini *i, char *line, const char **section, unsigned number, const char *path, struct err *why)
{
	cut_comment(line);
	line = trimmed(line);
	size_t length = strlen(line);
	if (!length)
		return 0;
	if (*line == '[') {
		if (line[length - 1] != ']')
			return bad_line(path, number, "a section has no ']' at its end", why);
		line[length - 1] = 0;
		*section = trimmed(line + 1);
		return 0;
	}
	char *equals = strchr(line, '=');
	if (!equals)
		return bad_line(path, number, "neither a section nor 'key = value'", why);
	*equals = 0;
	struct ini_line one = { *section, trimmed(line), trimmed(equals + 1), number };
	if (!*one.key)
		return bad_line(path, number, "a value without a key", why);
	vec_push(&i->lines, one);
	return 0;
}

int ini_read(struct ini *i, const char *path, struct err *why)
{
	struct buffer text = { 0 };
	char part[4096];
	size_t got;
	memset(i, 0, sizeof *i);
	FILE *file = file_stream(path, why);
	if (!file) {
		why->code = 3;
		return -1;
	}
	while ((got = fread(part, 1, sizeof part, file)) > 0)
		buffer_add(&text, part, got);
	fclose(file);
	buffer_add(&text, "", 1);
	i->text = (char *)text.at;
	i->bytes = text.count - 1;
	if (strlen(i->text) != i->bytes)
		return bad_line(path, 1, "not a text", why);
	const char *section = "";
	char *rest = i->text, *line;
	for (unsigned number = 1; (line = strsep(&rest, "\n")); number++)
		if (take_line(i, line, &section, number, path, why) < 0)
			return -1;
	return 0;
}

void ini_release(struct ini *i)
{
	vec_release(&i->lines);
	mem_free(i->text);
	i->text = NULL;
}
