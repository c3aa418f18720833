/* analyses/epa/manifest.h -- what a campaign was made of and what came of it, by SHA-256, in a file that can be signed and checked.
 *
 *   {"schema":2,"manifest":"raddle campaign","version":"...","hash":"sha256","seed":1,"campaign":H,"list":H,"complete":true,
 *    "golden":{"exit":0,"threads":N,"sha256":H},"files":[{"what":"program","path":"...","sha256":H},...],
 *    "results":[{"id":1,"fault":"...","site":"...","outcome":"...","sha256":H},...],"results_sha256":H}
 *
 * H of a result is of its fault, site, source line, outcome, exit code, first deviation and why nothing came of it (rows.h), not of how long it took; that of the golden run is in golden_digest.h; results_sha256 of all H of results, a line each. */
#ifndef RADDLE_EPA_MANIFEST_H
#define RADDLE_EPA_MANIFEST_H

#include <stdio.h>

#include "analyses/epa/identity.h"

int manifest_write(struct campaign *k, const char *config_path, FILE *to, struct err *why);     /* 0, or -1 and why */

/* What is not as the manifest says; each in words. */
typedef void (*manifest_told)(void *with, const char *text);
struct manifest_check { uint64_t files, results, differ; };
/* 0 and how much was looked at, or -1 and why (code 3: it is no manifest). */
int manifest_check(struct campaign *k, const char *config_path, const char *path, manifest_told told, void *with, struct manifest_check *out, struct err *why);

#endif
