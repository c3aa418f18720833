/* A semaphore that is only looked at. */
#include "../relaxed.h"
#include <assert.h>
#include <semaphore.h>
static sem_t s;
static int seen;
THREAD(posts) { sem_post(&s); return me; }
THREAD(looks) { sem_getvalue(&s, &seen); return me; }
int main(void) { sem_init(&s, 0, 0); RUN(posts, looks); assert(seen == 0); return 0; }
