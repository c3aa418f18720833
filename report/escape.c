/* report/escape.c -- see escape.h. */
#include "report/escape.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/buffer.h"
#include "base/str.h"

void escape_text(FILE *to, const char *text)
{
	for (size_t length; *text; text += length ? length : 1) {
		length = str_shown(text);
		if (length)
			fwrite(text, 1, length, to);
		else
			fprintf(to, "\\x%02x", (unsigned char)*text);
	}
}

static bool is_xml(const unsigned char *s, size_t length)
{
	if (length == 1)
		return *s >= 32 || *s == '\t' || *s == '\n';            /* a lone \r would come back as \n */
	return !(length == 3 && s[0] == 0xef && s[1] == 0xbf && s[2] >= 0xbe);  /* U+FFFE, U+FFFF */
}

void escape_xml(FILE *to, const char *text)
{
	for (const unsigned char *s = (const unsigned char *)text; *s;) {
		size_t length = str_utf8((const char *)s);
		if (!length || !is_xml(s, length))
			fputs("\xef\xbf\xbd", to);
		else if (*s == '&' || *s == '<' || *s == '>' || *s == '"' || *s == '\'' || *s == '\n' || *s == '\t')
			fprintf(to, "&#%u;", *s);
		else
			fwrite(s, 1, length, to);
		s += length ? length : 1;
	}
}

static bool stands_for_itself(unsigned char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || (c && strchr("-._~/", c));
}

char *escape_uri(const char *path, const char *root)
{
	struct buffer b = { 0 };
	size_t length = root ? strlen(root) : 0;
	if (length > 1 && !strncmp(path, root, length) && path[length] == '/' && path[length + 1])
		path += length + 1;
	if (*path == '/')
		buffer_print(&b, "file://");
	for (const unsigned char *s = (const unsigned char *)path; *s; s++)
		if (stands_for_itself(*s))
			buffer_add(&b, s, 1);
		else
			buffer_print(&b, "%%%02X", *s);
	buffer_add(&b, "", 1);
	return (char *)b.at;
}
