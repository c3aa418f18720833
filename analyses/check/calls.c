/* analyses/check/calls.c -- see calls.h. */
#include "analyses/check/calls.h"

#include <fcntl.h>
#include <gelf.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/cxx.h"
#include "base/file.h"

/* With events, or without any effect another thread could notice.  A name stands for its checked form (__memcpy_chk) too. */
static const char known[] =
	/* threads */
	"pthread_create,pthread_join,pthread_exit,pthread_self,pthread_equal,"
	"pthread_attr_init,pthread_attr_destroy,pthread_attr_setdetachstate,pthread_attr_setstacksize,"
	"pthread_detach,pthread_setname_np,__cxa_guard_acquire,__cxa_guard_release,__cxa_guard_abort,"
	"pthread_mutex_init,pthread_mutex_destroy,pthread_mutex_lock,pthread_mutex_unlock,pthread_mutex_trylock,pthread_mutex_timedlock,"
	"pthread_mutex_clocklock,pthread_mutexattr_init,pthread_mutexattr_destroy,"
	"pthread_mutexattr_settype,pthread_spin_init,pthread_spin_destroy,pthread_spin_lock,pthread_spin_trylock,pthread_spin_unlock,"
	"pthread_rwlock_init,pthread_rwlock_destroy,pthread_rwlock_rdlock,pthread_rwlock_wrlock,pthread_rwlock_tryrdlock,pthread_rwlock_trywrlock,"
	"pthread_rwlock_timedrdlock,pthread_rwlock_timedwrlock,pthread_rwlock_clockrdlock,pthread_rwlock_clockwrlock,pthread_rwlock_unlock,"
	"sem_init,sem_destroy,sem_wait,sem_trywait,sem_timedwait,sem_clockwait,sem_post,pthread_barrier_init,pthread_barrier_destroy,"
	"pthread_barrier_wait,pthread_once,call_once,pthread_cond_timedwait,pthread_cond_clockwait,"
	"pthread_cond_init,pthread_cond_destroy,pthread_cond_wait,pthread_cond_signal,pthread_cond_broadcast,pthread_condattr_init,"
	"pthread_condattr_destroy,sched_yield,thrd_create,thrd_join,thrd_exit,thrd_current,thrd_equal,thrd_yield,"
	"thrd_detach,mtx_init,mtx_destroy,mtx_lock,mtx_trylock,mtx_timedlock,mtx_unlock,cnd_init,cnd_destroy,cnd_wait,cnd_timedwait,cnd_signal,cnd_broadcast,"
	/* memory and texts: what they touch is told */
	"malloc,calloc,realloc,free,aligned_alloc,posix_memalign,reallocarray,memcpy,memmove,memset,memcmp,memchr,bcmp,mempcpy,strlen,strnlen,strcmp,"
	"strncmp,strcpy,strncpy,stpcpy,strcat,strncat,strchr,strrchr,strstr,strdup,strndup,atoi,atol,strtol,strtoul,strtoll,strtoull,"
	/* output nobody reads, numbers, the end */
	"printf,fprintf,vprintf,vfprintf,puts,fputs,putchar,putc,fputc,fwrite,fflush,perror,stdout,stderr,abs,labs,sqrt,pow,exp,log,sin,cos,floor,ceil,"
	"fabs,fmod,getenv,exit,_exit,abort,__assert_fail,__stack_chk_fail,__errno_location,__libc_start_main,__cxa_finalize,"
	"__gmon_start__,__tls_get_addr,__libc_single_threaded,"
	/* of the runtime (rt/say.c) */
	"__VERIFIER_assume,__VERIFIER_atomic_begin,__VERIFIER_atomic_end,__VERIFIER_error,reach_error,"
	"__VERIFIER_nondet_bool,__VERIFIER_nondet_int,__VERIFIER_nondet_uint,__VERIFIER_nondet_unsigned,__VERIFIER_nondet_unsigned_int,"
	"__VERIFIER_nondet_long,__VERIFIER_nondet_ulong,__VERIFIER_nondet_longlong,__VERIFIER_nondet_ulonglong,__VERIFIER_nondet_short,"
	"__VERIFIER_nondet_ushort,__VERIFIER_nondet_char,__VERIFIER_nondet_uchar,__VERIFIER_nondet_size_t,__VERIFIER_nondet_unsigned_char,"
	"__VERIFIER_nondet_unsigned_short,__VERIFIER_nondet_unsigned_long,__VERIFIER_nondet_u8,__VERIFIER_nondet_u16,__VERIFIER_nondet_u32,"
	"__VERIFIER_nondet_u64";

