/* analyses/determinism/sources.c -- functions by their names: what they keep between calls, and which answer otherwise each time.
 * Those the runtime interposes are OUTCALLs, the others are seen where they are called.  A function that is in none of these lists, that
 * the runtime does not know and that was not built with raddle may touch anything (access.c).
 * What a function is said to keep is what its manual page calls a race (attributes(7): race:, env, sig:, timer, const:) as far as
 * glibc has it; statics of two functions that POSIX lets share them, and glibc keeps apart, are one.  The locale is not here: too many read it, also
 * where no call is seen (tables of <ctype.h>), so whoever sets it may change what anybody does meanwhile. */
#include "analyses/determinism/sources.h"

#include <string.h>

/* What is kept where no access is seen, as dependences name it. */
static const char *const kept[KEPT_COUNT] = { [KEPT_GENERATOR] = "the random number generator", [KEPT_GENERATOR48] = "the generator of drand48",
	[KEPT_ENVIRONMENT] = "the environment", [KEPT_END] = KEPT_PROCESS, [KEPT_TOKEN] = "what strtok remembers",
	[KEPT_USERS] = "what functions of users keep", [KEPT_GROUPS] = "what functions of groups keep", [KEPT_HOSTS] = "what functions of hosts keep",
	[KEPT_SERVICES] = "what functions of services keep", [KEPT_PROTOCOLS] = "what functions of protocols keep", [KEPT_NETS] = "what functions of networks keep",
	[KEPT_NUMERALS] = "what functions that write numbers keep", [KEPT_LETTERS] = "what l64a keeps", [KEPT_TABLE] = "the hash table of hsearch",
	[KEPT_TERMINAL] = "what ttyname keeps", [KEPT_PSEUDO] = "what ptsname keeps", [KEPT_SIGN] = "the sign of gamma", [KEPT_ZONE] = "the time zone",
	[KEPT_FILES] = "files behind different descriptors", [KEPT_COPIES] = "descriptors that may be copies", [KEPT_PLACES] = "where files are read and written",
	[KEPT_SYSTEM] = "what the system keeps", [KEPT_UNSEEN] = "what is not seen" };

const char *kept_name(enum kept what)
{
	return what < KEPT_COUNT && kept[what] ? kept[what] : "what a function keeps";
}

const struct source_variable source_variables[] = { { "environ", KEPT_ENVIRONMENT }, { "__environ", KEPT_ENVIRONMENT }, { "_environ", KEPT_ENVIRONMENT },
	{ "tzname", KEPT_ZONE }, { "__tzname", KEPT_ZONE }, { "timezone", KEPT_ZONE }, { "__timezone", KEPT_ZONE }, { "daylight", KEPT_ZONE },
	{ "__daylight", KEPT_ZONE }, { "signgam", KEPT_SIGN }, { "__signgam", KEPT_SIGN }, { NULL, KEPT_NOTHING } };

/* ---- lists: words with a space on either side ---- */

