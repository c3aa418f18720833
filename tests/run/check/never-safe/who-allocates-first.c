/* Addresses tell who allocated first. */
#include "../relaxed.h"
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
static char *got[2];
THREAD(allocates) { got[(long)me] = malloc(16); return NULL; }
int main(void) { RUN(allocates, allocates); assert((uintptr_t)got[0] < (uintptr_t)got[1]); return 0; }
