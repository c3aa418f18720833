/* cli/doctor.c -- raddle doctor: what works on this machine, and what each missing piece would give. */
#include <dlfcn.h>
#include <errno.h>
#include <linux/futex.h>
#include <linux/perf_event.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/json.h"
#include "base/str.h"
#include "cli/beside.h"
#include "cli/command.h"
#include "cli/say.h"
#include "drive/shield.h"

#ifndef PR_SET_SYSCALL_USER_DISPATCH
#define PR_SET_SYSCALL_USER_DISPATCH 59
#define PR_SYS_DISPATCH_ON 1
#endif

#define HWCAP2_FSGSBASE_BIT 2u           /* of AT_HWCAP2 on x86-64: the kernel lets programs set it */

struct options { bool json; };

enum weight { WEIGHT_NEEDED, WEIGHT_BETTER, WEIGHT_NONE };    /* none: raddle does without, and says whether it is there */

struct seen { char detail[512]; bool works; };

static struct seen seen(bool works, const char *detail)
{
	struct seen f = { .works = works };
	snprintf(f.detail, sizeof f.detail, "%s", detail);
	return f;
}

static struct seen find_on_path(const char *name)
{
	const char *path = getenv("PATH");
	struct seen f = seen(false, "not on PATH");
	for (; path && *path; path += strcspn(path, ":"), path += *path == ':') {
		snprintf(f.detail, sizeof f.detail, "%.*s/%s", (int)strcspn(path, ":"), path, name);
		if (access(f.detail, X_OK) == 0) {
			f.works = true;
			return f;
		}
	}
	return seen(false, "not on PATH");
}

static struct seen find_own(const char *name)
{
	char path[480];
	return find_beside(path, sizeof path, name) == 0 ? seen(true, path) : seen(false, "not beside raddle");
}

static struct seen see_clang(void)
{
	return find_on_path("clang-19");
}

static struct seen see_driver(void)
{
	return find_own("raddle-cc");
}

static struct seen see_plugin(void)
{
	return find_own("raddle-pass.so");
}

static struct seen see_runtime(void)
{
	return find_own("libraddle-rt.so");
}

static struct seen see_static_runtime(void)
{
	return find_own("libraddle-rt.a");
}

static struct seen see_machine(void)
{
	struct utsname u;
	char text[256];
	if (uname(&u) < 0)
		return seen(false, str_error(errno));
	snprintf(text, sizeof text, "%.60s %.60s %.60s", u.sysname, u.release, u.machine);
	return seen(!strcmp(u.sysname, "Linux") && !strcmp(u.machine, "x86_64"), text);
}

static struct seen see_memfd(void)
{
	int fd = memfd_create("raddle-doctor", MFD_CLOEXEC);
	bool good = fd >= 0 && ftruncate(fd, 4096) == 0;
	void *at = good ? mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0) : MAP_FAILED;
	struct seen f = seen(at != MAP_FAILED, at != MAP_FAILED ? "can be made and mapped" : str_error(errno));
	if (at != MAP_FAILED)
		munmap(at, 4096);
	if (fd >= 0)
		close(fd);
	return f;
}

static struct seen see_futex(void)
{
	unsigned word = 0;
	long got = syscall(SYS_futex, &word, FUTEX_WAKE, 1, NULL, NULL, 0);
	return got >= 0 ? seen(true, "answers") : seen(false, str_error(errno));
}

/* Asked for in a child that ends at once: it cannot be taken back safely in all kernels. */
static struct seen see_dispatch(void)
{
	static char selector;                   /* lets everything through */
	pid_t child = fork();
	if (child == 0)
		_exit(prctl(PR_SET_SYSCALL_USER_DISPATCH, PR_SYS_DISPATCH_ON, 0, 0, &selector) ? errno & 127 : 0);
	int status;
	if (child < 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status))
		return seen(false, "cannot be asked");
	return WEXITSTATUS(status) ? seen(false, str_error(WEXITSTATUS(status))) : seen(true, "the kernel hands over system calls");
}

static struct seen see_thread_pointer(void)
{
	return getauxval(AT_HWCAP2) & HWCAP2_FSGSBASE_BIT ? seen(true, "can be set without a system call") :
		seen(false, "needs a system call here");
}

static struct seen see_fixed_addresses(void)
{
	pid_t child = fork();
	if (child == 0)
		_exit(personality(ADDR_NO_RANDOMIZE) < 0 ? errno & 127 : 0);
	int status;
	if (child < 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status))
		return seen(false, "cannot be asked");
	return WEXITSTATUS(status) ? seen(false, str_error(WEXITSTATUS(status))) : seen(true, "a program can have the same ones each time");
}

