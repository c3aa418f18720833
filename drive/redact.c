/* drive/redact.c -- walks raw records and zeroes the slots that hold values.  Control records never held any: the
 * runtime leaves them out itself when the ring says no_values. */
#include "drive/redact.h"

#include <stdbool.h>
#include <string.h>

static bool gives_an_address(const struct site *site, uint16_t access)
{
	for (uint16_t i = access; i < site->access_count; i++)
		if (site->accesses[i].address_mode == A_VALUE && site->accesses[i].address_at == access)
			return true;
	return false;
}

static void redact_group(const struct site *site, uint8_t *payload)
{
	for (uint16_t i = 0; i < site->access_count; i++) {
		const struct access *a = &site->accesses[i];
		size_t bytes = (size_t)a->size * a->elements;
		if (a->value_mode == V_SLOT && a->value_at + bytes <= site->payload && !gives_an_address(site, i))
			memset(payload + a->value_at, 0, bytes);
	}
}

void redact_values(struct sites *sites, uint8_t *records, size_t bytes)
{
	size_t at = 0, length;
	struct site *site;
	while (at < bytes && (length = record_bytes(sites, records + at, bytes - at, &site)) > 0) {
		if (site)
			redact_group(site, records + at + 8);
		at += length;
	}
	memset(records + at, 0, bytes - at);        /* what is no record is nobody's business */
}
