/* trace/verify_names.c -- library functions the verifier need not be afraid of.
 *
 * Those with records of their own (wire/modelled.h, wire/interposed.h), and those below, which write no memory that a
 * program reads otherwise than through them: errno, streams, the insides of locks, attributes, the heap and the loader.
 * A function that fills something the program gave it does not belong here.  A name missing here costs sharpness: what such
 * a function may have written is unseen. */
#include <string.h>

#include "trace/verify_inside.h"
#include "wire/interposed.h"
#include "wire/modelled.h"

/* The block they return is the program's. */
static const char *const allocating[] = { "malloc", "calloc", "realloc", "reallocarray", "aligned_alloc", "memalign", "posix_memalign",
	"valloc", "pvalloc", "strdup", "strndup", "asprintf", "vasprintf", "__asprintf_chk", "__vasprintf_chk", "getline", "getdelim",
	"__getdelim", "realpath", "getcwd", "mmap", "mmap64", "mremap", "shmat", "_Znwm", "_Znam", "_ZnwmSt11align_val_t",
	"_ZnamSt11align_val_t", "_ZnwmRKSt9nothrow_t", "_ZnamRKSt9nothrow_t", "_ZnwmSt11align_val_tRKSt9nothrow_t",
	"_ZnamSt11align_val_tRKSt9nothrow_t", "__cxa_allocate_exception" };

