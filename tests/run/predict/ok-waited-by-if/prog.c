/* The same, done right. */
#define OK
#include "../waited-by-if/prog.c"
