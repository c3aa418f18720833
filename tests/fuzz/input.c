/* tests/fuzz/input.c -- any bytes as a stream of input: checked to its last sound record, never past its end. */
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "drive/input.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
	char *copy = malloc(count + 1);
	memcpy(copy, bytes, count);
	uint64_t sound = input_check(copy, count);
	check(sound <= count && input_check(copy, sound) == sound);
	free(copy);
	return 0;
}
