/* analyses/check/calls.c -- see calls.h. */
#include "analyses/check/calls.h"

#include <fcntl.h>
#include <gelf.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static bool is_unexplored(const char *name)
{
	static const char *const families[] = { "pthread_", "sem_", "mtx_", "cnd_" }, *const marks[] = { "try", "timed", "clock", "setkind", "sigqueue" };
	static const char *const harmless[] = { "pthread_condattr_setclock", "pthread_condattr_getclock", "pthread_getcpuclockid" };
	for (size_t i = 0; i < sizeof harmless / sizeof *harmless; i++)
		if (!strcmp(name, harmless[i]))
			return false;
	for (size_t i = 0; i < sizeof families / sizeof *families; i++)
		for (size_t k = 0; k < sizeof marks / sizeof *marks; k++)
			if (!strncmp(name, families[i], strlen(families[i])) && strstr(name, marks[k]))
				return true;
	return false;
}

/* 1 it calls one, 0 none, -1 it has no table of what it calls. */
static int look(Elf *elf, char *name, size_t room)
{
	int answer = -1;
	for (Elf_Scn *s = elf_nextscn(elf, NULL); s; s = elf_nextscn(elf, s)) {
		GElf_Shdr head;
		Elf_Data *data = elf_getdata(s, NULL);
		if (!gelf_getshdr(s, &head) || head.sh_type != SHT_DYNSYM || !data || !head.sh_entsize)
			continue;
		answer = 0;
		for (int i = 0; i < (int)(head.sh_size / head.sh_entsize); i++) {
			GElf_Sym symbol;
			const char *text = gelf_getsym(data, i, &symbol) && symbol.st_shndx == SHN_UNDEF ? elf_strptr(elf, head.sh_link, symbol.st_name) : NULL;
			if (text && is_unexplored(text)) {
				snprintf(name, room, "%.100s", text);
				return 1;
			}
		}
	}
	return answer;
}

bool calls_unexplored(const char *object, char *name, size_t room)
{
	int fd = open(object, O_RDONLY | O_CLOEXEC);
	elf_version(EV_CURRENT);
	Elf *elf = fd < 0 ? NULL : elf_begin(fd, ELF_C_READ, NULL);
	int got = elf ? look(elf, name, room) : -1;
	if (got < 0)
		snprintf(name, room, "a program without a table of the functions it calls");
	elf_end(elf);
	if (fd >= 0)
		close(fd);
	return got != 0;
}
