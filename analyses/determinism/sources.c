/* analyses/determinism/sources.c -- functions by their names: what they keep between calls, and which answer otherwise each time.
 * Those the runtime interposes are OUTCALLs, the others are seen where they are called.  A function that is in none of these lists, that
 * the runtime does not know and that was not built with raddle may touch anything (access.c). */
#include "analyses/determinism/sources.h"

#include <string.h>

/* What is kept where no access is seen, as dependences name it. */
static const char *const kept[] = { [KEPT_GENERATOR] = "the random number generator", [KEPT_ENVIRONMENT] = "the environment",
	[KEPT_END] = KEPT_PROCESS, [KEPT_TOKEN] = "what strtok remembers", [KEPT_LOCALE] = "the locale",
	[KEPT_USERS] = "what functions of users and groups keep", [KEPT_HOSTS] = "what functions of hosts and services keep",
	[KEPT_NUMERALS] = "what functions that write numbers keep", [KEPT_TABLE] = "the hash table of hsearch", [KEPT_NAME] = "the name of a terminal",
	[KEPT_FILES] = "files behind different descriptors",
	[KEPT_PLACES] = "where files are read and written", [KEPT_SYSTEM] = "what the system keeps", [KEPT_UNSEEN] = "what is not seen" };

const char *kept_name(enum kept what)
{
	return what < sizeof kept / sizeof *kept && kept[what] ? kept[what] : "what a function keeps";
}

#define WRITES(group) KEPT_##group, true, false, false
#define READS(group)  KEPT_##group, false, false, false
#define ANSWERS       KEPT_NOTHING, false, true, false
static const struct { const char *name; struct source source; } sources[] = {
	{ "rand", { WRITES(GENERATOR) } }, { "random", { WRITES(GENERATOR) } }, { "lrand48", { WRITES(GENERATOR) } },
	{ "mrand48", { WRITES(GENERATOR) } }, { "drand48", { WRITES(GENERATOR) } }, { "srand", { WRITES(GENERATOR) } },
	{ "srandom", { WRITES(GENERATOR) } }, { "srand48", { WRITES(GENERATOR) } }, { "initstate", { WRITES(GENERATOR) } },
	{ "setstate", { WRITES(GENERATOR) } }, { "seed48", { WRITES(GENERATOR) } }, { "lcong48", { WRITES(GENERATOR) } },
	{ "getenv", { READS(ENVIRONMENT) } }, { "secure_getenv", { READS(ENVIRONMENT) } }, { "setenv", { WRITES(ENVIRONMENT) } },
	{ "unsetenv", { WRITES(ENVIRONMENT) } }, { "putenv", { WRITES(ENVIRONMENT) } }, { "clearenv", { WRITES(ENVIRONMENT) } },
	{ "strtok", { WRITES(TOKEN) } }, { "setlocale", { WRITES(LOCALE) } },
	{ "getpwnam", { WRITES(USERS) } }, { "getpwuid", { WRITES(USERS) } }, { "getpwent", { WRITES(USERS) } },
	{ "getgrnam", { WRITES(USERS) } }, { "getgrgid", { WRITES(USERS) } }, { "getgrent", { WRITES(USERS) } },
	{ "gethostbyname", { WRITES(HOSTS) } }, { "gethostbyaddr", { WRITES(HOSTS) } }, { "getservbyname", { WRITES(HOSTS) } },
	{ "getservbyport", { WRITES(HOSTS) } }, { "getprotobyname", { WRITES(HOSTS) } },
	{ "ecvt", { WRITES(NUMERALS) } }, { "fcvt", { WRITES(NUMERALS) } }, { "l64a", { WRITES(NUMERALS) } },
	{ "hcreate", { WRITES(TABLE) } }, { "hsearch", { WRITES(TABLE) } }, { "hdestroy", { WRITES(TABLE) } },
	{ "ttyname", { WRITES(NAME) } }, { "ptsname", { WRITES(NAME) } },
	{ "mkstemp", { ANSWERS } }, { "mkstemp64", { ANSWERS } }, { "mkostemp", { ANSWERS } }, { "mkostemp64", { ANSWERS } },
	{ "mkstemps", { ANSWERS } }, { "mkostemps", { ANSWERS } }, { "mkdtemp", { ANSWERS } }, { "mktemp", { ANSWERS } },
	{ "tmpnam", { ANSWERS } }, { "tmpnam_r", { ANSWERS } }, { "tempnam", { ANSWERS } }, { "getloadavg", { ANSWERS } },
	{ "sysinfo", { ANSWERS } }, { "uuid_generate", { ANSWERS } }, { "uuid_generate_random", { ANSWERS } }, { "uuid_generate_time", { ANSWERS } }
};

