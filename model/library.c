/* model/library.c -- the table, and how it is read.  A function not in it may do anything with what it is given. */
#include "model/library.h"

#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>

#include "base/err.h"

struct known { const char *names, *effects; };          /* names separated by spaces; a final * stands for any ending */

static const struct known table[] = {
	/* the heap */
	{ "malloc calloc aligned_alloc memalign valloc pvalloc alloca", "n" },
	{ "realloc reallocarray", "n r0 D0" },
	{ "free cfree malloc_usable_size malloc_trim mallopt", "" },
	{ "posix_memalign", "H0" },
	{ "_Znwm _Znam _ZnwmSt11align_val_t _ZnamSt11align_val_t _ZnwmRKSt9nothrow_t _ZnamRKSt9nothrow_t __cxa_allocate_exception", "n" },
	{ "_ZdlPv _ZdaPv _ZdlPvm _ZdaPvm _ZdlPvSt11align_val_t _ZdlPvmSt11align_val_t __cxa_free_exception", "" },
	/* memory and strings */
	{ "memcpy memmove __memcpy_chk __memmove_chk", "C01 r0" },
	{ "mempcpy __mempcpy_chk", "C01 i0" },
	{ "bcopy", "C10" },
	{ "memset __memset_chk memset_explicit", "W0 r0" },
	{ "bzero explicit_bzero", "W0" },
	{ "strcpy strncpy strcat strncat __strcpy_chk __strncpy_chk __strcat_chk __strncat_chk", "R1 W0 R0 r0" },
	{ "stpcpy stpncpy __stpcpy_chk __stpncpy_chk", "R1 W0 i0" },
	{ "memcmp bcmp strcmp strncmp strcasecmp strncasecmp strcoll strverscmp strspn strcspn", "R0 R1" },
	{ "strlen strnlen atoi atol atoll atof", "R0" },
	{ "memchr rawmemchr memrchr strchr strchrnul strrchr index rindex", "R0 i0" },
	{ "memmem", "R0 R2 i0" },
	{ "strstr strcasestr strpbrk", "R0 R1 i0" },
	{ "strdup strndup __strdup", "n R0" },
	{ "strtol strtoll strtoul strtoull strtoimax strtoumax strtod strtof strtold __isoc23_strtol __isoc23_strtoll __isoc23_strtoul __isoc23_strtoull",
		"R0 I10" },
	{ "strerror __errno_location __ctype_b_loc __ctype_tolower_loc __ctype_toupper_loc getenv secure_getenv setlocale nl_langinfo", "o" },
	{ "strerror_r __xpg_strerror_r", "W1 o" },
	{ "memccpy", "C01 i0" },
	{ "strxfrm", "R1 W0" },
	{ "__isoc23_strtoimax __isoc23_strtoumax", "R0 I10" },
	/* dates, addresses, limits */
	{ "mktime timegm", "R0 W0 o" },
	{ "localtime_r gmtime_r asctime_r ctime_r", "R0 W1 r1" },
	{ "localtime gmtime asctime ctime", "R0 o" },
	{ "strftime", "R2 R3 W0 o" },
	{ "inet_ntop", "R1 W2 r2" },
	{ "inet_pton", "R1 W2" },
	{ "statvfs", "R0 W1 o" },
	{ "readlink", "R0 W1 o" },
	{ "fstatvfs tcgetattr getitimer getrlimit64", "W1 o" },
	{ "setitimer", "R1 W2 o" },
	{ "socketpair", "W3 o" },
	{ "getsockopt", "R4 W3 W4 o" },
	{ "sigpending", "W0 o" },
	{ "writev", "R* P1 o" },
	/* numbers */
	{ "abs labs llabs div ldiv sin cos tan asin acos atan atan2 sinh cosh tanh exp exp2 expm1 log log2 log10 log1p pow sqrt cbrt hypot floor ceil "
		"round trunc rint nearbyint lround llround lrint llrint fmod remainder fabs fmax fmin fma ldexp erf erfc tgamma sinf cosf tanf "
		"expf logf powf sqrtf floorf ceilf roundf fabsf fmodf copysign isalpha isdigit isalnum isspace isupper islower isxdigit ispunct isprint "
		"tolower toupper htonl htons ntohl ntohs ffs ffsl ffsll", "" },
	{ "frexp modf frexpf modff", "W1" },
	{ "rand random srand srandom lrand48 mrand48 drand48 clock getpid getppid gettid getuid getgid geteuid getegid sysconf __sysconf sched_getcpu "
		"arc4random arc4random_uniform getpagesize get_nprocs isatty fileno", "o" },
	{ "rand_r", "R0 W0" },
	{ "time", "W0 o" },
	{ "gettimeofday clock_gettime clock_getres timespec_get getrandom getentropy", "W* o" },
	/* input and output */
	{ "puts putchar fputs fputc putc putchar_unlocked perror fflush fsync", "R*" },
	{ "write pwrite send", "R* P1" },                       /* bytes, which may be a pointer's: through a pipe it comes back */
	{ "fwrite", "R* P0" },
	/* a format may say %n: what it says is not looked at */
	{ "printf fprintf dprintf sprintf snprintf __printf_chk __fprintf_chk __dprintf_chk __sprintf_chk __snprintf_chk syslog", "R* W*" },
	{ "asprintf __asprintf_chk", "R* W* H0 o" },
	{ "vprintf vfprintf vdprintf vsprintf vsnprintf __vfprintf_chk __vprintf_chk __vsprintf_chk __vsnprintf_chk", "R* W* L* o" },
	{ "vasprintf", "R* W* L* H0 o" },
	{ "sscanf __isoc99_sscanf __isoc23_sscanf", "R* W*" },
	{ "scanf fscanf __isoc99_fscanf __isoc99_scanf __isoc23_fscanf __isoc23_scanf", "W* U* o" },
	{ "read pread recv __read_chk __pread_chk __recv_chk", "W1 U1 o" },
	{ "fread fgets __fread_chk __fgets_chk", "W0 U0 o r0" },
	{ "fgetc getc getchar ungetc feof ferror open open64 openat close fopen fopen64 fdopen fclose fseek ftell rewind lseek socket bind listen "
		"connect shutdown dup dup2 dup3 unlink unlinkat remove rename mkdir rmdir access ftruncate setsockopt eventfd epoll_create "
		"epoll_create1 timerfd_create chdir umask chmod fchmod chown fchown lchown utime utimes link symlink fdatasync kill raise getc_unlocked", "R* o" },
	{ "setvbuf setbuf", "E1" },
	{ "pipe pipe2 fcntl stat fstat lstat fstatat stat64 fstat64 lstat64 fstatat64 getloadavg sigwait getcwd getsockname getpeername accept accept4 uname gethostname getrlimit poll select", "W* o" },
	{ "epoll_wait eventfd_read", "W* U1 o" },
	{ "eventfd_write", "E1 o" },                            /* a number of eight bytes */
	{ "epoll_ctl", "R3 E3" },                               /* the pointer in it is given back by epoll_wait */
	{ "mmap mmap64", "n o" },
	{ "munmap mprotect msync", "" },
	{ "madvise", "W0" },                                    /* MADV_DONTNEED */
	/* threads */
	{ "pthread_create", "W0 T23" },
	{ "thrd_create", "W0 T12" },
	{ "pthread_join thrd_join", "U1" },
	{ "pthread_tryjoin_np pthread_timedjoin_np", "U1 W* o" },
	{ "pthread_once call_once", "W0 K1" },
	{ "pthread_exit thrd_exit", "E0 !" },
	{ "pthread_setspecific tss_set", "E1" },
	{ "pthread_getspecific tss_get", "o" },
	{ "pthread_key_create tss_create", "W0 E1" },
	{ "pthread_mutex_lock pthread_mutex_unlock pthread_mutex_init pthread_mutex_destroy pthread_cond_signal pthread_cond_broadcast "
		"pthread_cond_init pthread_cond_destroy pthread_rwlock_rdlock pthread_rwlock_wrlock pthread_rwlock_unlock pthread_rwlock_init "
		"pthread_rwlock_destroy pthread_spin_lock pthread_spin_unlock pthread_spin_init pthread_spin_destroy pthread_barrier_init "
		"pthread_barrier_destroy sem_init sem_destroy sem_post mtx_lock mtx_unlock mtx_init mtx_destroy cnd_signal "
		"cnd_broadcast cnd_init cnd_destroy flockfile funlockfile", "W0" },
	{ "pthread_cond_wait cnd_wait", "W0 W1" },
	{ "pthread_mutex_trylock pthread_mutex_timedlock pthread_mutex_clocklock pthread_cond_timedwait pthread_cond_clockwait pthread_rwlock_tryrdlock "
		"pthread_rwlock_trywrlock pthread_rwlock_timedrdlock pthread_rwlock_timedwrlock pthread_spin_trylock pthread_barrier_wait sem_wait "
		"sem_trywait sem_timedwait sem_getvalue mtx_trylock mtx_timedlock cnd_timedwait ftrylockfile __cxa_guard_acquire", "W* o" },
	{ "pthread_detach thrd_detach pthread_attr_init pthread_attr_destroy pthread_attr_setdetachstate pthread_attr_setstacksize pthread_mutexattr_init "
		"pthread_mutexattr_settype pthread_mutexattr_destroy pthread_mutexattr_setprotocol pthread_mutexattr_setrobust "
		"pthread_condattr_init pthread_condattr_setclock pthread_condattr_destroy pthread_rwlockattr_init pthread_setname_np pthread_cancel "
		"pthread_testcancel pthread_setcancelstate pthread_setcanceltype sched_yield thrd_yield usleep sleep nanosleep clock_nanosleep "
		"thrd_sleep pthread_key_delete __cxa_guard_release __cxa_guard_abort pthread_kill pthread_setaffinity_np", "W*" },
	{ "pthread_self thrd_current pthread_equal", "o" },
	/* functions handed over */
	{ "qsort", "K300 C00" },
	{ "qsort_r", "K3004 C00" },
	{ "bsearch", "K401 R1 i1" },
	{ "atexit at_quick_exit", "X0" },
	{ "on_exit", "K01 E1" },
	{ "__cxa_atexit", "K01" },
	{ "signal bsd_signal sysv_signal __sysv_signal ssignal sigset", "S1 o" },
	{ "sigaction", "A1 U2" },
	{ "sigemptyset sigfillset sigaddset sigdelset sigprocmask pthread_sigmask sigaltstack", "W*" },
	{ "sigismember", "R0" },
	/* the end */
	{ "exit _exit _Exit quick_exit abort __assert_fail __assert __stack_chk_fail longjmp _longjmp siglongjmp __longjmp_chk _ZSt9terminatev "
		"__clang_call_terminate _Unwind_Resume __cxa_pure_virtual __fortify_fail __chk_fail", "!" },
	{ "__cxa_throw __cxa_rethrow", "E* !" },
	{ "__cxa_begin_catch __cxa_get_exception_ptr", "o" },
	{ "__cxa_end_catch __gxx_personality_v0", "" },
	/* what a program says about itself */
	{ "raddle_label raddle_assert raddle_assume raddle_atomic_begin raddle_atomic_end", "" },
	{ "raddle_choose", "o" },
	/* intrinsics: those not named here compute from their arguments alone; of processors and vectors some write where an argument points to */
	{ "llvm.memcpy.* llvm.memmove.*", "C01" },
	{ "llvm.memset.*", "W0" },
	{ "llvm.va_start llvm.va_start.*", "V0" },
	{ "llvm.va_copy llvm.va_copy.*", "C01" },
	{ "llvm.threadlocal.address.* llvm.launder.* llvm.strip.* llvm.ptrmask.* llvm.expect.*", "r0" },
	{ "llvm.masked.load.* llvm.masked.gather.* llvm.masked.expandload.*", "R0 o" },
	{ "llvm.masked.store.* llvm.masked.scatter.* llvm.masked.compressstore.*", "C10 E0" },
	{ "llvm.eh.sjlj.* llvm.returnaddress llvm.frameaddress.* llvm.stacksave.* llvm.addressofreturnaddress.* llvm.sponentry.*", "o" },
	{ "llvm.trap llvm.debugtrap llvm.ubsantrap", "!" },
	{ "llvm.x86.rdtsc llvm.x86.rdtscp llvm.readcyclecounter llvm.x86.rdrand.* llvm.x86.xgetbv llvm.get.rounding", "o" },
	{ "llvm.x86.* llvm.vp.* llvm.experimental.* llvm.matrix.* llvm.init.trampoline", "R* W*" },
	{ "llvm.*", "" },
};

