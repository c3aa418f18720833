// As spun-then-slept, but it is told whoever waits: who does not sleep yet sees the value.
#define OK
#include "../spun-then-slept/prog.cpp"
