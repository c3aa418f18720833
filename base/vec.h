/* base/vec.h -- growable arrays.  VEC(T) is a struct type; an all-zero one is empty; vec_release() gives the memory back.
 * There is no failure to handle: when memory runs out the process says so and exits with code 4. */
#ifndef RADDLE_BASE_VEC_H
#define RADDLE_BASE_VEC_H

#include <stddef.h>
#include <string.h>

#define VEC(T) struct { T *at; size_t count, room; }

/* A new element at the end, all zero: a pointer to it, good until the next vec_add(). */
#define vec_add(v) (vec_make_room(v), memset(&(v)->at[(v)->count], 0, sizeof *(v)->at), &(v)->at[(v)->count++])
#define vec_push(v, value) (vec_make_room(v), (void)((v)->at[(v)->count++] = (value)))
#define vec_clear(v)   ((void)((v)->count = 0))
#define vec_release(v) (mem_free((v)->at), (v)->at = NULL, (v)->count = (v)->room = 0)

#define vec_make_room(v) ((void)((v)->count == (v)->room && ((v)->at = vec_grow((v)->at, &(v)->room, sizeof *(v)->at))))
void *vec_grow(void *at, size_t *room, size_t size);    /* twice the room */

void *mem_take(size_t bytes);                   /* zeroed; never NULL */
void *mem_take_ready(size_t bytes);             /* the same; to be written all over at once, so its pages are fetched in one go */
void  mem_ready(void *at, size_t bytes);        /* pages of memory taken otherwise, likewise */
void *mem_resize(void *at, size_t bytes);       /* never NULL */
void *mem_take_large(size_t bytes);             /* what is in it is not said; in large pages, if they are wanted and it is that large */
void  mem_free(void *at);                       /* NULL is fine */

#endif
