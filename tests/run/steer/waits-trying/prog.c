#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

static sem_t s; static void *w(void *a){ sem_post(&s); return a; }
int main(void){ sem_init(&s,0,0); pthread_t t; pthread_create(&t,0,w,0); while(sem_trywait(&s)) ; pthread_join(t,0); return 0; }