/* Is this one of `names`? */
static bool is_among(const char *name, const char *names)
{
	size_t length = strlen(name);
	for (const char *at = names; *at;) {
		size_t word = strcspn(at, " ");
		bool any_end = at[word - 1] == '*';
		size_t fixed = any_end ? word - 1 : word;
		if (strncmp(name, at, fixed) == 0 && (any_end || length == fixed))
			return true;
		at += word;
		at += strspn(at, " ");
	}
	return false;
}

static void parse(const char *text, struct effects *out)
{
	memset(out, 0, sizeof *out);
	for (const char *at = text; *at; at++) {
		if (*at == ' ')
			continue;
		check(out->count < sizeof out->at / sizeof *out->at);
		struct effect *e = &out->at[out->count++];
		e->letter = *at;
		for (; (at[1] >= '0' && at[1] <= '9') || at[1] == '*'; at++) {
			check(e->count < sizeof e->args);
			e->args[e->count++] = (int8_t)(at[1] == '*' ? -1 : at[1] - '0');
		}
	}
}

bool library_effects(const char *name, struct effects *out)
{
	for (size_t i = 0; i < sizeof table / sizeof *table; i++)
		if (is_among(name, table[i].names)) {
			parse(table[i].effects, out);
			return true;
		}
	return false;
}

