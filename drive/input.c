/* drive/input.c -- X.input files: written from what a runtime kept, read and checked before a runtime is given them.
 * Both directions stream through buffers of fixed size, except that a stream is mapped once to be checked. */
#include "drive/input.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>
#include <zstd.h>

#include "base/file.h"
#include "base/str.h"
#include "base/unpack.h"
#include "base/vec.h"
#include "drive/ring.h"
#include "wire/input.h"
#include "wire/steer.h"

#define PART      (256u << 10)
#define LEVEL     3

const char *input_name(const char *schedule, char *into, size_t room)
{
	size_t length = strlen(schedule);
	if (length > 6 && strcmp(schedule + length - 6, ".sched") == 0)
		length -= 6;
	snprintf(into, room, "%.*s.input", (int)length, schedule);
	const char *slash = strrchr(into, '/');
	return slash ? slash + 1 : into;
}

void input_beside(const char *schedule, const char *name, char *into, size_t room)
{
	const char *slash = strrchr(schedule, '/');
	snprintf(into, room, "%.*s%s", slash ? (int)(slash - schedule) + 1 : 0, schedule, name);
}

int input_make(struct err *why)
{
	int fd = memfd_create("raddle-input", 0);
	if (fd < 0)
		return err_set(why, "cannot make memory to keep input in: %s", str_error(errno));
	return ring_move_high(fd);
}

/* ---------------------------------------------------------------- is it sound */

static uint64_t padded(uint64_t bytes)
{
	return (bytes + 7) & ~7ull;
}

static bool pieces_are_sound(const char *at, const struct input_record *r)
{
	uint64_t where = sizeof *r;
	for (unsigned i = 0; i < r->pieces; i++) {
		struct input_piece p;
		if (r->bytes - where < sizeof p)
			return false;
		memcpy(&p, at + where, sizeof p);
		where += sizeof p;
		if (p.index >= INPUT_PIECES || p.bytes > r->bytes - where || padded(p.bytes) > r->bytes - where)
			return false;
		where += padded(p.bytes);
	}
	return where == r->bytes;
}

static bool record_is_sound(const char *at, uint64_t left, struct input_record *r)
{
	if (left < sizeof *r)
		return false;
	memcpy(r, at, sizeof *r);
	if (r->bytes < sizeof *r || r->bytes > left || r->bytes % 8 || r->pieces > INPUT_PIECES)
		return false;
	if (r->what < INPUT_STRAND || r->what > INPUT_SIGNAL)
		return false;
	bool nobodys = r->what == INPUT_CLOCK || r->what == INPUT_SIGNAL;
	if (nobodys ? r->strand != STEER_STRANDS : r->strand >= STEER_STRANDS)
		return false;
	return r->flags <= INPUT_MORE && pieces_are_sound(at, r);
}

uint64_t input_check(const void *stream, uint64_t bytes)
{
	const char *at = stream;
	uint64_t offset = 0;
	struct input_record r;
	while (offset < bytes && record_is_sound(at + offset, bytes - offset, &r))
		offset += r.bytes;
	return offset;
}

void input_each_variable(int fd, void (*each)(void *to, const char *name, size_t length), void *to)
{
	struct stat about;
	struct input_record r;
	struct input_piece p;
	size_t size = fstat(fd, &about) < 0 ? 0 : (size_t)about.st_size;
	char *stream = size ? mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0) : MAP_FAILED;
	if (stream == MAP_FAILED)
		return;
	for (uint64_t at = 0; at < size && record_is_sound(stream + at, size - at, &r); at += r.bytes) {
		if (r.what != INPUT_TEXT || !r.pieces)
			continue;
		memcpy(&p, stream + at + sizeof r, sizeof p);
		if (p.index == 0)
			each(to, stream + at + sizeof r + sizeof p, p.bytes);
	}
	munmap(stream, size);
}

/* ---------------------------------------------------------------- written */

static int write_all(int fd, const void *bytes, size_t count)
{
	for (size_t done = 0; done < count;) {
		ssize_t n = write(fd, (const char *)bytes + done, count - done);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return -1;
		done += (size_t)n;
	}
	return 0;
}

/* What came to fewer bytes than a reader believes gets more behind it (base/unpack.h). */
static int pad(uint64_t packed, uint64_t bytes, int out)
{
	uint64_t least = bytes / UNPACK_RATIO + 1;
	char zeros[4096] = { 0 };
	int result = 0;
	for (uint64_t n; packed < least && result == 0; packed += n) {
		n = least - packed < sizeof zeros ? least - packed : sizeof zeros;
		result = write_all(out, zeros, n);
	}
	return result;
}

static int press(const char *stream, uint64_t bytes, int out)
{
	char *room = mem_take(PART);
	ZSTD_CCtx *z = ZSTD_createCCtx();
	ZSTD_inBuffer in = { stream, bytes, 0 };
	size_t left = 1;
	uint64_t packed = 0;
	int result = z ? 0 : -1;
	if (z)
		ZSTD_CCtx_setParameter(z, ZSTD_c_compressionLevel, LEVEL);
	while (result == 0 && left) {
		ZSTD_outBuffer to = { room, PART, 0 };
		left = ZSTD_compressStream2(z, &to, &in, ZSTD_e_end);
		result = ZSTD_isError(left) ? -1 : write_all(out, room, to.pos);
		packed += to.pos;
	}
	ZSTD_freeCCtx(z);
	mem_free(room);
	return result == 0 ? pad(packed, bytes, out) : -1;
}

