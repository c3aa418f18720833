/* The same with a lock of the usual kind: readers never wait for a writer that waits. */
#define OK
#include "../read-twice/prog.c"
