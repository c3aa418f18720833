/* cc/driver_id.c -- the version, and the content of the plugin this driver was built beside.
 * The build compiles this file anew whenever the plugin changes, so that the driver changes with it: caches such as
 * ccache know a compiler by its program file, and the plugin is part of this compiler. */
#include "cc/driver.h"
#include "wire/version.h"

#ifndef PLUGIN_ID
#define PLUGIN_ID "none"
#endif

const char driver_id[] = "raddle " RADDLE_VERSION ", plugin " PLUGIN_ID;
