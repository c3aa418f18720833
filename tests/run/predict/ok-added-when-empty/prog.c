/* The same, done right. */
#define OK
#include "../added-when-empty/prog.c"
