/* The same, done right. */
#define OK
#include "../dropped-and-asked/prog.c"
