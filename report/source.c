/* report/source.c -- see source.h. */
#include "report/source.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/err.h"

#define FILE_MOST (8u << 20)

static bool named_like_source(const char *path)
{
	static const char *const ends[] = { "c", "h", "cc", "hh", "cpp", "hpp", "cxx", "hxx", "c++", "h++", "C", "H", "inc", "inl", "ipp", "tcc",
		"tpp", "def", "i", "ii", "y", "l", "re" };
	const char *dot = strrchr(path, '.'), *slash = strrchr(path, '/');
	if (!dot || (slash && dot < slash))
		return false;
	for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
		if (!strcmp(dot + 1, ends[i]))
			return true;
	return false;
}

/* All of it with a zero behind it, or NULL. */
static char *bytes_of(const char *path, size_t *count)
{
	struct stat facts;
	int in = named_like_source(path) ? open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY) : -1;
	if (in < 0)
		return NULL;
	char *bytes = NULL;
	*count = 0;
	if (fstat(in, &facts) == 0 && S_ISREG(facts.st_mode) && facts.st_size <= FILE_MOST) {
		size_t size = (size_t)facts.st_size;
		bytes = mem_take(size + 1);
		for (ssize_t got; *count < size && (got = read(in, bytes + *count, size - *count)) > 0;)
			*count += (size_t)got;
	}
	close(in);
	if (bytes && memchr(bytes, 0, *count)) {                /* no text */
		mem_free(bytes);
		bytes = NULL;
	}
	return bytes;
}

/* Of a file compiled by its whole name debug information may keep the part below a folder it shares with the compiler's: that is one above us, often. */
static char *bytes_above(const char *path, size_t *count)
{
	char above[4096];
	char *bytes = NULL;
	if (*path == '/' || !strchr(path, '/'))
		return NULL;
	for (int up = 1; up <= 16 && !bytes; up++)
		if (snprintf(above, sizeof above, "%.*s%s", 3 * up, "../../../../../../../../../../../../../../../../", path) < (int)sizeof above)
			bytes = bytes_of(above, count);
	return bytes;
}

static void load(struct source_file *f, const char *path)
{
	size_t count = 0;
	f->bytes = bytes_of(path, &count);
	if (!f->bytes)
		f->bytes = bytes_above(path, &count);
	if (!f->bytes)
		return;
	for (char *at = f->bytes, *end = at + count; at < end;) {
		char *stop = memchr(at, '\n', (size_t)(end - at));
		vec_push(&f->lines, at);
		if (!stop)
			break;
		*stop = 0;
		if (stop > at && stop[-1] == '\r')
			stop[-1] = 0;
		at = stop + 1;
	}
}

uint32_t source_file(struct sources *s, const char *path)
{
	uint32_t file = names_put(&s->names, path, strlen(path));
	if (file == s->files.count)
		load(vec_add(&s->files), path);
	return file;
}

const char *source_line(const struct sources *s, uint32_t file, uint32_t line)
{
	check(file < s->files.count);
	const struct source_file *f = &s->files.at[file];
	return line && line <= f->lines.count ? f->lines.at[line - 1] : NULL;
}

void sources_release(struct sources *s)
{
	for (size_t i = 0; i < s->files.count; i++) {
		mem_free(s->files.at[i].bytes);
		vec_release(&s->files.at[i].lines);
	}
	vec_release(&s->files);
	names_release(&s->names);
}
