/* The same, done right. */
#define OK
#include "../joined-inside/prog.c"