/* What the system keeps for the process: numbers of descriptors and of keys, names of files, handlers, limits; and where in a file one is. */
static const char changes_system[] = " open open64 openat openat64 __open_2 __open64_2 __openat_2 __openat64_2 creat creat64 close closefrom close_range dup dup2 dup3 "
	"fcntl fcntl64 fopen fopen64 freopen freopen64 fdopen fclose tmpfile tmpfile64 popen pclose opendir fdopendir closedir readdir readdir64 rewinddir "
	"seekdir telldir socket accept accept4 pipe pipe2 socketpair eventfd memfd_create epoll_create epoll_create1 epoll_ctl timerfd_create signalfd "
	"inotify_init inotify_init1 mkdir mkdirat rmdir unlink unlinkat remove rename renameat link linkat symlink truncate truncate64 ftruncate ftruncate64 "
	"chmod fchmod chown fchown utime utimes utimensat futimens umask chdir fchdir signal bsd_signal ssignal sysv_signal __sysv_signal sigset sigaction "
	"setrlimit setrlimit64 setpriority nice pthread_key_create pthread_key_delete tss_create tss_delete atexit on_exit at_quick_exit __cxa_atexit "
	"__cxa_at_quick_exit flock lockf ioctl bind listen connect shutdown setsockopt ";
static const char reads_system[] = " access eaccess faccessat stat lstat fstat fstatat stat64 lstat64 fstat64 fstatat64 statvfs fstatvfs readlink getcwd realpath "
	"getrlimit getrlimit64 getpriority getsockname getpeername getsockopt ";
static const char moves[] = " lseek lseek64 fseek fseeko fseeko64 ftell ftello ftello64 rewind fgetpos fsetpos ungetc feof ferror clearerr ";

/* Nothing anybody else could tell: they compute, stay in their thread, or what they do is in the trace by other events.  Of math
 * functions the stem, for all three types. */
static const char harmless[] = " exit pthread_self thrd_current pthread_equal thrd_equal __errno_location __ctype_b_loc __ctype_tolower_loc __ctype_toupper_loc isalnum "
	"isalpha iscntrl isdigit isgraph islower isprint ispunct isspace isupper isxdigit isblank tolower toupper abs labs llabs imaxabs div ldiv lldiv ffs ffsl "
	"ffsll htons htonl ntohs ntohl sysconf getpagesize getauxval get_nprocs get_nprocs_conf pthread_getspecific pthread_setspecific tss_get tss_set "
	"pthread_setaffinity_np sched_setaffinity fflush setvbuf setbuf setlinebuf flockfile funlockfile ftrylockfile fileno __cxa_allocate_exception "
	"__cxa_free_exception __cxa_throw __cxa_rethrow __cxa_begin_catch __cxa_end_catch __cxa_get_exception_ptr _Unwind_Resume __clang_call_terminate "
	"__cxa_pure_virtual __cxa_bad_cast __cxa_throw_bad_array_new_length __cxa_thread_atexit __cxa_current_exception_type __dynamic_cast ";
static const char computes[] = " sin cos tan asin acos atan atan2 sinh cosh tanh asinh acosh atanh exp exp2 exp10 expm1 log log2 log10 log1p pow sqrt cbrt hypot fabs floor "
	"ceil trunc round roundeven rint nearbyint lround llround lrint llrint fmod remainder drem fmin fmax fdim fma copysign nextafter nexttoward ldexp scalbn "
	"scalbln scalb ilogb logb significand erf erfc tgamma j0 j1 jn y0 y1 yn ";
