/* A number made of an address, by way of memory, tells who allocated first. */
#include "../relaxed.h"
#include <assert.h>
#include <stdlib.h>
static union { char *at; unsigned long number; } got[2];
THREAD(allocates) { got[(long)me].at = malloc(16); return NULL; }
int main(void) { RUN(allocates, allocates); assert(got[0].number < got[1].number); return 0; }
