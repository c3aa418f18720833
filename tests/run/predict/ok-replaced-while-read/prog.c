/* The same, done right. */
#define OK
#include "../replaced-while-read/prog.c"