static const char *const harmless_cxx[] = { "_ZSt9terminatev", "_ZSt17__throw_", "_ZSt16__throw_", "_ZSt18__throw_", "_ZSt19__throw_", "_ZSt20__throw_",
	"_ZSt21__throw_", "_ZSt22__throw_", "_ZSt23__throw_", "_ZSt24__throw_", "_ZSt25__throw_", "_ZSt28__throw_", "_ZNSt6thread", "_ZNSt18condition_variable",
	"_ZNSt22condition_variable_any", "_ZNSt28__atomic_futex_unsigned_base", "_ZNSt15__exception_ptr", "_ZNKSt15__exception_ptr", "_ZSt17current_exceptionv",
	"_ZSt17rethrow_exception", "_ZSt18uncaught_exception", "_ZSt19uncaught_exceptions", "_ZSt15future_category", "_ZSt16generic_category",
	"_ZNSt3_V215system_category", "_ZNSt3_V216generic_category", "_ZNSt13__future_base" };

/* What they are handed, and no more. */
static const char handed[] = " bsearch lfind lsearch insque remque tsearch tfind tdelete twalk swab memfrob regexec random_r srandom_r initstate_r setstate_r "
	"sem_getvalue strptime lgamma_r wcslen wcscpy wcsncpy wcscat wcsncat wcscmp wcsncmp wcschr wcsrchr wcsstr wmemcpy wmemmove wmemset wmemcmp wmemchr ";
static const char hands_back[] = " frexp modf sincos remquo ";
static const char *const handed_families[] = { "pthread_attr_", "pthread_mutexattr_", "pthread_condattr_", "pthread_rwlockattr_", "pthread_barrierattr_", "__cpu",
	"posix_spawn_file_actions_", "posix_spawnattr_", "_ZNSt7__cxx1112basic_string", "_ZNKSt7__cxx1112basic_string", "_ZNSt8__detail15_List_node_base",
	"_ZSt29_Rb_tree_insert_and_rebalance", "_ZSt28_Rb_tree_rebalance_for_erase", "_ZSt18_Rb_tree_increment", "_ZSt18_Rb_tree_decrement",
	"_ZNKSt8__detail20_Prime_rehash_policy", "_ZSt11_Hash_bytes", "_ZNSt9exception", "_ZNKSt9exception", "_ZNSt13runtime_error", "_ZNSt11logic_error",
	"_ZNSt12out_of_range", "_ZNSt16invalid_argument", "_ZNSt12length_error", "_ZNSt12domain_error", "_ZNSt11range_error", "_ZNSt14overflow_error",
	"_ZNSt15underflow_error", "_ZNSt12system_error", "_ZNSt12future_error" };

/* A word of a list of them, each with a space on either side. */
static bool is_listed(const char *list, const char *name, size_t length)
{
	char word[48];
	if (!length || length > sizeof word - 3 || memchr(name, ' ', length))
		return false;
	word[0] = ' ';
	memcpy(word + 1, name, length);
	memcpy(word + 1 + length, " ", 2);
	return strstr(list, word);
}

static bool is_math(const char *list, const char *name, size_t length)
{
	return is_listed(list, name, length) || (length > 1 && strchr("fl", name[length - 1]) && is_listed(list, name, length - 1));
}

static bool begins_as(const char *const *list, size_t count, const char *name, size_t length)
{
	for (size_t i = 0; i < count; i++)
		if (strlen(list[i]) <= length && !memcmp(list[i], name, strlen(list[i])))
			return true;
	return false;
}

static const struct source *listed(const char *name, size_t length)
{
	static const struct source changes = { WRITES(SYSTEM) }, reads = { READS(SYSTEM) }, goes = { WRITES(PLACES) };
	static const struct source nothing = { KEPT_NOTHING, false, false, false }, given = { KEPT_NOTHING, false, false, true };
	if (is_listed(changes_system, name, length))
		return &changes;
	if (is_listed(reads_system, name, length))
		return &reads;
	if (is_listed(moves, name, length))
		return &goes;
	if (is_listed(harmless, name, length) || is_math(computes, name, length) ||
		begins_as(harmless_cxx, sizeof harmless_cxx / sizeof *harmless_cxx, name, length))
		return &nothing;
	return is_listed(handed, name, length) || is_math(hands_back, name, length) ||
		begins_as(handed_families, sizeof handed_families / sizeof *handed_families, name, length) ? &given : NULL;
}

const struct source *source_named(const char *name, size_t length)
{
	for (size_t i = 0; i < sizeof sources / sizeof *sources; i++)
		if (strlen(sources[i].name) == length && !memcmp(sources[i].name, name, length))
			return &sources[i].source;
	return listed(name, length);
}
