/* drive/handed_segments.h -- segments in what a run handed over (wire/handed.h), one behind the other. */
#ifndef RADDLE_DRIVE_HANDED_SEGMENTS_H
#define RADDLE_DRIVE_HANDED_SEGMENTS_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "wire/handed.h"

/* Its head; false: there is none that is sound, and nothing behind it can be found. */
static inline bool handed_segment(const uint8_t *at, size_t left, struct segment_head *head)
{
	if (left < SEGMENT_HEAD)
		return false;
	memcpy(head, at, sizeof *head);
	head->path[sizeof head->path - 1] = 0;
	return head->used >= SEGMENT_HEAD && head->used <= SEGMENT_BYTES && head->used <= left && head->used % 8 == 0;
}

#endif
