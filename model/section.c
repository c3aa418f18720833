/* model/section.c -- finds section .raddle.bitcode and unpacks it.  Layout, as cc/bitcode.c writes it, one piece a unit:
 *   "RDBC"   u32 packed bytes   u64 unpacked bytes   a zstd frame   zeros up to a multiple of 8
 * The linker may put zeros between the pieces.  Everything is checked before it is used. */
#include "model/section.h"

#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <string.h>
#include <unistd.h>
#include <zstd.h>

#include "base/file.h"
#include "base/str.h"
#include "base/unpack.h"
#include "wire/sites.h"

#define HEAD_BYTES  16u
#define UNPACKED_MAX (1ull << 31)               /* a unit larger than that is a lie */

static int damaged(const char *path, size_t at, const char *what, struct err *why)
{
	return err_set(why, "the bitcode kept in '%s' is damaged: %s (byte %zu of its section)", path, what, at);
}

static int unpack(struct section *s, const char *path, const uint8_t *bytes, size_t count, size_t at, size_t *end, struct err *why)
{
	uint32_t packed;
	uint64_t unpacked;
	if (count - at < HEAD_BYTES)
		return damaged(path, at, "it ends inside a head", why);
	memcpy(&packed, bytes + at + 4, 4);
	memcpy(&unpacked, bytes + at + 8, 8);
	if (packed > count - at - HEAD_BYTES)
		return damaged(path, at, "a piece is cut short", why);
	if (!unpack_ratio_fits(packed, unpacked))
		return damaged(path, at, "a piece claims to hold more than 1,000 times its size", why);
	if (unpacked > UNPACKED_MAX || ZSTD_getFrameContentSize(bytes + at + HEAD_BYTES, packed) != unpacked)
		return damaged(path, at, "a piece has another size than it says", why);
	if (unpack_take(unpacked, "the kept bitcode of the program", why))
		return -1;
	struct piece p = { mem_take(unpacked + 1), unpacked };
	if (ZSTD_decompress(p.bytes, unpacked, bytes + at + HEAD_BYTES, packed) != unpacked) {
		mem_free(p.bytes);
		unpack_give(unpacked);
		return damaged(path, at, "a piece cannot be unpacked", why);
	}
	vec_push(&s->pieces, p);
	*end = at + HEAD_BYTES + packed;
	if (unpacked < 4 || memcmp(p.bytes, "BC\xc0\xde", 4) != 0)
		return damaged(path, at, "a piece is no bitcode", why);
	return 0;
}

static int parse(struct section *s, const char *path, const uint8_t *bytes, size_t count, struct err *why)
{
	for (size_t at = 0; at < count;) {
		if (bytes[at] == 0)
			at++;
		else if (count - at < 4 || memcmp(bytes + at, "RDBC", 4) != 0)
			return damaged(path, at, "a piece does not begin with its magic", why);
		else if (unpack(s, path, bytes, count, at, &at, why))
			return -1;
	}
	return 0;
}

static int parse_elf(struct section *s, const char *path, Elf *elf, struct err *why)
{
	size_t names;
	if (!elf || elf_kind(elf) != ELF_K_ELF || gelf_getclass(elf) != ELFCLASS64 || elf_getshdrstrndx(elf, &names) < 0)
		return err_set(why, "'%s' is no executable or shared object of this machine", path);
	for (Elf_Scn *scn = elf_nextscn(elf, NULL); scn; scn = elf_nextscn(elf, scn)) {
		GElf_Shdr head;
		const char *name = gelf_getshdr(scn, &head) ? elf_strptr(elf, names, head.sh_name) : NULL;
		if (!name || strcmp(name, BITCODE_SECTION) != 0)
			continue;
		Elf_Data *data = elf_rawdata(scn, NULL);
		if (!data || (data->d_size && !data->d_buf))
			return err_set(why, "the bitcode kept in '%s' is damaged: its section cannot be read", path);
		if (parse(s, path, data->d_buf, data->d_size, why))
			return -1;
	}
	if (s->pieces.count)
		return 0;
	err_set(why, "'%s' has no bitcode of its program", path);
	return err_hint(why, "build it with raddle cc (and neither RADDLE_BITCODE=0 nor strip)");
}

int section_read(struct section *s, const char *path, struct err *why)
{
	elf_version(EV_CURRENT);
	int fd = file_open_read(path, why);
	if (fd < 0)
		return err_set(why, "cannot read '%s': %s", path, errno == EINVAL ? "it is no file" : str_error(errno));
	Elf *elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
	int got = parse_elf(s, path, elf, why);
	elf_end(elf);
	close(fd);
	return got;
}

void section_release(struct section *s)
{
	for (size_t i = 0; i < s->pieces.count; i++) {
		mem_free(s->pieces.at[i].bytes);
		unpack_give(s->pieces.at[i].count);
	}
	vec_release(&s->pieces);
}
