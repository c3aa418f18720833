/* report/escape.h -- texts of a program, which may be any bytes, as they may stand in what others read. */
#ifndef RADDLE_REPORT_ESCAPE_H
#define RADDLE_REPORT_ESCAPE_H

#include <stdio.h>

/* For a terminal and for logs: control characters and what is no UTF-8 as \xNN. */
void escape_text(FILE *to, const char *text);
/* For XML and HTML, between tags and in quoted attributes: what XML cannot hold, and what is no UTF-8, is U+FFFD. */
void escape_xml(FILE *to, const char *text);
/* A path as a reference of RFC 3986: "file:///a%20b.c", "src/a.c"; below `root`, which may be NULL, relative to it. */
char *escape_uri(const char *path, const char *root);           /* mem_free() it */

#endif
