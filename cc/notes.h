/* cc/notes.h -- words by which the driver's macros and the plugin understand each other. */
#ifndef RADDLE_CC_NOTES_H
#define RADDLE_CC_NOTES_H

#include "wire/sites.h"                         /* SYNC_ONLY */

#define NO_SANITIZE_NOTE "raddle.no_sanitize "  /* an annotation: this, then what no_sanitize was given, as text */
#define ATOMIC_PREFIX    "__VERIFIER_atomic_"   /* of names of functions that are atomic sections */

#endif
