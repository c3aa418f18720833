/* report/picture_page.h -- one comparison as a page that needs nothing else: where each thread first deviates, and the picture of how it went on. */
#ifndef RADDLE_REPORT_PICTURE_PAGE_H
#define RADDLE_REPORT_PICTURE_PAGE_H

#include "report/picture.h"

struct picture_thread { char *where, *path, *kind, *golden, *other; };

struct picture_page {
	const char *golden, *other, *end, *version;     /* files; "" or how the other run ended */
	uint32_t threads, deviating;
	const struct picture *picture;
	VEC(struct picture_thread) rows;
};

void picture_page_thread(struct picture_page *p, const char *where, const char *path, const char *kind, const char *golden, const char *other);        /* copied */
void picture_page_html(const struct picture_page *p, FILE *to);
void picture_page_release(struct picture_page *p);

void picture_legend(FILE *to);                  /* what colours and lines of a picture mean */

#endif
