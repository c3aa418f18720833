/* cc/driver_plan.c -- reads a command line as clang would, as far as raddle must know what it will do.
 *
 * Marks what clang is not to see: raddle's own options, and flags only gcc has.  Decides nothing clang decides: a command
 * clang would refuse is handed on, for clang to refuse. */
#include "cc/driver.h"

#include <string.h>

static bool one_of(const char *text, const char *const *names)
{
	for (; *names; names++)
		if (strcmp(text, *names) == 0)
			return true;
	return false;
}

/* One file to work on: source, assembler, or something for the linker? */
static void note_input(struct plan *p, const char *path)
{
	static const char *const source[] = { "c", "h", "i", "cc", "cp", "cxx", "cpp", "CPP", "CXX", "c++", "C", "ii", "hh", "H",
		"hpp", "hxx", "h++", "tcc", "m", "mm", "mi", "mii", "M", "cppm", "ccm", "cxxm", "c++m", "ixx", "ll", "bc", NULL };
	static const char *const assembler[] = { "s", "S", "sx", "asm", NULL };
	const char *dot = strrchr(path, '.');

	p->has_input = true;
	if (p->language) {
		bool is_asm = text_starts(p->language, "assembler");

		p->assembles |= is_asm;
		p->compiles |= !is_asm;
	} else if (dot && !strchr(dot, '/')) {
		p->compiles |= one_of(dot + 1, source);
		p->assembles |= one_of(dot + 1, assembler);
	}
}

static void own_option(struct plan *p, const char *text)
{
	if (strcmp(text, "--raddle=sync") == 0)
		p->level = LEVEL_SYNC;
	else if (strcmp(text, "--raddle=access") == 0)
		p->level = LEVEL_ACCESS;
	else if (strcmp(text, "--raddle=full") == 0)
		p->level = LEVEL_FULL;
	else if (text_starts(text, "--raddle="))
		p->bad = text_join("unknown level '", text + strlen("--raddle="), "' (it is 'sync', 'access' or 'full')");
	else if (strcmp(text, "--raddle-source") == 0)
		p->source = true;
	else if (strcmp(text, "--raddle-off") == 0)
		p->off = true;
	else if (strcmp(text, "--raddle-verbose") == 0)
		p->verbose = true;
	else if (strcmp(text, "--raddle-help") == 0)
		p->help = true;
	else if (strcmp(text, "--raddle-dropped") == 0)
		p->list_dropped = true;
	else
		p->bad = text_join("unknown option '", text, "' (see --raddle-help)");
}

static bool is_ours(const char *target)
{
	return text_starts(target, "x86_64") && strstr(target, "linux") && !strstr(target, "x32");
}

static void note_sanitizer(struct plan *p, enum effect effect, const char *list)
{
	const char *name = flag_sanitizer(list);

	p->sanitized = p->sanitized || effect == FX_SANITIZE;
	if (effect == FX_SANITIZE && name)
		p->sanitizer = name;
	else if (effect == FX_NO_SANITIZE && p->sanitizer && (strcmp(list, "all") == 0 || flag_sanitizer(list)))
		p->sanitizer = NULL;
}

/* gcc counts the jobs of a link-time optimisation, clang names its kind. */
static void note_lto(struct plan *p, struct arg *arg)
{
	const char *kind = strchr(arg->text, '=');

	p->lto = true;
	if (kind && kind[1] >= '0' && kind[1] <= '9')
		arg->instead = "-flto";
}

