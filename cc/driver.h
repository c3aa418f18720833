/* cc/driver.h -- the inside of raddle-cc and raddle-c++: one command line of clang, read, changed a little, handed on.
 *
 *   driver.c        main: own options, errors, running clang
 *   driver_args.c   the arguments, response files looked into
 *   driver_plan.c   what the command line will make clang do
 *   driver_add.c    what raddle adds for that
 *   driver_flags.c  tables: options of clang that matter here, flags only gcc knows
 *   driver_id.c     the version, and which build of the plugin it goes with */
#ifndef RADDLE_CC_DRIVER_H
#define RADDLE_CC_DRIVER_H

#include <stdbool.h>
#include <stddef.h>

/* ---- a growing list of strings (driver_args.c) ---- */
struct list {
	const char **at;
	size_t count, room;
};
void  list_add(struct list *l, const char *text);
char *text_join(const char *a, const char *b, const char *c);      /* fresh memory, never NULL */
char *text_keep(const char *from);
bool  text_starts(const char *text, const char *prefix);
bool  text_ends(const char *text, const char *suffix);

/* ---- arguments (driver_args.c) ---- */
struct arg {
	const char *text;       /* as clang will see it */
	size_t origin;          /* index in argv; arguments out of one response file share it */
	bool from_file;
	bool dropped;           /* ours, or nothing clang knows */
	const char *instead;    /* handed on in its place, or NULL */
};
struct args {
	struct arg *at;
	size_t count, room;
	size_t end;             /* where options end: index of "--", or count */
};
/* Reads argv[1..], opening response files; one that cannot be read stays as it is, for clang to complain about. */
void args_read(struct args *a, int argc, char **argv);
/* What is left of them, in order, and `last` where options end; a response file nothing was taken out of stays one argument. */
void args_write(const struct args *a, char **argv, const struct list *last, struct list *out);

/* ---- options known here (driver_flags.c) ---- */
enum effect {
	FX_NONE, FX_NO_LINK, FX_NO_CODE, FX_QUERY, FX_SHARED, FX_STATIC, FX_NO_LIBRARIES, FX_HAS_LIBC, FX_RELOCATABLE,
	FX_FREESTANDING, FX_HOSTED, FX_LTO, FX_NO_LTO, FX_LINKER, FX_DEBUG, FX_NO_DEBUG, FX_FOREIGN, FX_NATIVE, FX_TARGET,
	FX_SANITIZE, FX_NO_SANITIZE, FX_LANGUAGE, FX_SECOND_RUN, FX_NO_BUILD_ID, FX_DIALECT, FX_VERSION
};
enum effect flag_effect(const char *text);
bool flag_takes_value(const char *text);       /* its value is the next argument */
bool flag_only_gcc(const char *text);          /* clang 19 refuses it or warns that it knows no such flag */
const char *flag_sanitizer(const char *list);  /* first of "address,..." raddle cannot go with, or NULL; static storage */
void flag_list_only_gcc(struct list *out);     /* every flag flag_only_gcc() knows, with a value where it takes one */

/* ---- what the command will do (driver_plan.c) ---- */
enum level { LEVEL_SYNC, LEVEL_ACCESS, LEVEL_FULL };

struct plan {
	enum level level;
	bool source;            /* --raddle-source: record what the source says, before the optimiser */
	bool off, verbose, help, list_dropped, version;
	bool cxx;
	bool has_input, compiles, assembles, no_link, no_code, query;
	bool shared, is_static, no_libraries, has_libc, relocatable, freestanding;
	bool lto, linker_chosen, debug, no_build_id, second_run;
	bool dialect;           /* how thread-local variables are reached is asked for */
	const char *foreign;    /* the argument that asks for another machine, or NULL */
	const char *sanitizer;
	bool sanitized;                 /* some -fsanitize= is there */
	const char *language;   /* -x, or NULL */
	struct list dropped;    /* gcc-only flags left out */
	char *bad;              /* own option that is wrong: what to say, or NULL */
};
void plan_make(struct plan *p, struct args *a, bool cxx);
bool plan_links(const struct plan *p);
bool plan_instruments(const struct plan *p);           /* the plugin is to run */
bool plan_needs_runtime(const struct plan *p);         /* and the runtime to be linked in */

/* ---- additions (driver_add.c) ---- */
#define PLUGIN_NAME  "raddle-pass.so"
#define RUNTIME_NAME "libraddle-rt.so"
#define ARCHIVE_NAME "libraddle-rt.a"

char *program_dir(void);                               /* where this program is, or NULL */
char *lib_dir(void);                                   /* where the plugin and the runtime are, or NULL */
void add_link(const struct plan *p, const char *dir, struct list *out);      /* goes before the user's arguments */
void add_compile(const struct plan *p, const char *dir, struct list *out);   /* goes behind them */

extern const char driver_id[];                         /* "raddle 0.1.0, plugin 0123456789abcdef" */

#endif
