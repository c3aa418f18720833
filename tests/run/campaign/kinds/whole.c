#include <stdio.h>
int part(int x);
int main(void) { int all = 0; for (int i = 0; i < 3; i++) all += part(i); printf("%d\n", all); return 0; }
