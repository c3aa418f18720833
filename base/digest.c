/* base/digest.c -- see digest.h. */
#include "base/digest.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/str.h"

void digest_begin(struct digest *d)
{
	crypto_hash_sha256_init(&d->state);
}

void digest_add(struct digest *d, const void *bytes, size_t count)
{
	crypto_hash_sha256_update(&d->state, bytes, count);
}

void digest_text(struct digest *d, const char *text)
{
	digest_add(d, text, strlen(text) + 1);
}

void digest_end(struct digest *d, char into[DIGEST_ROOM])
{
	unsigned char out[crypto_hash_sha256_BYTES];
	crypto_hash_sha256_final(&d->state, out);
	for (size_t i = 0; i < sizeof out; i++)
		snprintf(into + 2 * i, 3, "%02x", out[i]);
}

int digest_file(const char *path, char into[DIGEST_ROOM], struct err *why)
{
	struct digest d;
	unsigned char part[65536];
	size_t got;
	FILE *in = file_stream(path, why);
	digest_begin(&d);
	while (in && (got = fread(part, 1, sizeof part, in)) > 0)
		digest_add(&d, part, got);
	if (!in || ferror(in)) {
		err_set(why, "cannot read '%.200s': %s", path, str_error(errno));
		why->code = 3;
		if (in)
			fclose(in);
		return -1;
	}
	fclose(in);
	digest_end(&d, into);
	return 0;
}
