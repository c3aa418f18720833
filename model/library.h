/* model/library.h -- library functions and intrinsics whose effects the model knows by name.
 *
 * Effects are words of a letter and arguments (counted from 0; * = all of them), separated by spaces:
 *   n     the result is a new object                 rN    the result is argument N         iN  ... points into what argument N points to
 *   RN    reads what argument N points to            WN    writes plain bytes there         CNM copies what M points to to where N points
 *   DN    the new object gets what N points to       INM   stores at N a pointer into M     HN  stores at N a new object
 *   KNabc calls argument N with arguments a b c      TNa   starts N as a thread with a      XN  calls N at the end
 *   SN    N is a signal handler                      AN    N points to a struct sigaction   UN  stores at N something from outside
 *   EN    remembers argument N: it escapes           o     its result, and what it writes, come from outside
 *   !     may not return                             VN    va_start: N points to a va_list          LN  what the va_list N points to has pointers to escapes
 *   PN    puts what N points to out, where somebody may read it: what that has pointers to escapes.  Whoever reads bytes in (UN) may get such a pointer */
#ifndef RADDLE_MODEL_LIBRARY_H
#define RADDLE_MODEL_LIBRARY_H

#include <stdbool.h>
#include <stdint.h>

struct effect { char letter; uint8_t count; int8_t args[4]; };          /* args: argument, or -1: all */
struct effects { uint32_t count; struct effect at[6]; };

/* false: nothing is known of this function. */
bool library_effects(const char *name, struct effects *out);

/* How many bytes it writes where this argument points to, at most; 0: not known. */
uint32_t library_bytes(const char *name, uint32_t argument);

#endif
