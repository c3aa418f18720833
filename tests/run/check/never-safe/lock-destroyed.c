/* A lock is destroyed that may be held. */
#include "../relaxed.h"
#include <assert.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static atomic_int inside;
THREAD(uses) { pthread_mutex_lock(&m); STORE(inside, 1); pthread_mutex_unlock(&m); return me; }
THREAD(destroys) { if (LOAD(inside)) assert(pthread_mutex_destroy(&m) == 0); return me; }
int main(void) { RUN(uses, destroys); return 0; }
