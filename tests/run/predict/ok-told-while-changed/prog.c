/* As told-while-changed, with a lock around what is read and what is written. */
#define OK
#include "../told-while-changed/prog.c"
