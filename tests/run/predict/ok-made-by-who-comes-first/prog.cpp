/* The twin of made-by-who-comes-first: the second thread begins when the first one has ended. */
#define OK
#include "../made-by-who-comes-first/prog.cpp"
