#include <stdio.h>
int other(void);
static volatile int cell = 3;
static __attribute__((noinline)) int work(void) { return cell + 1; }
int main(void) { printf("%d %d\n", work(), other()); return 0; }