/* Of libstdc++: threads, locks and conditions are pthreads', by calls that are seen; exceptions are a thread's own; the rest ends the program or throws. */
static const char granted[] =
	"_ZNSt6thread15_M_start_threadESt10unique_ptrINS_6_StateESt14default_deleteIS1_EEPFvvE,_ZNSt6thread4joinEv,_ZNSt6thread6detachEv,_ZNSt6thread6_StateD2Ev,"
	"_ZNSt18condition_variableC1Ev,_ZNSt18condition_variableD1Ev,_ZNSt18condition_variable10notify_oneEv,_ZNSt18condition_variable10notify_allEv,"
	"_ZNSt18condition_variable4waitERSt11unique_lockISt5mutexE,__once_proxy,_ZSt11__once_call,_ZSt15__once_callable,"
	"__gxx_personality_v0,_Unwind_Resume,__cxa_begin_catch,__cxa_end_catch,__cxa_rethrow,__cxa_throw,__cxa_allocate_exception,__cxa_free_exception,"
	"__cxa_pure_virtual,_ZSt9terminatev,_ZSt20__throw_system_errori,_ZSt20__throw_length_errorPKc,_ZSt17__throw_bad_allocv,"
	"_ZSt28__throw_bad_array_new_lengthv,_ZSt24__throw_out_of_range_fmtPKcz,_ZSt20__throw_out_of_rangePKc,_ZSt19__throw_logic_errorPKc,"
	"_ZSt16__throw_bad_castv,_ZSt25__throw_bad_function_callv,_ZSt24__throw_invalid_argumentPKc,_ZNSt9exceptionD2Ev,_ZNSt9exceptionD1Ev,_ZNKSt9exception4whatEv,"
	"_ZNSt8ios_base4InitC1Ev,_ZNSt8ios_base4InitD1Ev,_ZNSaIcEC1Ev,_ZNSaIcEC2Ev,_ZNSaIcED1Ev,_ZNSaIcED2Ev";
/* The runtime's own, with events. */
static const char runtimes[] =
	"_Znwm,_Znam,_ZdlPv,_ZdlPvm,_ZdaPv,_ZdaPvm,_ZnwmSt11align_val_t,_ZnamSt11align_val_t,_ZdlPvSt11align_val_t,_ZdlPvmSt11align_val_t,_ZdaPvSt11align_val_t,"
	"_ZdaPvmSt11align_val_t,_ZnwmRKSt9nothrow_t,_ZnamRKSt9nothrow_t,_ZSt7nothrow";

static bool is_description(const char *name)    /* constant: types, tables of functions */
{
	return !strncmp(name, "_ZTI", 4) || !strncmp(name, "_ZTV", 4) || !strncmp(name, "_ZTS", 4);
}

bool calls_is_granted(const char *name)
{
	return calls_is_listed(granted, name) || calls_is_listed(runtimes, name) || is_description(name);
}

bool calls_is_listed(const char *list, const char *name)
{
	size_t n = strlen(name);
	for (const char *at = list; n && at && (at = strstr(at, name)); at++)
		if ((at == list || at[-1] == ',') && (!at[n] || at[n] == ','))
			return true;
	return false;
}

/* Where __cxa_atexit is called from, atexit included, unwatched.c asks. */
static bool is_unexplored(const char *name, const char *trusted)
{
	char plain[128];
	size_t n = strlen(name);
	snprintf(plain, sizeof plain, "%.120s", name);
	if (n > 6 && n < sizeof plain && !strncmp(name, "__", 2) && !strcmp(name + n - 4, "_chk"))
		snprintf(plain, sizeof plain, "%.*s", (int)(n - 6), name + 2);
	bool of_libstdcxx = !strncmp(name, "_Z", 2) && calls_is_listed(trusted, "libstdc++.so.6");
	return *name && strncmp(name, "raddle_", 7) && strncmp(name, "_ITM_", 5) && !of_libstdcxx && !calls_is_listed(known, plain) &&
		!calls_is_listed(trusted, name) && !calls_is_granted(name) && strcmp(name, "__cxa_atexit");
}

