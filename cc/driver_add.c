/* cc/driver_add.c -- what raddle adds to clang's command line.
 *
 * Compiling: the plugin, and line tables if the user asked for no debug information.  Warnings only gcc has pass, and
 * "text"MACRO without a blank in C++, which gcc takes and many programs have, is no error.
 * Linking: the runtime, first of all libraries, so that its functions are found before libc's and before those of any
 * other library that stands in front of libc; kept though nothing refers to it (--no-as-needed); found at run
 * time by rpath; a build id, by which readers know the object again; functions a program calls looked up when it is started, not in each
 * run made of it afterwards (-z now).  A static program has no symbol order: there
 * the whole archive goes in and each interposed name is wrapped.  Everything for the linker goes by -Xlinker: paths
 * may hold commas, and nothing counts as an input file. */
#include "cc/driver.h"
#include "cc/notes.h"
#include "wire/interposed.h"

#include <limits.h>
#include <string.h>
#include <unistd.h>

static char *directory_of(const char *path)
{
	char *copy = text_keep(path), *slash = strrchr(copy, '/');

	if (slash)
		slash[slash == copy] = 0;
	return copy;
}

char *program_dir(void)
{
	char path[PATH_MAX];
	ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);

	if (n <= 0)
		return NULL;
	path[n] = 0;
	return directory_of(path);
}

char *lib_dir(void)
{
	char *bin = program_dir(), *built, *installed;

	if (!bin)
		return NULL;
	built = text_join(bin, "/lib", "");
	if (access(text_join(built, "/", PLUGIN_NAME), R_OK) == 0 || access(text_join(built, "/", RUNTIME_NAME), R_OK) == 0)
		return built;
	installed = text_join(directory_of(bin), "/lib/raddle", "");
	return access(installed, R_OK) == 0 ? installed : NULL;
}

static void linker(struct list *out, const char *word)
{
	list_add(out, "-Xlinker");
	list_add(out, word);
}

static void add_static(const char *dir, struct list *out)
{
	linker(out, "--push-state");
	linker(out, "--whole-archive");
	linker(out, text_join(dir, "/", ARCHIVE_NAME));
	linker(out, "--pop-state");
#define X(name) linker(out, "--wrap=" #name);
	INTERPOSED(X)
#undef X
	/* Names of the C++ library, absent from C programs: the runtime refers to them weakly, which takes nothing out of an
	 * archive; so they are asked for here, where being absent is no error. */
#define X(name) if (text_starts(#name, "__cxa_guard_") || text_starts(#name, "_Z")) linker(out, "--undefined=" #name);
	INTERPOSED(X)
#undef X
}

static void add_dynamic(const struct plan *p, const char *dir, struct list *out)
{
	linker(out, "--push-state");
	linker(out, "--no-as-needed");
	linker(out, text_join(dir, "/", RUNTIME_NAME));
	linker(out, "--pop-state");
	linker(out, "-rpath");
	linker(out, dir);
	if (!p->shared) {
		linker(out, "-z");
		linker(out, "now");
	}
}

void add_link(const struct plan *p, const char *dir, struct list *out)
{
	if (p->lto && !p->linker_chosen && plan_links(p))
		list_add(out, "-fuse-ld=lld");
	if (!plan_needs_runtime(p))
		return;
	if (!p->no_build_id)
		linker(out, "--build-id");
	if (p->is_static && !p->shared)
		add_static(dir, out);
	else
		add_dynamic(p, dir, out);
}

/* What programs say to ThreadSanitizer, in words that reach the plugin (door.cpp).  A note in place of no_sanitize(...) can stand in
 * [[clang::...]] too.  Where another sanitizer is on, it must hear the word itself; the note behind it is in [[clang::...]] an attribute clang does
 * not know then: nothing is said of that. */
#define NOTE "annotate(\"" NO_SANITIZE_NOTE "\" #__VA_ARGS__)"
#define NOTE_TOO "no_sanitize(__VA_ARGS__), _Pragma(\"clang diagnostic push\") " \
	"_Pragma(\"clang diagnostic ignored \\\"-Wunknown-attributes\\\"\") " NOTE " _Pragma(\"clang diagnostic pop\")"

static void add_words(const struct plan *p, struct list *out)
{
	list_add(out, p->sanitized ? "-Dno_sanitize(...)=" NOTE_TOO : "-Dno_sanitize(...)=" NOTE);
	list_add(out, p->sanitized ? "-D__no_sanitize__(...)=" NOTE_TOO : "-D__no_sanitize__(...)=" NOTE);
	list_add(out, "-Dno_sanitize_thread=noduplicate");
	list_add(out, "-D__no_sanitize_thread__=noduplicate");
	list_add(out, "-Wno-error=macro-redefined");            /* a program may have these names for itself */
}

void add_compile(const struct plan *p, const char *dir, struct list *out)
{
	if (p->compiles && !p->query) {
		list_add(out, "--start-no-unused-arguments");
		list_add(out, "-Wno-unknown-warning-option");
		list_add(out, "-Wno-error=reserved-user-defined-literal");
		list_add(out, "-Wno-error=strict-prototypes");          /* -pedantic -Werror: gcc takes f() still */
		if (dir) {
			list_add(out, "-idirafter");                    /* <raddle.h> */
			list_add(out, text_join(dir, "/include", ""));
		}
		if (plan_instruments(p)) {
			list_add(out, text_join("-fpass-plugin=", dir, "/" PLUGIN_NAME));
			add_words(p, out);
			list_add(out, "-Xclang");                       /* where the life of a local ends is said at -O0 too (left.c) */
			list_add(out, "-fsanitize-address-use-after-scope");
			list_add(out, "-fno-discard-value-names");      /* the names of fields and variables, for readers */
			if (!p->debug)
				list_add(out, "-gline-tables-only");
			if (p->dialect)                  /* descriptors ask for memory where the runtime is not told (rt/local.c) */
				list_add(out, "-mtls-dialect=gnu");
		}
		list_add(out, "--end-no-unused-arguments");
	}
	if (p->no_build_id && plan_needs_runtime(p))
		linker(out, "--build-id");
}
