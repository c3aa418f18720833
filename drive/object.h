/* drive/object.h -- an executable or shared object as it lies on disk: was it built with raddle, what is in it. */
#ifndef RADDLE_DRIVE_OBJECT_H
#define RADDLE_DRIVE_OBJECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

enum object_build {
	OBJECT_NOT_ELF,          /* a script, or nothing we know */
	OBJECT_PLAIN,            /* ELF, not built with raddle */
	OBJECT_RADDLE,           /* has site tables or needs the runtime */
	OBJECT_OTHER_RADDLE      /* has site tables of another version */
};

/* What the file is; -1 and why when it cannot be read. */
int object_build(const char *path, struct err *why);

/* Does it need the runtime as a library, and is that where the loader looks nowhere?  Then where it was (a path), into room bytes. */
bool object_runtime_gone(const char *path, char *into, size_t room);

/* Its build id in hexadecimal, "" if it has none or cannot be read; into has OBJECT_BUILD_ID bytes. */
#define OBJECT_BUILD_ID 41
void object_build_id(const char *path, char *into);

/* Its section of site tables, malloc'd, and where that will lie in the object; -1 and why: it has none. */
int object_sites(const char *path, void **bytes, size_t *count, uint64_t *address, struct err *why);

/* Has it, defined or not, a symbol for which is() holds?  false too where it cannot be read. */
bool object_has_symbol(const char *path, bool (*is)(const char *name, const void *with), const void *with);

/* The payload of a MODULE block (trace/format.h) for the object at `path` loaded with this bias; malloc'd into *out.
 * An object that cannot be read or is another file by now (build id) gives a block without sites and symbols. */
struct object_load { const char *path; uint64_t base, low, high; const uint8_t *build_id; uint32_t build_id_bytes; };
struct object_block {
	void *bytes;
	size_t count;
	const uint8_t *sites;    /* inside bytes, or NULL */
	size_t sites_bytes;
	uint64_t sites_address;  /* as loaded */
};
void object_block(struct object_block *out, const struct object_load *load);
/* The variable or function at an address, from a block made above: its name, or NULL. */
const char *object_symbol(const struct object_block *block, uint64_t address, uint64_t *offset);

#endif
