/* wire/interposed_outside.h -- memory and the outside: rt/alloc.c map.c signal.c fork.c io.c failure.c */
#define INTERPOSED_OUTSIDE(X) \
	X(malloc)
