/* rt/outside.c -- records of what crosses the border of the process.
 * INPUT and OUTPUT carry the file descriptor plus one where other records have a version (0: no descriptor).
 * OUTPUT is written before the call, because another thread or process may act on the bytes at once; one without a payload
 * follows only when fewer bytes went out than asked for, with the true count and errno.
 * errno is not touched here: records are written without libc. */
#include <errno.h>

#include "rt/effect.h"

static uint64_t fd_word(int fd)
{
	return fd < 0 ? 0 : (uint64_t)fd + 1;
}

void note_input(int fd, const void *to, int64_t got, uint64_t pc)
{
	if (got > 0 && to)
		rt_event_bytes(EV_INPUT, (uint64_t)to, (uint64_t)got, fd_word(fd), to, (size_t)got, INPUT_LIMIT, pc);
	else
		rt_event(EV_INPUT, (uint64_t)to, got > 0 ? (uint64_t)got : 0, fd_word(fd), got < 0 ? errno : 0, pc);
	if (got > 0 && to && raddle_tls.mode >= MODE_ACCESS && memory_is_watched(to))
		memory_check_range(to, (uint64_t)got, true);
	if (got > 0 && to && raddle_tls.mode >= MODE_ACCESS)
		rt_event_bytes(EV_LIBWRITE, (uint64_t)to, (uint64_t)got, 0, to, (size_t)got, INPUT_LIMIT, pc);
}

void note_output(int fd, const void *from, uint64_t bytes, uint64_t pc)
{
	if (from && bytes && !sys_readable(from, bytes < EFFECT_LIMIT ? bytes : EFFECT_LIMIT))
		from = NULL;                     /* the kernel will refuse it too */
	if (raddle_tls.mode >= MODE_ACCESS)
		effect_read(from, bytes, pc);
	if (from && bytes)
		rt_event_bytes(EV_OUTPUT, (uint64_t)from, bytes, fd_word(fd), from, bytes, EFFECT_LIMIT, pc);
	else
		rt_event(EV_OUTPUT, (uint64_t)from, bytes, fd_word(fd), 0, pc);
}

void note_sent(int fd, const void *from, int64_t sent, uint64_t asked, uint64_t pc)
{
	if (sent < 0 || (uint64_t)sent != asked)
		rt_event(EV_OUTPUT, (uint64_t)from, sent < 0 ? 0 : (uint64_t)sent, fd_word(fd), sent < 0 ? errno : 0, pc);
}

void note_outcall(const char *name, int64_t result, uint64_t pc)
{
	size_t length = 0;
	while (name[length])
		length++;
	rt_event_bytes(EV_OUTCALL, 0, (uint64_t)result, 0, name, length, EFFECT_LIMIT, pc);
}

void effect_copy(const void *to, const void *from, uint64_t bytes, uint64_t pc)
{
	char payload[8 + EFFECT_LIMIT];
	uint64_t keep = bytes < EFFECT_LIMIT ? bytes : EFFECT_LIMIT;
	if (!bytes)
		return;
	if (memory_is_watched(from))
		memory_check_range(from, bytes, false);
	if (memory_is_watched(to))
		memory_check_range(to, bytes, true);
	buffer_after(to, bytes);
	copy_bytes(payload, &from, 8);
	copy_bytes(payload + 8, to, keep);
	rt_event_bytes(EV_COPY, (uint64_t)to, bytes, 0, payload, 8 + bytes, 8 + keep, pc);
}
