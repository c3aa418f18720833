/* tests/fuzz/certificate.c -- any bytes as a certificate, and as changes to a sound one: refused with a message, or all its states are visited. */
#include <stdlib.h>
#include <string.h>

#include "certify/cover.h"
#include "tests/certify/good.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count);

static unsigned left;
static bool goes_on(void) { return left-- > 0; }

static void try(const char *text, size_t count)
{
	struct certificate c;
	struct cover cover;
	struct err why = { 0 };
	left = 2;
	if (certificate_parse(&c, "fuzz", text, count, &why) == 0)
		cover_all(&c, goes_on, &cover);
	else if (!strstr(why.text, "'fuzz'"))
		abort();
	certificate_release(&c);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
	static const char letters[] = "0123456789abcdef- \npwrRStT";
	char copy[sizeof good];
	memcpy(copy, good, sizeof good);
	for (size_t i = 0; i + 3 <= count && i < 30; i += 3)            /* where, and what is there then */
		copy[(bytes[i] | (size_t)bytes[i + 1] << 8) % (sizeof good - 1)] = letters[bytes[i + 2] % (sizeof letters - 1)];
	try(copy, sizeof good - 1);
	try((const char *)bytes, count);
	return 0;
}
