/* cli/clean.c -- see clean.h.  stdout and stderr become streams whose write function lets only clean text through.
 * A mark is ESC, 16 digits drawn when the process began, and a letter. */
#include "cli/clean.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

#include "base/str.h"
#include "base/vec.h"

#define ESC         '\033'
#define DIGITS      16u
#define MARK_BYTES  (DIGITS + 2)
#define OUT_ROOM    8192u

static const char *const codes[MARK_COUNT] = { "\033[0m", "\033[2m", "\033[1m", "\033[31m", "\033[32m", "\033[36m", "\r", "\033[K" };
static char marks[MARK_COUNT][MARK_BYTES + 1];

struct clean {
	int fd;
	size_t held;                    /* the beginning of a character, or of a mark, whose rest is to come */
	char holds[MARK_BYTES];
	size_t used;
	char out[OUT_ROOM];
	bool failed;
};

static struct clean streams[2] = { { .fd = 1 }, { .fd = 2 } };

static void drain(struct clean *c)
{
	for (size_t done = 0; done < c->used && !c->failed;) {
		ssize_t n = write(c->fd, c->out + done, c->used - done);
		if (n < 0 && errno == EINTR)
			continue;
		c->failed = n <= 0;
		done += n > 0 ? (size_t)n : 0;
	}
	c->used = 0;
}

static void put(struct clean *c, const char *bytes, size_t count)
{
	for (size_t n; count; bytes += n, count -= n) {
		if (c->used == OUT_ROOM)
			drain(c);
		n = count < OUT_ROOM - c->used ? count : OUT_ROOM - c->used;
		memcpy(c->out + c->used, bytes, n);
		c->used += n;
	}
}

static void put_escaped(struct clean *c, unsigned char byte)
{
	char text[8];
	put(c, text, (size_t)snprintf(text, sizeof text, "\\x%02x", byte));
}

static bool is_plain(unsigned char c)
{
	return (c >= 32 && c < 127) || c == '\n' || c == '\t';
}

/* Could these be the beginning of something longer? */
static bool is_begun(const char *at, size_t left)
{
	unsigned char first = (unsigned char)*at;
	size_t whole = first >= 0xf0 && first < 0xf5 ? 4 : first >= 0xe0 ? 3 : 2;
	if (first == ESC)
		return left < MARK_BYTES && !memcmp(at, marks[0], left < MARK_BYTES - 1 ? left : MARK_BYTES - 1);
	if (first < 0xc2 || first >= 0xf5 || left >= whole)
		return false;
	for (size_t i = 1; i < left; i++)
		if ((at[i] & 0xc0) != 0x80)
			return false;
	return true;
}

static const char *mark_at(const char *at, size_t left)
{
	unsigned which = left >= MARK_BYTES ? (unsigned)(at[MARK_BYTES - 1] - 'a') : MARK_COUNT;
	return which < MARK_COUNT && !memcmp(at, marks[which], MARK_BYTES) ? codes[which] : NULL;
}

/* One character that is not plain; how many bytes it took. */
static size_t put_other(struct clean *c, const char *at, size_t left)
{
	char copy[5] = "";
	const char *code = *at == ESC ? mark_at(at, left) : NULL;
	if (code) {
		put(c, code, strlen(code));
		return MARK_BYTES;
	}
	memcpy(copy, at, left < 4 ? left : 4);
	size_t shown = str_shown(copy);
	if (shown)
		put(c, at, shown);
	else
		put_escaped(c, (unsigned char)*at);
	return shown ? shown : 1;
}

static void put_clean(struct clean *c, const char *at, size_t left)
{
	for (size_t n; left; at += n, left -= n) {
		for (n = 0; n < left && is_plain((unsigned char)at[n]); n++)
			;
		put(c, at, n);
		if (n)
			continue;
		if (is_begun(at, left)) {
			memcpy(c->holds, at, left);
			c->held = left;
			return;
		}
		n = put_other(c, at, left);
	}
}

static ssize_t clean_write(void *cookie, const char *bytes, size_t count)
{
	struct clean *c = cookie;
	c->failed = false;
	if (c->held) {
		char *all = mem_take(c->held + count);
		size_t held = c->held;
		memcpy(all, c->holds, held);
		memcpy(all + held, bytes, count);
		c->held = 0;
		put_clean(c, all, held + count);
		mem_free(all);
	} else {
		put_clean(c, bytes, count);
	}
	drain(c);
	return c->failed ? 0 : (ssize_t)count;
}

/* What was begun and never ended is no character. */
static void finish(void)
{
	fflush(stdout);
	for (int i = 0; i < 2; i++) {
		for (size_t k = 0; k < streams[i].held; k++)
			put_escaped(&streams[i], (unsigned char)streams[i].holds[k]);
		streams[i].held = 0;
		drain(&streams[i]);
	}
}

static void draw_marks(void)
{
	uint64_t any;
	if (getrandom(&any, sizeof any, GRND_NONBLOCK) != sizeof any) {
		struct timespec now;
		clock_gettime(CLOCK_MONOTONIC, &now);
		any = (uint64_t)now.tv_nsec * 0x9e3779b97f4a7c15ull ^ (uint64_t)(uintptr_t)&any;
	}
	for (int i = 0; i < MARK_COUNT; i++)
		snprintf(marks[i], sizeof marks[i], "%c%016llx%c", ESC, (unsigned long long)any, 'a' + i);
}

void clean_begin(void)
{
	cookie_io_functions_t how = { .write = clean_write };
	draw_marks();
	FILE *out = fopencookie(&streams[0], "w", how), *other = fopencookie(&streams[1], "w", how);
	if (!out || !other)
		abort();
	setvbuf(out, NULL, isatty(1) ? _IOLBF : _IOFBF, isatty(1) ? 4096 : 65536);
	setvbuf(other, NULL, _IONBF, 0);
	stdout = out;
	stderr = other;
	atexit(finish);
}

const char *clean_mark(enum mark m)
{
	return marks[m];
}
