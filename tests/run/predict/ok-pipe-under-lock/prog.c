/* As pipe-under-lock, but the lock is taken when the other one was waited for. */
#define OK
#include "../pipe-under-lock/prog.c"