static const char *const harmless[] = {
	/* streams and files */
	"fopen", "fopen64", "fdopen", "freopen", "fclose", "fcloseall", "fflush", "fflush_unlocked", "fseek", "fseeko",
	"fseeko64", "ftell", "ftello", "ftello64", "rewind", "feof", "ferror", "clearerr", "fileno", "feof_unlocked",
	"ferror_unlocked", "fileno_unlocked", "setvbuf", "setbuf", "setlinebuf", "ungetc", "perror", "putw", "popen", "pclose",
	"tmpfile", "fputc_unlocked", "putc_unlocked", "putchar_unlocked",
	"fputs_unlocked", "fwrite_unlocked", "fwide", "fputwc", "fputws", "putwchar", "open", "open64", "openat", "openat64",
	"creat", "creat64", "close", "close_range", "lseek", "lseek64", "dup", "dup2", "dup3", "fsync", "fdatasync", "sync",
	"syncfs", "ftruncate", "ftruncate64", "truncate", "truncate64", "unlink", "unlinkat", "rename", "renameat", "remove",
	"link", "symlink", "mkdir", "mkdirat", "rmdir", "chdir", "fchdir", "chmod", "fchmod", "chown", "fchown", "lchown",
	"access", "faccessat", "euidaccess", "umask", "flock", "lockf", "posix_fadvise", "posix_fallocate", "fallocate",
	"opendir", "fdopendir", "closedir", "rewinddir", "dirfd", "seekdir", "telldir", "utimes", "utime", "futimens",
	"utimensat", "isatty", "tcsetattr", "mkfifo", "fcntl", "fcntl64", "splice", "tee", "sync_file_range", "openlog",
	"syslog", "__syslog_chk", "closelog", "vsyslog",
	/* network */
	"socket", "bind", "listen", "connect", "shutdown", "setsockopt", "htons", "htonl", "ntohs", "ntohl", "inet_addr",
	"epoll_create", "epoll_create1", "epoll_ctl", "eventfd", "eventfd_write", "timerfd_create", "inotify_init",
	"inotify_add_watch", "gai_strerror", "freeaddrinfo", "freeifaddrs", "if_nametoindex", "memfd_create",
	/* process, time, system */
	"exit", "_exit", "atexit", "at_quick_exit", "__cxa_atexit", "__cxa_finalize", "__cxa_thread_atexit",
	"__cxa_thread_atexit_impl", "on_exit", "abort", "getuid", "geteuid", "getgid", "getegid", "setuid", "setgid", "setsid",
	"getpgrp", "getpgid", "setpgid", "getsid", "nice", "getpriority", "setpriority", "setrlimit", "setrlimit64",
	"alarm", "pause", "sysconf", "pathconf", "fpathconf", "getpagesize", "get_nprocs", "get_nprocs_conf",
	"sched_setaffinity", "sched_get_priority_max", "sched_get_priority_min", "mlock", "munlock", "mlockall", "munlockall",
	"mprotect", "madvise", "posix_madvise", "msync", "difftime", "tzset", "clock_settime", "ulimit", "gethostid",
	"getauxval", "__sched_cpucount", "__libc_current_sigrtmin", "__libc_current_sigrtmax", "getdtablesize", "malloc_trim",
	"malloc_usable_size", "mallopt", "srand", "srandom", "srand48", "strerror", "strsignal", "setlocale", "localeconv",
	"nl_langinfo", "textdomain", "bindtextdomain", "gettext", "dgettext", "dcgettext", "ngettext",
	"bind_textdomain_codeset", "newlocale", "uselocale", "freelocale", "dlopen", "dlsym", "dlvsym", "dlclose", "dlerror",
	"wcwidth", "iswprint", "iswalpha", "wcslen", "ctermid", "ttyname", "getlogin", "__errno_location", "__h_errno_location",
	"__ctype_b_loc", "__ctype_tolower_loc", "__ctype_toupper_loc", "__ctype_get_mb_cur_max", "isalnum", "isalpha",
	"isblank", "iscntrl", "isdigit", "isgraph", "islower", "isprint", "ispunct", "isspace", "isupper", "isxdigit",
	"tolower", "toupper", "abs", "labs", "llabs", "ffs", "ffsl", "ffsll", "basename", "bsearch", "lfind", "__sigsetjmp",
	"_setjmp", "setjmp", "sigsetjmp", "sigismember", "sigsuspend", "siginterrupt", "wcscmp", "__fdelt_chk", "__assert_fail",
	"__assert_perror_fail", "__chk_fail", "__fortify_fail", "__stack_chk_fail", "error", "warn", "warnx", "err", "errx",
	"verr", "verrx", "backtrace_symbols_fd", "sched_setscheduler", "sched_yield", "setpgrp", "tcsetpgrp", "tcgetpgrp",
	"tcflush", "tcdrain", "cfgetospeed", "cfgetispeed", "ptsname", "grantpt", "unlockpt", "posix_openpt", "initgroups",
	"setgroups",
	/* threads: what they fill is opaque */
	"pthread_self", "pthread_equal", "thrd_current", "thrd_equal", "pthread_attr_init", "pthread_attr_destroy",
	"pthread_attr_setdetachstate", "pthread_attr_setstacksize", "pthread_attr_setstack", "pthread_attr_setguardsize",
	"pthread_attr_setschedpolicy", "pthread_attr_setschedparam", "pthread_attr_setscope", "pthread_attr_setinheritsched",
	"pthread_attr_setaffinity_np", "pthread_mutexattr_init", "pthread_mutexattr_destroy", "pthread_mutexattr_settype",
	"pthread_mutexattr_setpshared", "pthread_mutexattr_setrobust", "pthread_mutexattr_setprotocol",
	"pthread_mutexattr_setprioceiling", "pthread_mutex_consistent", "pthread_rwlockattr_init", "pthread_rwlockattr_destroy",
	"pthread_rwlockattr_setkind_np", "pthread_rwlockattr_setpshared", "pthread_condattr_init", "pthread_condattr_destroy",
	"pthread_condattr_setclock", "pthread_condattr_setpshared", "pthread_barrierattr_init", "pthread_barrierattr_destroy",
	"pthread_barrierattr_setpshared", "pthread_getspecific", "pthread_setspecific", "tss_get", "tss_set",
	"pthread_testcancel", "pthread_atfork", "pthread_setaffinity_np", "pthread_setschedparam", "pthread_getconcurrency",
	"pthread_setconcurrency", "pthread_setschedprio", "_pthread_cleanup_push", "_pthread_cleanup_pop",
	"__pthread_register_cancel", "__pthread_unregister_cancel", "__pthread_unwind_next", "sem_unlink", "sem_close",
	/* C++: the language itself */
	"_ZdlPv", "_ZdaPv", "_ZdlPvm", "_ZdaPvm", "_ZdlPvSt11align_val_t", "_ZdaPvSt11align_val_t", "_ZdlPvmSt11align_val_t",
	"_ZdaPvmSt11align_val_t", "_ZdlPvRKSt9nothrow_t", "_ZdaPvRKSt9nothrow_t", "__cxa_throw", "__cxa_rethrow",
	"__cxa_begin_catch", "__cxa_end_catch", "__cxa_get_exception_ptr", "__cxa_free_exception", "__cxa_call_unexpected",
	"__cxa_bad_cast", "__cxa_bad_typeid", "__cxa_throw_bad_array_new_length", "__cxa_pure_virtual", "__cxa_deleted_virtual",
	"__clang_call_terminate", "__dynamic_cast", "_Unwind_Resume", "_ZSt9terminatev", "_ZSt10unexpectedv",
	"_ZSt18_Rb_tree_incrementPSt18_Rb_tree_node_base", "_ZSt18_Rb_tree_incrementPKSt18_Rb_tree_node_base",
	"_ZSt18_Rb_tree_decrementPSt18_Rb_tree_node_base", "_ZSt18_Rb_tree_decrementPKSt18_Rb_tree_node_base",
	"_ZSt11_Hash_bytesPKvmm", "_ZSt15_Fnv_hash_bytesPKvmm", "_ZNSt6chrono3_V212steady_clock3nowEv",
	"_ZNSt6chrono3_V212system_clock3nowEv", "_ZNSt6thread20hardware_concurrencyEv", "_ZSt20__throw_system_errori",
	"_ZSt20__throw_length_errorPKc", "_ZSt20__throw_out_of_rangePKc", "_ZSt24__throw_out_of_range_fmtPKcz",
	"_ZSt19__throw_logic_errorPKc", "_ZSt17__throw_bad_allocv", "_ZSt28__throw_bad_array_new_lengthv",
	"_ZSt16__throw_bad_castv", "_ZSt25__throw_bad_function_callv", "_ZSt20__throw_future_errori",
	"_ZSt24__throw_invalid_argumentPKc", "_ZSt21__throw_runtime_errorPKc", "_ZSt26__throw_bad_variant_accessPKc",
	"_ZSt18uncaught_exceptionv", "_ZSt19uncaught_exceptionsv", "_ZSt17current_exceptionv", "_ZNSt8ios_base4InitC1Ev",
	"_ZNSt8ios_base4InitD1Ev"
};