/* ---- how much of what they are given ---- */

/* Functions of locks and their like write inside those; waits for a condition inside the mutex, too. */
static const struct { const char *names; uint32_t bytes[2]; } sizes[] = {
	{ "pthread_mutexattr_* pthread_condattr_* pthread_rwlockattr_* pthread_barrierattr_*", { 0 } },
	{ "pthread_mutex_*", { sizeof(pthread_mutex_t) } },
	{ "pthread_cond_wait pthread_cond_timedwait pthread_cond_clockwait", { sizeof(pthread_cond_t), sizeof(pthread_mutex_t) } },
	{ "pthread_cond_*", { sizeof(pthread_cond_t) } },
	{ "pthread_rwlock_*", { sizeof(pthread_rwlock_t) } },
	{ "pthread_spin_*", { sizeof(pthread_spinlock_t) } },
	{ "pthread_barrier_*", { sizeof(pthread_barrier_t) } },
	{ "sem_getvalue", { sizeof(sem_t), sizeof(int) } },
	{ "sem_init sem_destroy sem_post sem_wait sem_trywait sem_timedwait sem_clockwait", { sizeof(sem_t) } },
	{ "mtx_*", { sizeof(mtx_t) } },
	{ "cnd_wait cnd_timedwait", { sizeof(cnd_t), sizeof(mtx_t) } },
	{ "cnd_*", { sizeof(cnd_t) } },
};

uint32_t library_bytes(const char *name, uint32_t argument)
{
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes && argument < 2; i++)
		if (is_among(name, sizes[i].names))
			return sizes[i].bytes[argument];
	return 0;
}
