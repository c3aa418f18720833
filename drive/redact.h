/* drive/redact.h -- --no-values: what the program read and wrote never reaches the disk. */
#ifndef RADDLE_DRIVE_REDACT_H
#define RADDLE_DRIVE_REDACT_H

#include <stddef.h>
#include <stdint.h>

#include "trace/sites.h"

/* Zeroes the values in these records, in place.  Pointers that give the address of a later access stay. */
void redact_values(struct sites *sites, uint8_t *records, size_t bytes);

#endif