static int cannot_write(const char *path, struct err *why)
{
	err_set(why, "cannot write '%s': %s", path, str_error(errno ? errno : EIO));
	why->code = 125;
	return -1;
}

int input_save(int fd, const char *path, uint64_t *hash, struct err *why)
{
	struct stat about;
	struct input_file head = { .magic = INPUT_MAGIC, .version = INPUT_VERSION };
	if (fstat(fd, &about) < 0)
		return cannot_write(path, why);
	size_t size = (size_t)about.st_size;
	char *stream = size ? mmap(NULL, size, PROT_READ, MAP_SHARED, fd, 0) : NULL;
	if (stream == MAP_FAILED)
		return cannot_write(path, why);
	head.bytes = input_check(stream, size);
	head.hash = *hash = XXH64(stream ? stream : "", head.bytes, 0);
	int out = file_create(path, FILE_OURS, why);
	bool bad = out < 0 || write_all(out, &head, sizeof head) < 0 || press(stream ? stream : "", head.bytes, out) < 0;
	if (out >= 0 && close(out) < 0)
		bad = true;
	if (stream)
		munmap(stream, size);
	return bad ? cannot_write(path, why) : 0;
}

/* ---------------------------------------------------------------- read */

static int damaged(const char *path, const char *how, struct err *why)
{
	err_set(why, "input '%s' is damaged: %s", path, how);
	err_hint(why, "record the run again: raddle run --save-schedule=...");
	why->code = 3;
	return -1;
}

static int unpress(int in, int out, uint64_t bytes, const char **how)
{
	char *room = mem_take(2 * PART);
	ZSTD_DCtx *z = ZSTD_createDCtx();
	uint64_t done = 0;
	size_t hint = 1;
	int result = z ? 0 : -1;
	*how = "it cannot be unpacked";
	while (result == 0 && hint) {
		ssize_t n = read(in, room, PART);
		ZSTD_inBuffer from = { room, n > 0 ? (size_t)n : 0, 0 };
		if (n <= 0) {
			*how = "it is cut short";
			result = -1;
		}
		while (result == 0 && hint && from.pos < from.size) {
			ZSTD_outBuffer to = { room + PART, PART, 0 };
			hint = ZSTD_decompressStream(z, &to, &from);
			done += to.pos;
			if (ZSTD_isError(hint) || done > bytes || write_all(out, room + PART, to.pos) < 0)
				result = -1;
		}
	}
	ZSTD_freeDCtx(z);
	mem_free(room);
	return result == 0 && done == bytes ? 0 : -1;
}

static int check_stream(int fd, const struct input_file *head, const char **how)
{
	char *stream = head->bytes ? mmap(NULL, head->bytes, PROT_READ, MAP_SHARED, fd, 0) : NULL;
	*how = "its bytes do not fit its checksum";
	if (stream == MAP_FAILED)
		return -1;
	bool good = XXH64(stream ? stream : "", head->bytes, 0) == head->hash;
	if (good && input_check(stream, head->bytes) != head->bytes) {
		*how = "it has a record that makes no sense";
		good = false;
	}
	if (stream)
		munmap(stream, head->bytes);
	return good ? 0 : -1;
}

/* What it says of itself, before anything is made for it.  0, or -1 and why. */
static int read_head(int in, const char *path, uint64_t hash, struct input_file *head, struct err *why)
{
	struct stat about;
	ssize_t n = read(in, head, sizeof *head);
	if (n == sizeof *head && head->magic == INPUT_MAGIC && head->version != INPUT_VERSION) {
		err_set(why, "input '%s' has version %u, this raddle reads %u", path, head->version, INPUT_VERSION);
	} else if (n != sizeof *head || head->magic != INPUT_MAGIC || fstat(in, &about) < 0) {
		return damaged(path, "it is no such file", why);
	} else if (head->hash != hash) {
		err_set(why, "input '%s' is not the one its schedule was made with", path);
	} else if (!unpack_ratio_fits((uint64_t)about.st_size, head->bytes)) {
		return damaged(path, "it claims to hold more than 1,000 times its size", why);
	} else {
		return unpack_take(head->bytes, "the input of the schedule", why);
	}
	why->code = 3;
	return -1;
}

int input_load(const char *path, uint64_t hash, struct err *why)
{
	struct input_file head;
	const char *how;
	int in = file_open_read(path, why), out = -1;
	if (in < 0) {
		err_hint(why, "it belongs to the schedule, which was made together with it; raddle replay --no-input asks the outside again");
		why->code = 3;
		return -1;
	}
	if (read_head(in, path, hash, &head, why) == 0) {
		out = input_make(why);
		if (out >= 0 && (unpress(in, out, head.bytes, &how) < 0 || check_stream(out, &head, &how) < 0)) {
			close(out);
			out = damaged(path, how, why);
		}
		if (out < 0)
			unpack_give(head.bytes);
	}
	close(in);
	return out;
}
