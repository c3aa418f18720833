/* The same, done right. */
#define OK
#include "../wanted-while-reading/prog.c"
