/* analyses/check/image.c -- see image.h. */
#include "analyses/check/image.h"

#include <fcntl.h>
#include <gelf.h>
#include <unistd.h>

#include "base/file.h"
#include "base/vec.h"

struct stretch { uint64_t from, to; };
struct part { uint64_t at, in_file, in_memory, offset; };

struct image {
	int fd;
	uint64_t base;
	VEC(struct part) parts;
	bool has_thread_memory;
	VEC(struct stretch) made;               /* words the loader fills in */
};

static void read_parts(struct image *i, Elf *elf)
{
	size_t count = 0;
	elf_getphdrnum(elf, &count);
	for (size_t n = 0; n < count; n++) {
		GElf_Phdr head;
		i->has_thread_memory |= gelf_getphdr(elf, (int)n, &head) && head.p_type == PT_TLS;
		if (gelf_getphdr(elf, (int)n, &head) && head.p_type == PT_LOAD && head.p_flags & PF_W)
			vec_push(&i->parts, ((struct part){ head.p_vaddr, head.p_filesz, head.p_memsz, head.p_offset }));
	}
}

static void read_made(struct image *i, Elf *elf)
{
	for (Elf_Scn *s = elf_nextscn(elf, NULL); s; s = elf_nextscn(elf, s)) {
		GElf_Shdr head;
		GElf_Rela entry;
		Elf_Data *data = elf_getdata(s, NULL);
		if (!gelf_getshdr(s, &head) || head.sh_type != SHT_RELA || !data || !head.sh_entsize)
			continue;
		for (int n = 0; n < (int)(head.sh_size / head.sh_entsize); n++)
			if (gelf_getrela(data, n, &entry))
				vec_push(&i->made, ((struct stretch){ entry.r_offset, entry.r_offset + 8 }));
	}
}

struct image *image_open(const char *path, uint64_t base)
{
	struct image *i = mem_take(sizeof *i);
	i->base = base;
	struct err ignored;
	i->fd = file_open_read(path, &ignored);
	elf_version(EV_CURRENT);
	Elf *elf = i->fd < 0 ? NULL : elf_begin(i->fd, ELF_C_READ, NULL);
	if (!elf) {
		image_close(i);
		return NULL;
	}
	read_parts(i, elf);
	read_made(i, elf);
	elf_end(elf);
	return i;
}

void image_close(struct image *i)
{
	if (!i)
		return;
	if (i->fd >= 0)
		close(i->fd);
	vec_release(&i->parts);
	vec_release(&i->made);
	mem_free(i);
}

int image_byte(const struct image *i, uint64_t address)
{
	uint64_t at = address - i->base;
	unsigned char byte;
	for (size_t n = 0; n < i->made.count; n++)
		if (at >= i->made.at[n].from && at < i->made.at[n].to)
			return -1;
	for (size_t n = 0; n < i->parts.count; n++) {
		uint64_t inside = at - i->parts.at[n].at;
		if (at < i->parts.at[n].at || inside >= i->parts.at[n].in_memory)
			continue;
		if (inside >= i->parts.at[n].in_file)
			return 0;
		return pread(i->fd, &byte, 1, (off_t)(i->parts.at[n].offset + inside)) == 1 ? byte : -1;
	}
	return -1;
}

bool image_has_thread_memory(const struct image *i)
{
	return i->has_thread_memory;
}