static void put_all(struct names *to, const char *const *from, size_t count)
{
	for (size_t i = 0; i < count; i++)
		names_put(to, from[i], strlen(from[i]));
}

void names_prepare(struct verifier *v)
{
	static const char *const recorded[] = {
#define X(name) #name,
		MODELLED(X) INTERPOSED(X)
#undef X
	};
	put_all(&v->calls.known, allocating, sizeof allocating / sizeof *allocating);
	v->calls.known_allocating = (uint32_t)v->calls.known.count;
	put_all(&v->calls.known, recorded, sizeof recorded / sizeof *recorded);
	put_all(&v->calls.known, harmless, sizeof harmless / sizeof *harmless);
}

/* A program without the runtime's object beside it was linked statically: it holds whatever libraries it has. */
bool names_any_library(const struct trace *t)
{
	static const char *const known[] = { "libraddle-rt.so", "libc.so", "libm.so", "ld-linux", "libgcc_s", "linux-vdso",
		"libpthread.so" };
	bool any = false, beside = false;
	for (uint32_t i = 0; i < trace_module_count(t) && !any; i++) {
		const struct trace_module *m = trace_module(t, i);
		const char *slash = strrchr(m->path, '/'), *name = slash ? slash + 1 : m->path;
		beside = beside || strncmp(name, known[0], strlen(known[0])) == 0;
		any = !m->instrumented && *name;
		for (size_t k = 0; k < sizeof known / sizeof *known && any; k++)
			any = strncmp(name, known[k], strlen(known[k])) != 0;
	}
	return any || !beside;
}

enum call_kind call_kind_of(struct verifier *v, const char *name)
{
	if (!name || !*name)
		return CALL_UNKNOWN;
	bool fresh;
	uint64_t *kept = map_put(&v->calls.call_kinds, (uint64_t)(uintptr_t)name, &fresh);
	if (fresh) {
		uint32_t id = names_get(&v->calls.known, name, strlen(name));
		*kept = id == NO_NAME ? CALL_UNKNOWN : id < v->calls.known_allocating ? CALL_ALLOCATES : CALL_KNOWN;
	}
	return (enum call_kind)*kept;
}