#define BIT(group)    (1u << KEPT_##group)
#define WRITES(group) { .writes = BIT(group) }
static const struct { const char *names; struct source source; } lists[] = {
	{ " rand random srand srandom initstate setstate ", WRITES(GENERATOR) },
	{ " lrand48 mrand48 drand48 srand48 seed48 lcong48 ", WRITES(GENERATOR48) },
	{ " getenv secure_getenv ", { .reads = BIT(ENVIRONMENT) } },
	{ " setenv unsetenv clearenv ", { .writes = BIT(ENVIRONMENT) | BIT(ZONE), .facts = FACT_ENVIRONMENT } },
	{ " putenv ", { .writes = BIT(ENVIRONMENT) | BIT(ZONE), .facts = FACT_ENVIRONMENT | FACT_BY_HAND } },
	{ " strtok ", WRITES(TOKEN) },
	{ " getpwnam getpwuid getpwent setpwent endpwent fgetpwent ", WRITES(USERS) },
	{ " getgrnam getgrgid getgrent setgrent endgrent fgetgrent ", WRITES(GROUPS) },
	{ " gethostbyname gethostbyname2 gethostbyaddr gethostent sethostent endhostent ", WRITES(HOSTS) },
	{ " getservbyname getservbyport getservent setservent endservent ", WRITES(SERVICES) },
	{ " getprotobyname getprotobynumber getprotoent setprotoent endprotoent ", WRITES(PROTOCOLS) },
	{ " getnetbyname getnetbyaddr getnetent setnetent endnetent ", WRITES(NETS) },
	{ " ecvt fcvt qecvt qfcvt ", WRITES(NUMERALS) }, { " l64a ", WRITES(LETTERS) },
	{ " hcreate hsearch hdestroy ", WRITES(TABLE) }, { " ttyname ", WRITES(TERMINAL) }, { " ptsname ", WRITES(PSEUDO) },
	{ " lgamma lgammaf lgammal gamma gammaf gammal ", WRITES(SIGN) },
	{ " setlocale _ZNSt6locale6globalERKS_ ", { .everywhere = true } },

	/* the time zone is made of the environment, by the first that asks and by these each time */
	{ " tzset localtime ctime mktime strftime strftime_l wcsftime ", WRITES(ZONE) },
	{ " localtime_r gmtime gmtime_r ctime_r timegm timelocal ", { .reads = BIT(ZONE) } },

	{ " mkstemp mkstemp64 mkostemp mkostemp64 mkstemps mkostemps mkdtemp mktemp tmpnam tmpnam_r tempnam getloadavg sysinfo uuid_generate uuid_generate_random "
		"uuid_generate_time ftime adjtimex ntp_gettime ", { .answers = true } },
	{ " alarm ualarm getitimer timer_gettime timer_getoverrun timerfd_gettime ", { .answers = true, .writes = BIT(SYSTEM) } },

	/* What the system keeps for the process: numbers of descriptors and of keys, names of files, handlers, timers, limits.  Names and structures they
	 * are handed are not seen, but for those the runtime models. */
	{ " open open64 openat openat64 __open_2 __open64_2 __openat_2 __openat64_2 creat creat64 fopen fopen64 truncate truncate64 ",
		{ .writes = BIT(SYSTEM) | BIT(FILES), .handed = true } },
	{ " freopen freopen64 ", { .writes = BIT(SYSTEM) | BIT(FILES), .handed = true, .facts = FACT_COPIES } },
	{ " ftruncate ftruncate64 tmpfile tmpfile64 fclose close pclose ", { .writes = BIT(SYSTEM) | BIT(FILES) } },
	{ " dup dup2 dup3 ", { .writes = BIT(SYSTEM), .facts = FACT_COPIES } },
	{ " fcntl fcntl64 ", { .writes = BIT(SYSTEM), .handed = true, .facts = FACT_COPIES } },
	{ " closefrom close_range fdopen fdopendir closedir readdir readdir64 rewinddir seekdir telldir socket accept accept4 pipe pipe2 socketpair eventfd "
		"epoll_create epoll_create1 timerfd_create inotify_init inotify_init1 fchmod fchown umask fchdir setpriority nice pthread_key_delete tss_delete "
		"flock lockf listen shutdown signal bsd_signal ssignal sysv_signal __sysv_signal sigset sigaction setitimer timer_settime timer_delete timerfd_settime "
		"kill killpg raise tgkill pthread_kill sigwait sigwaitinfo sigtimedwait pause sigsuspend prctl syscall "
		"atexit on_exit at_quick_exit __cxa_atexit __cxa_at_quick_exit ", WRITES(SYSTEM) },
	{ " popen opendir memfd_create epoll_ctl signalfd mkdir mkdirat mkfifo mkfifoat mknod mknodat rmdir unlink unlinkat remove rename renameat renameat2 link linkat "
		"symlink symlinkat chmod fchmodat chown lchown fchownat utime utimes futimes lutimes utimensat futimens chdir setrlimit setrlimit64 pthread_key_create "
		"tss_create ioctl bind connect setsockopt timer_create sigqueue pthread_sigqueue "
		"pthread_setname_np pthread_getname_np pthread_setaffinity_np sched_setaffinity ", { .writes = BIT(SYSTEM), .handed = true } },
	{ " access eaccess faccessat ", { .reads = BIT(SYSTEM), .handed = true } },
	{ " stat lstat fstat fstatat stat64 lstat64 fstat64 fstatat64 statvfs fstatvfs ", { .reads = BIT(SYSTEM) | BIT(FILES) } },
	{ " readlink getcwd realpath getrlimit getrlimit64 getpriority getsockname getpeername getsockopt sigpending fileno sysconf get_nprocs get_nprocs_conf ",
		{ .reads = BIT(SYSTEM) } },
	{ " poll __poll_chk ppoll __ppoll_chk select pselect epoll_wait epoll_pwait ", { .reads = BIT(SYSTEM) | BIT(FILES) } },

	/* where in a file one is, and what was written and is not in it yet */
	{ " lseek lseek64 fseek fseeko fseeko64 ftell ftello ftello64 rewind ungetc feof ferror clearerr ", WRITES(PLACES) },
	{ " fgetpos fsetpos fgetpos64 fsetpos64 ", { .writes = BIT(PLACES), .handed = true } },
	{ " fflush setlinebuf setvbuf setbuf ", { .writes = BIT(FILES), .only = FACT_FILES } },

	{ " pread pread64 __pread_chk __pread64_chk ", { .stays = true } },

	/* the runtime knows what goes out and where it comes to lie, but not the vectors it is gathered by */
	{ " preadv preadv64 ", { .stays = true, .handed = true, .blind = true } },
	{ " readv writev pwritev pwritev64 sendmsg recvmsg ", { .handed = true, .blind = true } },

	/* Nothing anybody else could tell: they compute, stay in their thread, or what they do is in the trace by other events. */
	{ " exit pthread_self thrd_current pthread_equal thrd_equal __errno_location __ctype_b_loc __ctype_tolower_loc __ctype_toupper_loc isalnum "
		"isalpha iscntrl isdigit isgraph islower isprint ispunct isspace isupper isxdigit isblank tolower toupper isascii toascii abs labs llabs imaxabs div ldiv "
		"lldiv ffs ffsl ffsll htons htonl ntohs ntohl getpagesize getauxval pthread_getspecific pthread_setspecific tss_get tss_set "
		"__cxa_allocate_exception __cxa_free_exception __cxa_throw __cxa_rethrow __cxa_begin_catch __cxa_end_catch __cxa_get_exception_ptr _Unwind_Resume "
		"__clang_call_terminate __cxa_pure_virtual __cxa_bad_cast __cxa_throw_bad_array_new_length __cxa_thread_atexit __cxa_current_exception_type ", { 0 } },

	/* What they are handed, and no more. */
	{ " bsearch lfind lsearch insque remque twalk swab memfrob regexec random_r srandom_r initstate_r setstate_r __dynamic_cast "
		"sem_getvalue strptime lgamma_r lgammaf_r lgammal_r wcslen wcscpy wcsncpy wcscat wcsncat wcscmp wcsncmp wcschr wcsrchr wcsstr wmemcpy wmemmove "
		"wmemset wmemcmp wmemchr ", { .handed = true } }
};

