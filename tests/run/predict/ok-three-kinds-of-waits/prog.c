/* The twin of three-kinds-of-waits: the end of the writer is waited for before the mutex is taken. */
#define OK
#include "../three-kinds-of-waits/prog.c"