/* What an option does to the plan; `value` is its value, wherever it stands, or "". */
static void note_option(struct plan *p, struct arg *arg, const char *value)
{
	enum effect effect = flag_effect(arg->text);

	switch (effect) {
	case FX_NONE: break;
	case FX_NO_LINK: p->no_link = true; break;
	case FX_NO_CODE: p->no_code = true; break;
	case FX_QUERY: p->query = true; break;
	case FX_VERSION: p->version = true; break;
	case FX_SHARED: p->shared = true; break;
	case FX_STATIC: p->is_static = true; break;
	case FX_NO_LIBRARIES: p->no_libraries = true; break;
	case FX_HAS_LIBC: p->has_libc = true; break;
	case FX_RELOCATABLE: p->relocatable = true; break;
	case FX_FREESTANDING: p->freestanding = true; break;
	case FX_HOSTED: p->freestanding = false; break;
	case FX_LTO: note_lto(p, arg); break;
	case FX_NO_LTO: p->lto = false; break;
	case FX_LINKER: p->linker_chosen = true; break;
	case FX_SECOND_RUN: p->second_run = true; break;
	case FX_DEBUG: p->debug = true; break;
	case FX_DIALECT: p->dialect = true; break;
	case FX_NO_DEBUG: p->debug = false; break;
	case FX_FOREIGN: p->foreign = arg->text; break;
	case FX_NATIVE: p->foreign = NULL; break;
	case FX_TARGET: p->foreign = is_ours(value) ? NULL : value; break;
	case FX_SANITIZE: case FX_NO_SANITIZE: note_sanitizer(p, effect, value); break;
	case FX_LANGUAGE: p->language = strcmp(value, "none") == 0 ? NULL : value; break;
	case FX_NO_BUILD_ID: p->no_build_id = true; break;
	}
}

/* Options handed through to the linker word by word. */
static void note_linker_word(struct plan *p, const char *word)
{
	p->relocatable |= strcmp(word, "-r") == 0 || strcmp(word, "--relocatable") == 0;
	p->no_build_id |= strcmp(word, "--build-id=none") == 0;
}

/* The value of option i: the next argument, what follows '=', or what is stuck to a one-letter option. */
static const char *value_of(const struct args *a, size_t i)
{
	const char *text = a->at[i].text, *equals = strchr(text, '=');

	if (flag_takes_value(text))
		return i + 1 < a->count ? a->at[i + 1].text : "";
	if (equals)
		return equals + 1;
	return strlen(text) > 2 ? text + 2 : "";
}

static bool is_useless(const char *text, const char *value)
{
	if (strcmp(text, "--param") == 0)
		return !text_starts(value, "ssp-buffer-size=");
	return flag_only_gcc(text);
}

/* Looks at argument i; returns how many arguments that was. */
static size_t note_one(struct plan *p, struct args *a, size_t i)
{
	struct arg *arg = &a->at[i];
	const char *text = arg->text, *value;
	size_t taken = flag_takes_value(text) && i + 1 < a->count ? 2 : 1;

	if (text[0] != '-' || !text[1]) {
		note_input(p, text);
		return 1;
	}
	if (text_starts(text, "--raddle")) {
		own_option(p, text);
		arg->dropped = true;
		return 1;
	}
	value = value_of(a, i);
	if (is_useless(text, value)) {
		list_add(&p->dropped, taken == 2 ? text_join(text, " ", value) : text);
		for (size_t k = 0; k < taken; k++)
			arg[k].dropped = true;
	} else if (strcmp(text, "-Xlinker") == 0) {
		note_linker_word(p, value);
	} else if (strcmp(text, "-l") == 0) {
		p->has_libc |= strcmp(value, "c") == 0;
	} else {
		note_option(p, arg, value);
	}
	return taken;
}

void plan_make(struct plan *p, struct args *a, bool cxx)
{
	size_t i = 0;

	*p = (struct plan){ .level = LEVEL_ACCESS, .cxx = cxx };
	while (i < a->count && strcmp(a->at[i].text, "--") != 0)
		i += note_one(p, a, i);
	a->end = i;
	if (i < a->count)
		a->at[i].instead = a->at[i].text;       /* something is put in front of it, inside a response file too */
	for (i++; i < a->count; i++)
		note_input(p, a->at[i].text);
}

bool plan_links(const struct plan *p)
{
	return p->has_input && !p->no_link && !p->no_code && !p->query;
}

/* Programs without a C library have nothing the runtime could stand on. */
static bool is_bare(const struct plan *p)
{
	return p->freestanding || (p->no_libraries && !p->has_libc);
}

bool plan_instruments(const struct plan *p)
{
	return !p->off && p->compiles && !p->no_code && !p->query && !p->second_run && !is_bare(p);
}

bool plan_needs_runtime(const struct plan *p)
{
	return !p->off && plan_links(p) && !p->relocatable && !is_bare(p);
}
