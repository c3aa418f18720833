/* The twin of statics-made-of-each-other: words are made of nothing else. */
#define OK
#include "../statics-made-of-each-other/prog.cpp"
