/* What threads leave behind in keys is dealt with side by side. */
#include "../relaxed.h"
#include <assert.h>
static pthread_key_t key;
static atomic_int x;
static void leaves(void *value) { (void)value; int v = LOAD(x); STORE(x, v + 1); }
THREAD(sets) { pthread_setspecific(key, &x); return me; }
int main(void) { pthread_key_create(&key, leaves); RUN(sets, sets); assert(LOAD(x) == 2); return 0; }
