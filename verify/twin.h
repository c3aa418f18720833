/* verify/twin.h -- the events of a text twin, and what must come before what in every order. */
#ifndef RADDLE_VERIFY_TWIN_H
#define RADDLE_VERIFY_TWIN_H

#include "verify/lines.h"

enum model { SC, TSO, PSO };
enum what { OTHER, POST, TAKE, SIGNAL, FENCE };                         /* post and take: of a semaphore */
/* wait: of a wake that was signalled.  Under TSO and PSO: flush: the moment its thread's stores up to it are in memory, of a release;
 * store: accesses[], of one that waits; joined: a thread whose end it waited for; empties: it finds the buffer empty */
struct node { uint32_t thread, at, clock, section, wait, flush, store, joined; enum what what; bool empties; uint64_t object; };
struct thread { char *path; uint32_t *node, count, room, clock, wait, fence; };
struct section { uint64_t lock; uint32_t thread, take, give, depth, rank; bool shared; };       /* give: NOTHING, never */

extern struct node *nodes;              /* in the order of the twin; a thread's first is in front of its events, its last behind them */
extern struct thread *threads;
extern struct section *sections;
extern struct access *accesses;         /* rising by node */
extern uint32_t nodes_count, threads_count, sections_count, accesses_count;
extern uint32_t half;                   /* threads of the twin; under TSO and PSO that of t's buffer is half + t */
extern enum model model;
extern uint64_t twin_events, twin_hash;         /* how many; FNV-1a of path and kind of each */

void twin_read(const char *twin, size_t length, enum model of);
int64_t twin_first(uint64_t semaphore);         /* its first value; more than anybody takes: not known */

#endif
