/* analyses/check/ends.c -- see ends.h. */
#include "analyses/check/ends.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#define SPINS  0x100u
#define AGAIN  0x200u
#define DISCARDED 0x400u
#define COUNT  0xffu
#define MOST   (1u << 16)               /* words in memory */
#define WINDOW (1u << 14)

static int open_file(void)
{
	char path[] = "/tmp/raddle-ends.XXXXXX";
	int file = open("/tmp", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	if (file < 0 && (file = mkostemp(path, O_CLOEXEC)) >= 0)
		unlink(path);
	return file;
}

/* What is in memory goes into the file; where there can be none it stays. */
static void spill(struct ends *e)
{
	size_t bytes = e->words.count * sizeof *e->words.at, done = 0;
	if (!e->file)
		e->file = open_file();
	while (e->file > 0 && done < bytes) {
		ssize_t got = pwrite(e->file, (const char *)e->words.at + done, bytes - done, (off_t)(e->in_file * sizeof *e->words.at + done));
		if (got <= 0)
			return;                 /* the disk is full: they are written another time, or stay */
		done += (size_t)got;
	}
	if (e->file < 0)
		return;
	e->in_file += e->words.count;
	vec_clear(&e->words);
}

size_t ends_add(struct ends *e, const struct run_end *end, bool again)
{
	size_t place = e->in_file + e->words.count;
	check(end->count <= MAX_THREADS);
	vec_push(&e->words, end->count | (end->spins ? SPINS : 0) | (again ? AGAIN : 0) | (end->discarded ? DISCARDED : 0));
	for (uint32_t i = 0; i < end->count; i++)
		vec_push(&e->words, end->at[i]);
	e->count++;
	e->again += again;
	if (e->words.count >= MOST)
		spill(e);
	return place;
}

static uint32_t word(struct ends *e, size_t place)
{
	if (place >= e->in_file)
		return e->words.at[place - e->in_file];
	if (place < e->window_at || place - e->window_at >= e->window.count) {
		size_t many = e->in_file - place < WINDOW ? e->in_file - place : WINDOW, bytes = many * sizeof *e->window.at;
		if (!e->window.at)
			e->window.at = mem_take((e->window.room = WINDOW) * sizeof *e->window.at);
		for (size_t done = 0; done < bytes;) {
			ssize_t got = pread(e->file, (char *)e->window.at + done, bytes - done, (off_t)(place * sizeof *e->window.at + done));
			check(got > 0);
			done += (size_t)got;
		}
		e->window.count = many;
		e->window_at = place;
	}
	return e->window.at[place - e->window_at];
}

bool ends_next(struct ends *e, size_t *place, struct run_end *out, bool *again)
{
	if (*place >= e->in_file + e->words.count)
		return false;
	uint32_t head = word(e, (*place)++);
	out->count = head & COUNT;
	out->spins = head & SPINS;
	out->discarded = head & DISCARDED;
	*again = head & AGAIN;
	for (uint32_t i = 0; i < MAX_THREADS; i++)
		out->at[i] = i < out->count ? word(e, (*place)++) : NO_NODE;
	return true;
}

void ends_release(struct ends *e)
{
	vec_release(&e->words);
	vec_release(&e->window);
	if (e->file > 0)
		close(e->file);
	*e = (struct ends){ 0 };
}
