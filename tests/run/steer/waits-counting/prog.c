#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; static int ready; static long polls;
static void *w(void *a){ pthread_mutex_lock(&m); ready=1; pthread_mutex_unlock(&m); return a; }
int main(void){ pthread_t t; pthread_create(&t,0,w,0); for(int done=0;!done;){ pthread_mutex_lock(&m); polls++; done=ready; pthread_mutex_unlock(&m);} pthread_join(t,0); return 0; }
