/* Built without raddle, linked into the program. */
#include "lib.h"

int linked_in(int *at)
{
	return at[0];
}
