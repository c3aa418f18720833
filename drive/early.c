/* drive/early.c -- see early.h. */
#include "drive/early.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/str.h"
#include "drive/places.h"

static bool is_known(const struct early *e, uint64_t address)
{
	for (size_t i = 0; i < e->known.count; i++)
		if (e->known.at[i] == address)
			return true;
	return false;
}

static void add_place(struct early *e, struct places *p, uint64_t address)
{
	char text[600];
	struct source at;
	uint32_t module;
	uint64_t offset;
	int length;
	if (places_source(p, address, &at) && *at.file) {
		const char *slash = strrchr(at.file, '/');
		length = snprintf(text, sizeof text, "%.250s:%" PRIu32 " in %.250s", slash ? slash + 1 : at.file, at.line, at.function);
	} else if (places_locate(p, address, &module, &offset)) {
		length = snprintf(text, sizeof text, "%.250s+0x%" PRIx64, places_module_name(p, module), offset);
	} else {
		length = snprintf(text, sizeof text, "0x%" PRIx64, address);
	}
	names_put(&e->places, text, (size_t)length);
}

void early_add(struct early *e, const struct steer_result *r)
{
	for (size_t i = 0; i < r->early.count; i++)
		if (!is_known(e, r->early.at[i])) {
			vec_push(&e->known, r->early.at[i]);
			add_place(e, r->places, r->early.at[i]);
		}
}

void early_release(struct early *e)
{
	vec_release(&e->known);
	names_release(&e->places);
}