/* Of math functions the stem, for all three types. */
static const char computes[] = " sin cos tan asin acos atan atan2 sinh cosh tanh asinh acosh atanh exp exp2 exp10 expm1 log log2 log10 log1p pow sqrt cbrt hypot fabs floor "
	"ceil trunc round roundeven rint nearbyint lround llround lrint llrint fmod remainder drem fmin fmax fdim fma copysign nextafter nexttoward ldexp scalbn "
	"scalbln scalb ilogb logb significand erf erfc tgamma j0 j1 jn y0 y1 yn ";
static const char hands_back[] = " frexp modf sincos remquo ";

static const char *const harmless_cxx[] = { "_ZSt9terminatev", "_ZSt17__throw_", "_ZSt16__throw_", "_ZSt18__throw_", "_ZSt19__throw_", "_ZSt20__throw_",
	"_ZSt21__throw_", "_ZSt22__throw_", "_ZSt23__throw_", "_ZSt24__throw_", "_ZSt25__throw_", "_ZSt28__throw_", "_ZNSt6thread", "_ZNSt18condition_variable",
	"_ZNSt22condition_variable_any", "_ZNSt28__atomic_futex_unsigned_base", "_ZNSt15__exception_ptr", "_ZNKSt15__exception_ptr", "_ZSt17current_exceptionv",
	"_ZSt17rethrow_exception", "_ZSt18uncaught_exception", "_ZSt19uncaught_exceptions", "_ZSt15future_category", "_ZSt16generic_category",
	"_ZNSt3_V215system_category", "_ZNSt3_V216generic_category", "_ZNSt13__future_base" };

static const char *const handed_families[] = { "pthread_attr_", "pthread_mutexattr_", "pthread_condattr_", "pthread_rwlockattr_", "pthread_barrierattr_", "__cpu",
	"posix_spawn_file_actions_", "posix_spawnattr_", "_ZNSt7__cxx1112basic_string", "_ZNKSt7__cxx1112basic_string", "_ZNSt8__detail15_List_node_base",
	"_ZSt29_Rb_tree_insert_and_rebalance", "_ZSt28_Rb_tree_rebalance_for_erase", "_ZSt18_Rb_tree_increment", "_ZSt18_Rb_tree_decrement",
	"_ZNKSt8__detail20_Prime_rehash_policy", "_ZSt11_Hash_bytes", "_ZNSt9exception", "_ZNKSt9exception", "_ZNSt13runtime_error", "_ZNSt11logic_error",
	"_ZNSt12out_of_range", "_ZNSt16invalid_argument", "_ZNSt12length_error", "_ZNSt12domain_error", "_ZNSt11range_error", "_ZNSt14overflow_error",
	"_ZNSt15underflow_error", "_ZNSt12system_error", "_ZNSt12future_error" };

/* ---- who is in them ---- */

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

const struct source *source_named(const char *name, size_t length)
{
	static const struct source nothing = { 0 }, given = { .handed = true };
	for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
		if (is_listed(lists[i].names, name, length))
			return &lists[i].source;
	if (is_math(computes, name, length) || begins_as(harmless_cxx, sizeof harmless_cxx / sizeof *harmless_cxx, name, length))
		return &nothing;
	return is_math(hands_back, name, length) ||
		begins_as(handed_families, sizeof handed_families / sizeof *handed_families, name, length) ? &given : NULL;
}
