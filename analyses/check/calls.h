/* analyses/check/calls.h -- what a program calls: are its effects on other threads all told by events? */
#ifndef RADDLE_ANALYSES_CHECK_CALLS_H
#define RADDLE_ANALYSES_CHECK_CALLS_H

#include <stdbool.h>
#include <stddef.h>

bool calls_is_listed(const char *list, const char *name);       /* "a,b,c"; NULL: nothing is */

/* Threads meet in more than memory: files, pipes, a lock that is only tried, time.  Only functions known to do nothing of the kind, or to say so by
 * events, and those trusted ("name,name", or NULL) may be called.  True: the object calls others, or cannot be asked; their names are added to the list. */
struct calls { const char *trusted; char unexplored[110], granted[400]; };
bool calls_unexplored(const char *object, struct calls *out);
/* A function of libstdc++ whose effects on other threads are told by events, those of the pthread functions it calls, or that has none: taken for granted,
 * and listed (`granted`), since nobody watches its code.  So wherever it is called from. */
bool calls_is_granted(const char *name);
void calls_list(char *list, size_t room, const char *name);     /* adds it, if it is not there; "..." if there is no room */

#endif
