/* rt/process.h -- this process's place in the recording. */
#ifndef RADDLE_RT_PROCESS_H
#define RADDLE_RT_PROCESS_H

/* Tells the recorder of every object loaded now; after dlopen, and once more at the end. */
void process_note_objects(void);

#endif
