/* drive/shield.h -- a program that a file names, and the command line does not, changes nothing but its working folder and temporary files. */
#ifndef RADDLE_DRIVE_SHIELD_H
#define RADDLE_DRIVE_SHIELD_H

#include <stdbool.h>

enum shield { SHIELD_NONE, SHIELD_LANDLOCK, SHIELD_MOUNTS };

enum shield shield_can(void);           /* what works here, tried in a process of its own */
/* From now on every program this process starts is shielded, as far as shield_can(), which is the result; in any case it gains no privileges. */
enum shield shield_programs(void);
bool shield_is_on(void);                /* shield_programs() was called, and something works */
/* In the child, before it becomes the program: 0, or -1 and errno. */
int  shield_enter(void);

#endif
