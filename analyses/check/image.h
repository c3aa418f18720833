/* analyses/check/image.h -- what variables of a program are before it runs, from its file. */
#ifndef RADDLE_ANALYSES_CHECK_IMAGE_H
#define RADDLE_ANALYSES_CHECK_IMAGE_H

#include <stdbool.h>
#include <stdint.h>

struct image;
/* The object in this file, loaded there; NULL: it cannot be read. */
struct image *image_open(const char *path, uint64_t base);
void image_close(struct image *i);                      /* NULL is fine */
int  image_byte(const struct image *i, uint64_t address);       /* its value; -1: not of this object, or made by the loader */
bool image_has_thread_memory(const struct image *i);    /* thread-local variables */

#endif