static struct seen see_tsc(void)
{
	char line[8192];
	bool constant = false, nonstop = false;
	FILE *in = fopen("/proc/cpuinfo", "re");
	while (in && fgets(line, sizeof line, in)) {
		constant |= strstr(line, " constant_tsc") != NULL;
		nonstop |= strstr(line, " nonstop_tsc") != NULL;
		if (str_starts(line, "flags") && strchr(line, '\n'))
			break;
	}
	if (in)
		fclose(in);
	return seen(constant && nonstop, constant && nonstop ? "constant and nonstop" : "the processor does not promise one");
}

static struct seen see_disk(void)
{
	struct statvfs s;
	char free_text[STR_NUMBER], text[64];
	if (statvfs(".", &s) < 0)
		return seen(false, str_error(errno));
	uint64_t bytes = (uint64_t)s.f_bavail * s.f_frsize;
	snprintf(text, sizeof text, "%s free here", str_bytes(free_text, bytes));
	return seen(bytes >= 256ull << 20, text);
}

static struct seen see_writable(void)
{
	return access(".", W_OK) == 0 ? seen(true, "this directory can be written") : seen(false, str_error(errno));
}

/* ---- what raddle does without ---- */

static struct seen see_root(void)
{
	return geteuid() == 0 ? seen(true, "is who runs this") : seen(false, "is not who runs this");
}

static struct seen see_seccomp(void)
{
	int mode = prctl(PR_GET_SECCOMP, 0, 0, 0, 0);
	return mode == 0 ? seen(true, "no filter stands in front of them") : seen(false, "a filter stands in front of them, as in a container");
}

/* In a child, which nobody needs to put back: does this work?  The error it has; -1: it cannot be asked. */
static int try_in_child(bool (*works)(void))
{
	int status;
	pid_t child = fork();
	if (child == 0)
		_exit(works() ? 0 : errno & 127);
	return child < 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status) ? -1 : WEXITSTATUS(status);
}

static struct seen seen_in_child(bool (*works)(void), const char *detail)
{
	int got = try_in_child(works);
	return got < 0 ? seen(false, "cannot be asked") : got ? seen(false, str_error(got)) : seen(true, detail);
}

static bool can_be_traced(void) { return ptrace(PTRACE_TRACEME, 0, NULL, NULL) == 0; }
static struct seen see_ptrace(void) { return seen_in_child(can_be_traced, "permitted"); }

/* As rt/private.c does it: in a chroot whose root is no mount, and in most containers, it cannot be. */
static bool can_be_apart(void)
{
	return (unshare(CLONE_NEWNS) == 0 || unshare(CLONE_NEWUSER | CLONE_NEWNS) == 0) && mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0 &&
		mount("raddle", "/tmp", "tmpfs", 0, NULL) == 0;
}
static struct seen see_apart(void) { return seen_in_child(can_be_apart, "each run has its own"); }

static struct seen see_shield(void)
{
	static const char *const words[] = { "neither mount namespaces nor Landlock", "Landlock: modes, owners and times of files outside can still be changed",
		"read-only outside its folder and /tmp (mount namespace)" };
	enum shield can = shield_can();
	return seen(can != SHIELD_NONE, words[can]);
}

static struct seen see_perf(void)
{
	struct perf_event_attr attr = { .type = PERF_TYPE_SOFTWARE, .size = sizeof attr, .config = PERF_COUNT_SW_TASK_CLOCK, .exclude_kernel = 1 };
	long fd = syscall(SYS_perf_event_open, &attr, 0, -1, -1, 0);
	struct seen f = fd < 0 ? seen(false, str_error(errno)) : seen(true, "permitted");
	if (fd >= 0)
		close((int)fd);
	return f;
}

static struct seen see_shm(void)
{
	return access("/dev/shm", W_OK) == 0 ? seen(true, "can be written") : seen(false, str_error(errno));
}

static struct seen see_home(void)
{
	const char *home = getenv("HOME");
	if (!home)
		return seen(false, "there is none");
	return access(home, W_OK) == 0 ? seen(true, "can be written") : seen(false, str_error(errno));
}

/* The word in brackets. */
static struct seen see_large_pages(void)
{
	char line[128] = "";
	FILE *in = fopen("/sys/kernel/mm/transparent_hugepage/enabled", "re");
	if (in && !fgets(line, sizeof line, in))
		line[0] = 0;
	if (in)
		fclose(in);
	char *word = strchr(line, '['), *end = word ? strchr(word, ']') : NULL;
	if (!end)
		return seen(false, "the kernel does not say");
	*end = 0;
	return seen(strcmp(word + 1, "never") != 0, word + 1);
}

static struct seen see_libpq(void)
{
	void *library = dlopen("libpq.so.5", RTLD_LAZY | RTLD_LOCAL);
	if (library)
		dlclose(library);
	return library ? seen(true, "libpq.so.5") : seen(false, "libpq.so.5 is not here");
}

