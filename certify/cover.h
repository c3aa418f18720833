/* certify/cover.h -- every state of a certificate's machine: are the classes it lists those that can happen, and is its verdict right? */
#ifndef RADDLE_CERTIFY_COVER_H
#define RADDLE_CERTIFY_COVER_H

#include "certify/machine.h"

struct cover { uint64_t states, results; char why[320]; };      /* results: values somebody can be told, at all places */
/* 1 it holds; 0 it does not, and why; -1 that cannot be told, and why. */
int cover_all(struct certificate *c, bool (*goes_on)(void), struct cover *out);

#endif
