/* Messages on the stack of who sends them, who waits until they were read. */
#define OK
#include "../local-in-a-queue/prog.c"
