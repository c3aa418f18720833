#include "../lib-strings/prog.c"
