/* As wait-interrupted, but who is interrupted waits again. */
#define OK
#include "../wait-interrupted/prog.c"
