/* base/cxx.h -- names of C++ as people write them. */
#ifndef RADDLE_BASE_CXX_H
#define RADDLE_BASE_CXX_H

#include <stdbool.h>
#include <stddef.h>

/* "_ZN4shop6ordersB5cxx11E" is "shop::orders", a function loses its parameters, std::basic_string<char, ...> is std::string; streams of the C library are stdin, stdout, stderr.
 * false: nothing to change, and into[] is not to be used.  A name too long for `room` ends in "...". */
bool cxx_name(const char *name, char *into, size_t room);
/* "_ZN4shop3payEi" is "shop::pay(int)"; false: it is no name of C++. */
bool cxx_whole(const char *name, char *into, size_t room);

#endif
