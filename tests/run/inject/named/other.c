/* With a function of the same name as one of first.c. */
static volatile int cell = 7;
static __attribute__((noinline)) int work(void) { return cell + 1; }
int other(void) { return work(); }
