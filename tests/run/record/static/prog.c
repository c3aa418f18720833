#include "../processes/prog.c"
