/* wire/modelled.h -- library functions whose effect on memory raddle knows exactly: X(name).
 * A recorded body calls raddle_lib_NAME instead of NAME. */
#ifndef RADDLE_WIRE_MODELLED_H
#define RADDLE_WIRE_MODELLED_H

#define MODELLED(X) \
	

#endif
