/* wire/asked.h -- what a program asks without calling a function that is interposed: instructions of the processor, the number of the
 * calling thread, random numbers of the C++ library.  cc/ puts raddle_asks(number) in front of each; rt/ writes an OUTCALL with the words.
 * Columns: enumerator, words of the OUTCALL (its name ends at the blank). */
#ifndef RADDLE_WIRE_ASKED_H
#define RADDLE_WIRE_ASKED_H

#define ASKED(X) \
	X(RDTSC,    "rdtsc instruction") \
	X(RDTSCP,   "rdtscp instruction") \
	X(RDRAND,   "rdrand instruction") \
	X(RDSEED,   "rdseed instruction") \
	X(RDPMC,    "rdpmc instruction") \
	X(RDPID,    "rdpid instruction") \
	X(CPUID,    "cpuid instruction") \
	X(SYSCALL,  "syscall instruction")      /* a system call nobody sees */ \
	X(ASSEMBLY, "assembly code")            /* it may touch memory */ \
	X(SELF,     "pthread_self")             /* used otherwise than to be compared, or handed to a function of threads */ \
	X(CURRENT,  "thrd_current") \
	X(SERIAL,   "pthread_barrier_wait")     /* its result is used: which thread is the serial one */ \
	X(DEVICE,   "std::random_device")

enum asked {
	ASKED_NOTHING,
#define X(name, words) ASKED_##name,
	ASKED(X)
#undef X
	ASKED_COUNT
};

#endif
