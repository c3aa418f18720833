/* tests/fuzz/sites.c -- any bytes as a site table: every descriptor address in it is asked for. */
#include <stddef.h>
#include <stdint.h>

#include "trace/plan.h"
#include "trace/sites.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define AT 0x500000ull

static void look(struct sites *s, struct site *d)
{
	struct unit_place place;
	struct unit_function function;
	plan_of(s, d);
	sites_index(s, d->unit);
	for (unsigned i = 0; i < d->access_count; i++) {
		unit_place(d->unit, d->accesses[i].place, &place);
		unit_string(d->unit, d->accesses[i].name);
	}
	unit_function(d->unit, d->function, &function);
	site_identity(unit_name(d->unit), "f", 1);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct sites *s = sites_new();
	struct err why;
	if (sites_add(s, AT, data, size, true, &why) == 0)
		for (size_t i = 0; i < size && i < 2048; i++) {
			struct site *d = sites_find(s, AT + i);
			if (d)
				look(s, d);
		}
	sites_free(s);
	return 0;
}
