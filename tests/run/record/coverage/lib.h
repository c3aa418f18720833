/* What calls.c calls and raddle did not compile: lib_* in a shared object, linked_in in the program itself. */
int lib_sum(int *at, int count);
int lib_private(int *at, int count);
int lib_number(int n);
int lib_each(int *at, int count, int (*sum)(int *, int));
void lib_take(char *block);
int linked_in(int *at);
