/* cc/driver.c -- raddle-cc and raddle-c++: clang, with raddle's plugin when it compiles and raddle's runtime when it links.
 *
 * Reads the command line (driver_plan.c), adds to it (driver_add.c) and becomes clang.  What it does depends on the
 * arguments and on raddle's version alone, so that compiler caches may trust it; the variables that carry the level to
 * the plugin are set here and never taken from outside. */
#include "cc/driver.h"

#include <errno.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static const char *self = "raddle-cc";

__attribute__((format(printf, 2, 3)))
static _Noreturn void die(int code, const char *format, ...)
{
	va_list rest;

	fprintf(stderr, "%s: ", self);
	va_start(rest, format);
	vfprintf(stderr, format, rest);
	va_end(rest);
	fputc('\n', stderr);
	exit(code);
}

static void print_help(void)
{
	printf("usage: %s [<options of clang>] <file>...        clang, for programs that are to be recorded by raddle.\n"
		"  --raddle=<level>    what 'raddle record' will be able to see:\n"
		"                        access  every load and store that may be shared (default)\n"
		"                        sync    locks, threads, atomics only; almost free\n"
		"                        full    the result of every instruction, for raddle diff; 5 to 100 times slower, up to 130 MB of trace a second\n"
		"  --raddle-source     see accesses as the source has them, before the optimiser merges or moves them\n"
		"  --raddle-off        compile and link as plain clang\n"
		"  --raddle-verbose    print the clang command\n"
		"  --raddle-help       this text\n"
		"Everything else goes to clang-19 (clang++-19 for raddle-c++; other names: RADDLE_CLANG, RADDLE_CLANGXX).\n"
		"Example: CC=raddle-cc ./configure && make; raddle record -- ./program\n", self);
}

static const char *clang_name(bool cxx)
{
	const char *chosen = getenv(cxx ? "RADDLE_CLANGXX" : "RADDLE_CLANG");

	if (chosen && *chosen)
		return chosen;
	return cxx ? "clang++-19" : "clang-19";
}

static bool is_plain(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || (c && strchr("-_=+./,:@%", c));
}

static void print_word(const char *word)
{
	const char *s = word;

	while (is_plain(*s))
		s++;
	if (*word && !*s) {
		fprintf(stderr, " %s", word);
		return;
	}
	fputs(" '", stderr);
	for (s = word; *s; s++)
		if (*s == '\'')
			fputs("'\\''", stderr);
		else
			fputc(*s, stderr);
	fputc('\'', stderr);
}

static void print_command(const struct list *command, const struct plan *p)
{
	fprintf(stderr, "%s:", self);
	if (plan_instruments(p))
		fprintf(stderr, " RADDLE_LEVEL=%s RADDLE_POINT=%s", getenv("RADDLE_LEVEL"), getenv("RADDLE_POINT"));
	for (size_t i = 0; command->at[i]; i++)
		print_word(command->at[i]);
	fputc('\n', stderr);
}

static void note_dropped(const struct plan *p)
{
	if (!p->dropped.count || p->no_code || p->query || !p->has_input)
		return;
	fprintf(stderr, "%s: note: flags of gcc that clang does not have are left out:", self);
	for (size_t i = 0; i < p->dropped.count; i++)
		fprintf(stderr, " %s", p->dropped.at[i]);
	fputc('\n', stderr);
}

static _Noreturn void cannot_run(const char *name, int why, bool cxx)
{
	if (why == E2BIG)
		die(1, "cannot run '%s': the command line is too long (keep raddle's options and flags of gcc out of response files)",
			name);
	die(1, "cannot run '%s': %s\nhint: install it (apt-get install clang-19), or name another clang 19 in %s", name,
		strerror(why), cxx ? "RADDLE_CLANGXX" : "RADDLE_CLANG");
}

/* clang's own version, then ours: tools that look at the first line see clang. */
static int print_version(struct list *command, bool cxx)
{
	pid_t pid;
	int status, why;

	why = posix_spawnp(&pid, command->at[0], NULL, NULL, (char **)command->at, environ);
	if (why)
		cannot_run(command->at[0], why, cxx);
	if (waitpid(pid, &status, 0) != pid || !WIFEXITED(status))
		return 1;
	if (WEXITSTATUS(status) == 0)
		puts(driver_id);
	return WEXITSTATUS(status);
}

/* Stops, with the way out, at what raddle cannot do. */
static void refuse(const struct plan *p)
{
	bool works = plan_instruments(p) || plan_needs_runtime(p);

	if (p->bad)
		die(2, "%s", p->bad);
	if (works && p->foreign)
		die(1, "cannot instrument for '%s': raddle knows x86-64 Linux only\nhint: --raddle-off compiles as plain clang",
			p->foreign);
	if (works && p->sanitizer)
		die(1, "cannot go with -fsanitize=%s: both would stand in front of the same library functions\n"
			"hint: --raddle-off compiles as plain clang", p->sanitizer);
}

static void need_file(const char *dir, const char *name)
{
	const char *bin = program_dir();

	if (dir && access(text_join(dir, "/", name), R_OK) == 0)
		return;
	die(1, "cannot find '%s' in '%s/lib' or '%s/../lib/raddle'\n"
		"hint: 'make' builds it, 'make install' puts it there; --raddle-off compiles as plain clang", name,
		bin ? bin : ".", bin ? bin : ".");
}

/* The plugin takes its level from the environment. */
static void set_level(const struct plan *p)
{
	unsetenv("RADDLE_LEVEL");
	unsetenv("RADDLE_POINT");
	if (!plan_instruments(p))
		return;
	setenv("RADDLE_LEVEL", p->level == LEVEL_SYNC ? "sync" : p->level == LEVEL_FULL ? "full" : "access", 1);
	setenv("RADDLE_POINT", p->source || p->level == LEVEL_FULL ? "start" : "last", 1);
}

static void list_dropped(void)
{
	struct list flags = { 0 };

	flag_list_only_gcc(&flags);
	for (size_t i = 0; i < flags.count; i++)
		puts(flags.at[i]);
}

static void build_command(const struct plan *p, const struct args *args, char **argv, struct list *command)
{
	const char *dir = lib_dir();
	struct list last = { 0 };

	if (plan_instruments(p))
		need_file(dir, PLUGIN_NAME);
	if (plan_needs_runtime(p))
		need_file(dir, p->is_static && !p->shared ? ARCHIVE_NAME : RUNTIME_NAME);
	list_add(command, clang_name(p->cxx));
	add_link(p, dir, command);
	add_compile(p, dir, &last);
	args_write(args, argv, &last, command);
	list_add(command, NULL);
}

int main(int argc, char **argv)
{
	const char *slash = argc > 0 ? strrchr(argv[0], '/') : NULL;
	struct args args = { 0 };
	struct plan plan;
	struct list command = { 0 };

	if (argc > 0)
		self = slash ? slash + 1 : argv[0];
	args_read(&args, argc, argv);
	plan_make(&plan, &args, text_ends(self, "++"));
	if (plan.help || plan.list_dropped) {
		plan.help ? print_help() : list_dropped();
		return 0;
	}
	refuse(&plan);
	build_command(&plan, &args, argv, &command);
	set_level(&plan);
	if (plan.verbose)
		print_command(&command, &plan);
	if (plan.version)
		return print_version(&command, plan.cxx);
	note_dropped(&plan);
	fflush(NULL);
	execvp(command.at[0], (char **)command.at);
	cannot_run(command.at[0], errno, plan.cxx);
}