static const struct { const char *name; struct seen (*look)(void); enum weight weight; const char *gives; } looks[] = {
	{ "machine", see_machine, WEIGHT_NEEDED, "recording at all: raddle is for Linux on x86-64" },
	{ "clang-19", see_clang, WEIGHT_NEEDED, "building programs to be recorded: apt install clang-19" },
	{ "compiler driver", see_driver, WEIGHT_NEEDED, "'raddle cc': build raddle with 'make'" },
	{ "compiler plugin", see_plugin, WEIGHT_NEEDED, "'raddle cc': build raddle with 'make'" },
	{ "runtime", see_runtime, WEIGHT_NEEDED, "running what 'raddle cc' built: build raddle with 'make'" },
	{ "static runtime", see_static_runtime, WEIGHT_BETTER, "programs linked with -static: build raddle with 'make'" },
	{ "memfd", see_memfd, WEIGHT_NEEDED, "the memory the program and the recorder share" },
	{ "futex", see_futex, WEIGHT_NEEDED, "waking the recorder" },
	{ "system calls", see_dispatch, WEIGHT_BETTER,
		"steering and replaying what libraries read, write and wait for: Linux 5.11, and prctl not forbidden" },
	{ "thread pointer", see_thread_pointer, WEIGHT_BETTER,
		"steered threads that switch in nanoseconds; without it they are kernel threads that pass a baton" },
	{ "fixed addresses", see_fixed_addresses, WEIGHT_BETTER,
		"replays of programs that order, hash or print addresses: personality() is forbidden, as in many containers" },
	{ "invariant tsc", see_tsc, WEIGHT_BETTER,
		"time hints that mean the same on every core; without it they only guide the order shown" },
	{ "disk", see_disk, WEIGHT_BETTER, "traces of more than a few seconds; 'raddle record --last=64M' needs little" },
	{ "large pages", see_large_pages, WEIGHT_BETTER, "heaps of steered runs that are copied in a millisecond: transparent huge pages, always or madvise" },
	{ "libpq", see_libpq, WEIGHT_BETTER, "campaigns on several machines, 'raddle campaign --workers': apt install libpq5" },
	{ "files of runs", see_apart, WEIGHT_BETTER, "runs of hunt, predict and check that do not see files the others change: mount namespaces" },
	{ "shield", see_shield, WEIGHT_BETTER, "programs that a file names (raddle replay X.sched) that change nothing outside their folder and /tmp" },
	{ "directory", see_writable, WEIGHT_BETTER, "writing run.trace here; 'raddle record -o FILE' writes elsewhere" },
	{ "root", see_root, WEIGHT_NONE, NULL },
	{ "free system calls", see_seccomp, WEIGHT_NONE, NULL },
	{ "ptrace", see_ptrace, WEIGHT_NONE, NULL },
	{ "perf", see_perf, WEIGHT_NONE, NULL },
	{ "/dev/shm", see_shm, WEIGHT_NONE, NULL },
	{ "home", see_home, WEIGHT_NONE, NULL },
};

static int run(const void *given, char **operands, struct err *why)
{
	const struct options *o = given;
	struct json j;
	unsigned missing = 0, worse = 0;
	(void)operands, (void)why;
	json_init(&j, stdout);
	for (size_t i = 0; i < sizeof looks / sizeof *looks; i++) {
		struct seen f = looks[i].look();
		bool needed = looks[i].weight == WEIGHT_NEEDED;
		missing += !f.works && needed;
		worse += !f.works && looks[i].weight == WEIGHT_BETTER;
		if (o->json) {
			json_object(&j);
			json_put_text(&j, "type", "check");
			json_put_text(&j, "name", looks[i].name);
			json_put_bool(&j, "works", f.works);
			json_put_bool(&j, "needed", needed);
			json_put_text(&j, "detail", f.detail);
			json_end(&j, '}');
			json_line(&j);
			continue;
		}
		bool wanted = looks[i].weight != WEIGHT_NONE;
		printf("%s%-8s%s %-17s %s\n", colour(f.works ? COLOUR_GREEN : wanted ? COLOUR_RED : COLOUR_OFF),
			f.works ? "works" : needed ? "missing" : wanted ? "without" : "unneeded", colour(COLOUR_OFF), looks[i].name, f.detail);
		if (!f.works && wanted)
			printf("%27sit would give: %s\n", "", looks[i].gives);
	}
	if (o->json)
		printf("{\"schema\":1,\"summary\":{\"command\":\"doctor\",\"missing\":%u,\"without\":%u}}\n", missing, worse);
	else
		printf("%s\n", missing ? "raddle cannot record here until what is missing is there" : "raddle can record here");
	return missing ? 1 : 0;
}

static const struct option list[] = {
	{ 0, "json", OPTION_FLAG, offsetof(struct options, json), NULL, "one object per line, see raddle-json(5)", NULL, 0, 0 },
	OPTION_HELP, OPTION_LAST
};
static const struct options defaults;

const struct command command_doctor = { "share", "doctor", "",
	"Say what works on this machine, and what each missing piece would give.",
	STYLE_PLAIN, list, &defaults, sizeof defaults, 0, 0, "Exit: 0 raddle can record here, 1 something needed is missing.", run, false };
