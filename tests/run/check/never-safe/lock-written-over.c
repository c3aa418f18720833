/* A lock is made anew by assignment while it may be held. */
#include "../relaxed.h"
#include <assert.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static volatile int inside;
static void section(void) { pthread_mutex_lock(&m); assert(inside == 0); inside = 1; inside = 0; pthread_mutex_unlock(&m); }
THREAD(uses) { section(); return me; }
THREAD(renews) { m = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER; section(); return me; }
int main(void) { RUN(uses, renews); return 0; }
