/* Stores only their thread has to do with, before and behind the one others see: they wait in the same buffer. */
#include "relaxed.h"

static atomic_int x, y;
static volatile int own[2][8];

THREAD(first)  { for (int i = 0; i < 300; i++) own[0][i % 8] = i; STORE(x, 1); own[0][1] = 7; LOAD(y); return me; }
THREAD(second) { for (int i = 0; i < 300; i++) own[1][i % 8] = i; STORE(y, 1); own[1][1] = 7; LOAD(x); return me; }

int main(void) { RUN(first, second); return 0; }
