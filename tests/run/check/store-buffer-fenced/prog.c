/* Each writes one word and then reads the other's, with a fence between: no model lets both read 0. */
#include "../relaxed.h"

static atomic_int x, y;

THREAD(first)  { STORE(x, 1); atomic_thread_fence(memory_order_seq_cst); LOAD(y); return me; }
THREAD(second) { STORE(y, 1); atomic_thread_fence(memory_order_seq_cst); LOAD(x); return me; }

int main(void) { RUN(first, second); return 0; }