/* "%s" and "%n" read and write what the search does not follow.  Are they among the texts of the object? */
static bool formats_texts(Elf *elf)
{
	for (Elf_Scn *s = elf_nextscn(elf, NULL); s; s = elf_nextscn(elf, s)) {
		GElf_Shdr head;
		Elf_Data *data = elf_getdata(s, NULL);
		if (!gelf_getshdr(s, &head) || head.sh_type != SHT_PROGBITS || head.sh_flags & SHF_EXECINSTR || !(head.sh_flags & SHF_ALLOC) || !data || !data->d_buf)
			continue;
		const char *text = data->d_buf;
		for (size_t i = 0; i + 1 < data->d_size; i++) {
			size_t n = i + 1;
			while (text[i] == '%' && n < data->d_size && text[n] && strchr("-+ #0123456789.*$hlqLjzt", text[n]))
				n++;
			if (text[i] == '%' && n < data->d_size && text[n] && strchr("sSn", text[n]))
				return true;
		}
	}
	return false;
}

void calls_list(char *list, size_t room, const char *name)
{
	size_t length = strlen(list);
	if (calls_is_listed(list, name) || calls_is_listed(list, "..."))
		return;
	bool fits = length + strlen(name) + sizeof ",,..." <= room;
	snprintf(list + length, room - length, "%s%s", length ? "," : "", fits ? name : "...");
}

static void grant(struct calls *out, const char *name)
{
	char said[128];
	bool is_exception = !strncmp(name, "__", 2) || !strncmp(name, "_Unwind", 7) || strstr(name, "__throw_");
	if (!calls_is_listed(granted, name))
		return;
	if (is_exception && strcmp(name, "__once_proxy"))
		snprintf(said, sizeof said, "exceptions");
	else if (!cxx_name(name, said, sizeof said))
		snprintf(said, sizeof said, "%.100s", name);
	calls_list(out->granted, sizeof out->granted, said);
}

/* 1 it calls some, 0 none, -1 it has no table of what it calls. */
static int look(Elf *elf, struct calls *out)
{
	int answer = -1;
	for (Elf_Scn *s = elf_nextscn(elf, NULL); s; s = elf_nextscn(elf, s)) {
		GElf_Shdr head;
		Elf_Data *data = elf_getdata(s, NULL);
		if (!gelf_getshdr(s, &head) || head.sh_type != SHT_DYNSYM || !data || !head.sh_entsize)
			continue;
		answer = answer < 0 ? 0 : answer;
		for (int i = 0; i < (int)(head.sh_size / head.sh_entsize); i++) {
			GElf_Sym symbol;
			const char *text = gelf_getsym(data, i, &symbol) && symbol.st_shndx == SHN_UNDEF ? elf_strptr(elf, head.sh_link, symbol.st_name) : NULL;
			bool prints = text && strstr(text, "printf") && !calls_is_listed(out->trusted, text);
			if (text && (is_unexplored(text, out->trusted) || (prints && formats_texts(elf)))) {
				calls_list(out->unexplored, sizeof out->unexplored, text);
				answer = 1;
			}
			if (text)
				grant(out, text);
		}
	}
	return answer;
}

bool calls_unexplored(const char *object, struct calls *out)
{
	struct err ignored;
	int fd = file_open_read(object, &ignored);
	elf_version(EV_CURRENT);
	Elf *elf = fd < 0 ? NULL : elf_begin(fd, ELF_C_READ, NULL);
	int got = elf ? look(elf, out) : -1;
	if (got < 0)
		calls_list(out->unexplored, sizeof out->unexplored, "a static program");
	elf_end(elf);
	if (fd >= 0)
		close(fd);
	return got != 0;
}
