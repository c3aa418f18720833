/* tests/report/sarif_check.h -- does a text follow what SARIF 2.1.0 demands?  From the words of the standard, for what raddle uses of
 * it; a property it does not know is an error, as it is to the standard's schema. */
#ifndef RADDLE_TESTS_REPORT_SARIF_CHECK_H
#define RADDLE_TESTS_REPORT_SARIF_CHECK_H

#include <stdbool.h>
#include <stddef.h>

/* True; or false and what is wrong. */
bool sarif_check(const char *text, size_t count, char *why, size_t room);

#endif
