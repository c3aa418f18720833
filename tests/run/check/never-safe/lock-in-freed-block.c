/* A lock in a block another thread frees. */
#include "../relaxed.h"
#include <stdlib.h>
static pthread_mutex_t *m;
THREAD(locks) { pthread_mutex_lock(m); pthread_mutex_unlock(m); return me; }
THREAD(frees) { free(m); return me; }
int main(void) { m = malloc(sizeof *m); pthread_mutex_init(m, NULL); RUN(locks, frees); return 0; }
