/* base/digest.h -- SHA-256, by libsodium, as 64 hexadecimal digits: what sha256sum prints. */
#ifndef RADDLE_BASE_DIGEST_H
#define RADDLE_BASE_DIGEST_H

#include <stddef.h>
#include <sodium/crypto_hash_sha256.h>

#include "base/err.h"

#define DIGEST_ROOM 65

struct digest { crypto_hash_sha256_state state; };

void digest_begin(struct digest *d);
void digest_add(struct digest *d, const void *bytes, size_t count);
void digest_text(struct digest *d, const char *text);                   /* with its zero: texts do not run together */
void digest_end(struct digest *d, char into[DIGEST_ROOM]);
int  digest_file(const char *path, char into[DIGEST_ROOM], struct err *why);    /* 0, or -1 and why (code 3) */

#endif
